/**
 * Adds the five-minute counts of complete days (UTC) up to counts of days, which are kept for longer. Only one worker runs
 * at a time.
 */
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import { MONITOR_COUNTS_DAYS } from '../../rules/uptime.ts'

/** Results of a day are recorded within seconds after its end. */
const COMPLETE_AFTER = '10 minutes'
/** Monitors of one statement: some 300,000 counts. */
const MONITORS_AT_ONCE = 1_000
const DAY_MS = 86_400_000
/** Any number that no other lock uses. */
const ROLL_UP_LOCK = 7_204_618

// A day is in the table for all its monitors or for none. The oldest first, so that the days of a monitor have no gap.
const MISSING_DAYS = `
  with last as (
    select date_trunc('day', (coalesce(?::timestamptz, now()) - interval '${COMPLETE_AFTER}') at time zone 'UTC') - interval '1 day' as day
  )
  select to_char(each, 'YYYY-MM-DD') as day
  from last, generate_series(last.day - interval '${MONITOR_COUNTS_DAYS - 1} days', last.day, interval '1 day') as each
  where not exists (select from monitor_days d where d.day = each::date)
  order by each`

// One day at a time and with its bounds as values, so that PostgreSQL reads one partition.
const COUNTED = `
  select from monitor_counts c join monitors m on m.id = c.monitor_id
  where c.starts_at >= ?::timestamptz and c.starts_at < ?::timestamptz limit 1`

const BATCH = `
  with batch as materialized (select id from monitors where id > ? order by id limit ${MONITORS_AT_ONCE}),
  added as (
    insert into monitor_days as d (monitor_id, day, checks, failures, latency_sum_ms)
    select c.monitor_id, ?::date, sum(c.checks), sum(c.failures), sum(c.latency_sum_ms)
    from batch b join monitor_counts c on c.monitor_id = b.id
    where c.starts_at >= ?::timestamptz and c.starts_at < ?::timestamptz
    group by c.monitor_id order by c.monitor_id
    on conflict (monitor_id, day) do update set
      checks = excluded.checks, failures = excluded.failures, latency_sum_ms = excluded.latency_sum_ms
  )
  select max(id) as last from batch`

/**
 * Rolls up the complete days that are missing, also those of some days ago.
 *
 * @param now PostgreSQL's clock when omitted
 * @returns the days that were added
 */
export async function rollUpChecks(knex: Knex, now?: Date): Promise<string[]> {
  const added: string[] = []
  for (const { day } of await query<{ day: string }>(knex, MISSING_DAYS, [now ?? null])) {
    const from = new Date(`${day}T00:00:00Z`)
    const bounds = [from, new Date(from.getTime() + DAY_MS)] as const
    if ((await query(knex, COUNTED, bounds)).length === 0) continue
    if (!(await knex.transaction((trx) => rollUpDay(trx, day, bounds)))) break
    added.push(day)
  }
  return added
}

/** @returns false: another worker is running */
async function rollUpDay(trx: Knex, day: string, bounds: readonly [Date, Date]): Promise<boolean> {
  const [lock] = await query<{ ours: boolean }>(
    trx,
    'select pg_try_advisory_xact_lock(?) as ours',
    [ROLL_UP_LOCK],
  )
  if (lock?.ours !== true) return false
  for (let after: string | null = '0'; after !== null;) {
    const [batch]: { last: string | null }[] = await query<{ last: string | null }>(trx, BATCH, [
      after,
      day,
      ...bounds,
    ])
    after = batch?.last ?? null
  }
  return true
}
