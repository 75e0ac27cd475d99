/** Begins and ends maintenance as the windows of the owners say. */
import type { MonitorState } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import { holdFreeMonitors } from './held-checks.ts'
import { PRESENT_COLUMNS, presentOf, type PresentColumns, writeMoves } from './interval-rows.ts'
import { notifyMonitors } from './live-channel.ts'
import { changeMonitors } from './monitor-rows.ts'
import { firstDueAt, reschedule } from './schedule-rows.ts'

/** Monitors that one transaction moves into or out of maintenance. */
const MOVED_AT_ONCE = 500

// PostgreSQL counts days and weeks in local time, so a window keeps its time of day when clocks change. A window that
// has no length on a day on which clocks change is left out.
const ADVANCE = `
  with given as (select coalesce(?::timestamptz, now()) as now), ended as (
    select w.*, g.now, case w.repeats when 'daily' then interval '1 day' when 'weekly' then interval '7 days' end as step
    from maintenance_windows w, given g where w.next_starts_at <= g.now and w.next_ends_at <= g.now
  ), next as (
    select e.id, o.starts_at, o.ends_at
    from ended e
    left join lateral (
      select floor(extract(epoch from (e.now at time zone e.time_zone) - (e.starts_at at time zone e.time_zone))
             / extract(epoch from e.step))::int as past
    ) as p on true
    left join lateral (
      select ((e.starts_at at time zone e.time_zone) + k * e.step) at time zone e.time_zone as starts_at,
             ((e.ends_at at time zone e.time_zone) + k * e.step) at time zone e.time_zone as ends_at
      from generate_series(greatest(p.past - 1, 0), p.past + 2) as k
    ) as o on o.ends_at > e.now and o.ends_at > o.starts_at
  ), first as (
    select distinct on (id) id, starts_at, ends_at from next order by id, starts_at
  )
  update maintenance_windows w set next_starts_at = f.starts_at, next_ends_at = f.ends_at
  from first f where w.id = f.id
  returning w.id`

/**
 * Computes the next occurrence of windows that have ended. One that does not repeat is over.
 *
 * @param now PostgreSQL's clock when omitted
 * @returns the number of windows
 */
export async function advanceWindows(knex: Knex, now?: Date): Promise<number> {
  return (await query(knex, ADVANCE, [now ?? null])).length
}

const PRESENT_WINDOW = `
  select min(w.next_starts_at) from maintenance_windows w
  where w.monitor_id = m.id and w.next_starts_at <= now() and w.next_ends_at > now()`

const ENTERING = `
  select distinct m.id from maintenance_windows w
  join monitors m on m.id = w.monitor_id
  join monitor_schedule s on s.monitor_id = m.id and s.due_at is not null
  where w.next_starts_at <= now() and w.next_ends_at > now()
  limit ${MOVED_AT_ONCE}`

const LEAVING = `
  select m.id from monitors m
  join monitor_schedule s on s.monitor_id = m.id and s.due_at is null
  where m.state = 'maintenance' and (${PRESENT_WINDOW}) is null
  limit ${MOVED_AT_ONCE}`

const READ = `
  select m.id as monitor_id, m.domain_id, m.state, m.interval_seconds, s.due_at is not null as is_due,
         (extract(epoch from (${PRESENT_WINDOW})) * 1000)::double precision as window_ms,
         (extract(epoch from m.state_since) * 1000)::double precision as state_since_ms,
         floor(extract(epoch from clock_timestamp()) * 1000)::double precision as now_ms, ${PRESENT_COLUMNS}
  from monitors m
  join monitor_schedule s on s.monitor_id = m.id
  left join monitor_intervals i on i.monitor_id = m.id and i.until is null
  where m.id = any (?::bigint[])
  order by m.id`

interface MaintenanceRow extends PresentColumns {
  readonly monitor_id: string
  readonly domain_id: string
  readonly state: MonitorState
  readonly interval_seconds: number
  readonly is_due: boolean
  /** When the present window began; null: the monitor has no window now. */
  readonly window_ms: number | null
  readonly state_since_ms: number
  readonly now_ms: number
}

/**
 * Moves monitors into and out of maintenance. Maintenance begins with the window. After its end the monitor is checked,
 * and the result ends the maintenance.
 *
 * @returns the number of monitors
 */
export async function settleMaintenance(knex: Knex): Promise<number> {
  await advanceWindows(knex)
  const entering = await query<{ id: string }>(knex, ENTERING)
  const leaving = await query<{ id: string }>(knex, LEAVING)
  const ids = [...entering, ...leaving].map(({ id }) => id)
  if (ids.length === 0) return 0
  return knex.transaction(async (trx) => {
    const held = await holdFreeMonitors(trx, ids)
    const rows = await query<MaintenanceRow>(trx, READ, [[...held]])
    return (await enter(trx, rows)) + (await leave(trx, rows))
  })
}

async function enter(trx: Knex.Transaction, all: readonly MaintenanceRow[]): Promise<number> {
  const rows = all.filter(({ is_due, window_ms }) => is_due && window_ms !== null)
  const beginning = rows.filter(({ state }) => state !== 'maintenance')
  const moves = beginning.map((row) => ({
    monitor_id: row.monitor_id,
    domain_id: row.domain_id,
    present: presentOf(row),
    moves: [{ state: 'maintenance', since: beginOf(row), cause: null, causeText: null }] as const,
  }))
  await writeMoves(trx, moves, null)
  await changeMonitors(
    trx,
    moves.map(({ monitor_id, moves: [begun] }) => ({ monitorId: monitor_id, begun })),
  )
  await reschedule(
    trx,
    rows.map(({ monitor_id }) => ({ monitor_id, dueAt: null, isStart: false })),
  )
  await notifyMonitors(
    trx,
    moves.map(({ domain_id }) => domain_id),
  )
  return rows.length
}

/** The begin of the window, unless the monitor has had another state since. */
function beginOf(row: MaintenanceRow): number {
  const begin = Math.max(row.window_ms ?? 0, row.state_since_ms)
  return begin > (row.interval_since_ms ?? 0) ? Math.ceil(begin) : row.now_ms
}

async function leave(trx: Knex.Transaction, all: readonly MaintenanceRow[]): Promise<number> {
  const rows = all.filter(
    ({ state, is_due, window_ms }) => state === 'maintenance' && !is_due && window_ms === null,
  )
  await reschedule(
    trx,
    rows.map((row) => ({
      monitor_id: row.monitor_id,
      dueAt: firstDueAt(row, rows.length),
      isStart: true,
    })),
  )
  return rows.length
}
