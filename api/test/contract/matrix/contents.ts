/**
 * What calls changed in the whole database. Triggers record each row that is removed or added; an updated row is
 * removed and added. So a question reads the few changes since a moment, and not all tables, which grow with each
 * account of the run.
 */
import type { Knex } from 'knex'
import { query } from '../../../src/database/sql.ts'

/** Rate limit counters, and the owners' records of refused calls: calls are meant to change them. */
const UNCOMPARED = ['rate_limits', 'update_calls', 'update_call_rings', 'login_history']
/** The time of the last use does not count as a change. */
const UNCOMPARED_COLUMNS = ['last_used_at', 'last_used_ip', 'last_client']

/** `old` is null in an insertion, and `new` in a deletion. `xact` says which records a snapshot includes. */
const RECORDS = `
  create schema recorded;
  create unlogged table recorded.changes (
    xact xid8 not null default pg_current_xact_id(),
    table_name text not null,
    sign int not null,
    contents text not null
  );
  create index on recorded.changes (xact);
  create function recorded.record_change() returns trigger language plpgsql as $$
  declare
    removed text := (to_jsonb(old) - tg_argv[1]::text[])::text;
    added text := (to_jsonb(new) - tg_argv[1]::text[])::text;
  begin
    if removed is distinct from added then
      insert into recorded.changes (table_name, sign, contents)
      select tg_argv[0], sign, contents from (values (-1, removed), (1, added)) as v (sign, contents)
      where contents is not null;
    end if;
    return null;
  end $$;
  create function recorded.refuse_truncation() returns trigger language plpgsql as $$
  begin
    raise exception 'the rows that this removes from % would not be recorded', tg_table_name;
  end $$`

/** Creates the triggers of each table. A partitioned table hands them to its partitions. */
const TRIGGERS = `
  select format('create trigger recorded after insert or update or delete on %1$s
                   for each row execute function recorded.record_change(%1$L, %2$L);
                 create trigger untruncated before truncate on %1$s
                   execute function recorded.refuse_truncation()', c.oid::regclass, ?::text[]) as sql
  from pg_class c
  where (c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
         and c.relname <> all (?::text[]))
    or c.oid = 'pgboss.job'::regclass`

export class Contents {
  readonly #knex: Knex

  private constructor(knex: Knex) {
    this.#knex = knex
  }

  /** Records changes from now on. Once for each database. */
  static async of(knex: Knex): Promise<Contents> {
    await query(knex, RECORDS)
    const triggers = await query<{ sql: string }>(knex, TRIGGERS, [UNCOMPARED_COLUMNS, UNCOMPARED])
    await query(knex, triggers.map(({ sql }) => sql).join(';'))
    return new Contents(knex)
  }

  /** The present moment, for `changedSince`. */
  async now(): Promise<string> {
    const [row] = await query<{ now: string }>(
      this.#knex,
      'select pg_current_snapshot()::text as now',
    )
    return row?.now ?? ''
  }

  /**
   * Tables whose contents differ from those of an earlier moment. A change that was undone does not count.
   *
   * @param holding limits it to rows that contain one of these texts
   */
  async changedSince(moment: string, holding?: readonly string[]): Promise<string[]> {
    const patterns = holding?.map((text) => `%${text}%`) ?? ['%']
    const changed = await query<{ name: string }>(
      this.#knex,
      `select distinct table_name as name
       from (select table_name from recorded.changes
             where xact >= pg_snapshot_xmin(?::pg_snapshot) and not pg_visible_in_snapshot(xact, ?::pg_snapshot)
               and contents like any (?::text[])
             group by table_name, contents having sum(sign) <> 0) as changed
       order by 1`,
      [moment, moment, patterns],
    )
    return changed.map(({ name }) => name)
  }
}
