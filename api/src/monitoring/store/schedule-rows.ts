/** Starts, stops and restarts checks. The caller holds the monitors. */
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import { RESULT_EXPECTED_MS } from '../../rules/monitor-state.ts'

/** Monitors that start together are first checked within this time, or one interval if that is shorter. */
const SPREAD_MS = 60_000
/** As many start without spreading. */
const AT_ONCE = 5

/**
 * When a monitor that starts now is first checked. The grid of its checks begins there, so those of many monitors are
 * spread from then on.
 *
 * @param count the number of monitors that start together
 */
export function firstDueAt(
  { now_ms, interval_seconds }: { readonly now_ms: number; readonly interval_seconds: number },
  count: number,
): number {
  if (count <= AT_ONCE) return now_ms
  return now_ms + Math.floor(Math.random() * Math.min(SPREAD_MS, interval_seconds * 1_000))
}

/** When the checks of a monitor go on. */
export interface Rescheduled {
  readonly monitor_id: string
  /** Milliseconds since 1970; null: it is not checked. */
  readonly dueAt: number | null
  /** Whether it begins to run, so that a heartbeat before now is not missed. */
  readonly isStart: boolean
}

// A check that is under way loses its lease, so its result is dropped.
const RESCHEDULE = `
  insert into monitor_schedule as s (monitor_id, due_at, expected_by, started_at)
  select g.monitor_id, g.due_at, g.due_at + interval '${RESULT_EXPECTED_MS} milliseconds', case when g.is_start then now() end
  from json_to_recordset(?::json) as g(monitor_id bigint, due_at timestamptz, is_start boolean)
  order by g.monitor_id
  on conflict (monitor_id) do update set
    due_at = excluded.due_at, expected_by = excluded.expected_by, started_at = coalesce(excluded.started_at, s.started_at),
    lease = null, leased_until = null, streak = 0, streak_since = null`

/** Sets when monitors are checked next, and drops results of checks that are under way. */
export async function reschedule(
  trx: Knex.Transaction,
  monitors: readonly Rescheduled[],
): Promise<void> {
  if (monitors.length === 0) return
  const rows = monitors.map(({ monitor_id, dueAt, isStart }) => ({
    monitor_id,
    due_at: dueAt === null ? null : new Date(dueAt),
    is_start: isStart,
  }))
  await query(trx, RESCHEDULE, [JSON.stringify(rows)])
}
