/** The contents of the whole database as one digest per table: shows whether a call changed anything. */
import type { Knex } from 'knex'
import { query } from '../../../src/database/sql.ts'

/** Rate limit counters, and the owners' records of refused calls: calls are meant to change them. */
const UNCOMPARED = ['rate_limits', 'update_calls', 'update_call_rings', 'login_history']
/** The time of the last use does not count as a change. */
const UNCOMPARED_COLUMNS = ['last_used_at', 'last_used_ip', 'last_client']

/** A table, and the SQL expression for the text of its row `t`. */
interface Compared {
  readonly table: string
  readonly text: string
}

export class Contents {
  readonly #knex: Knex
  readonly #compared: readonly Compared[]

  private constructor(knex: Knex, compared: readonly Compared[]) {
    this.#knex = knex
    this.#compared = compared
  }

  static async of(knex: Knex): Promise<Contents> {
    const compared = await query<Compared>(
      knex,
      `select c.oid::regclass::text as table,
              case when exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = any (?::text[]))
                then format('(to_jsonb(t) - %L::text[])::text', ?::text[]) else 't::text' end as text
       from pg_class c
       where (c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
              and c.relname <> all (?::text[]))
         or c.oid = 'pgboss.job'::regclass
       order by 1`,
      [UNCOMPARED_COLUMNS, UNCOMPARED_COLUMNS, UNCOMPARED],
    )
    return new Contents(knex, compared)
  }

  /**
   * The digest of each table: the number of its rows and the sum of their hashes, which needs no order. It is computed
   * some hundred times.
   *
   * @param holding limits it to rows that contain one of these texts
   */
  async digests(holding?: readonly string[]): Promise<Record<string, string>> {
    const patterns = holding?.map((text) => `%${text}%`)
    const condition = patterns === undefined ? '' : 'where r like any (?::text[])'
    const selects = this.#compared.map(
      ({ table, text }) =>
        `select '${table}' as name, concat(count(*), ' ', sum(hashtextextended(r, 0))) as digest
         from (select ${text} as r from ${table} t) rows ${condition}`,
    )
    const rows = await query<{ name: string; digest: string }>(
      this.#knex,
      selects.join(' union all '),
      patterns === undefined ? [] : selects.map(() => patterns),
    )
    return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
  }

  /** Tables whose contents have changed. */
  async changedSince(
    before: Readonly<Record<string, string>>,
    holding?: readonly string[],
  ): Promise<string[]> {
    const after = await this.digests(holding)
    return Object.keys(after).filter((table) => after[table] !== before[table])
  }
}
