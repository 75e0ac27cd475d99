/** What the whole database holds, as one digest for each table: whether a call changed anything. */
import type { Knex } from 'knex'
import { query } from '../../../src/database/sql.ts'

/** Counters of limits, and the owners' records of refused calls: they are meant to change. */
const UNCOMPARED = ['rate_limits', 'update_calls', 'update_call_rings', 'login_history']
/** The time of the last use does not count as a change. */
const UNCOMPARED_COLUMNS = ['last_used_at', 'last_used_ip', 'last_client']

export class Contents {
  readonly #knex: Knex
  readonly #tables: readonly string[]

  private constructor(knex: Knex, tables: readonly string[]) {
    this.#knex = knex
    this.#tables = tables
  }

  static async of(knex: Knex): Promise<Contents> {
    const tables = await query<{ name: string }>(
      knex,
      `select c.oid::regclass::text as name from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
         and c.relname <> all (?::text[])
       union all select 'pgboss.job'
       order by 1`,
      [UNCOMPARED],
    )
    return new Contents(
      knex,
      tables.map(({ name }) => name),
    )
  }

  /** The digest of each table. @param holding only of rows that hold one of these texts */
  async digests(holding: readonly string[] = ['']): Promise<Record<string, string>> {
    const selects = this.#tables.map(
      (table) =>
        `select '${table}' as name, md5(coalesce(string_agg(r, chr(10) order by r), '')) as digest
         from (select (to_jsonb(t) - ?::text[])::text as r from ${table} t) rows where r like any (?::text[])`,
    )
    const patterns = holding.map((text) => `%${text}%`)
    const bindings = selects.flatMap(() => [UNCOMPARED_COLUMNS, patterns])
    const rows = await query<{ name: string; digest: string }>(
      this.#knex,
      selects.join(' union all '),
      bindings,
    )
    return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
  }

  /** Tables that hold something else than before. */
  async changedSince(
    before: Readonly<Record<string, string>>,
    holding?: readonly string[],
  ): Promise<string[]> {
    const after = await this.digests(holding)
    return Object.keys(after).filter((table) => after[table] !== before[table])
  }
}
