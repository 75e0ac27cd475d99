/** Reads and writes rows of `monitor_intervals`. The caller holds the monitors. */
import type { MonitorCause } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import {
  changesOf,
  type IntervalChanges,
  type Move,
  type PresentInterval,
} from '../../rules/monitor-intervals.ts'
import type { IntervalState, StateSums } from '../../rules/uptime.ts'

/** Columns of the present interval `i`, for a statement that joins it. */
export const PRESENT_COLUMNS = `
  i.id as interval_id, i.state as interval_state,
  (extract(epoch from i.since) * 1000)::double precision as interval_since_ms,
  i.up_ms_before::double precision, i.down_ms_before::double precision,
  i.unknown_ms_before::double precision, i.maintenance_ms_before::double precision`

/** Null: the monitor has no present interval. */
export interface PresentColumns {
  readonly interval_id: string | null
  readonly interval_state: IntervalState | null
  readonly interval_since_ms: number | null
  readonly up_ms_before: number | null
  readonly down_ms_before: number | null
  readonly unknown_ms_before: number | null
  readonly maintenance_ms_before: number | null
}

/** The present interval in such a row. */
export function presentOf(row: PresentColumns): PresentInterval | null {
  if (row.interval_id === null || row.interval_state === null) return null
  const before: StateSums = {
    upMs: row.up_ms_before ?? 0,
    downMs: row.down_ms_before ?? 0,
    unknownMs: row.unknown_ms_before ?? 0,
    maintenanceMs: row.maintenance_ms_before ?? 0,
  }
  return {
    id: row.interval_id,
    state: row.interval_state,
    since: row.interval_since_ms ?? 0,
    before,
  }
}

/** The moves of one monitor, in the order of their times. */
export interface MonitorMoves {
  readonly monitor_id: string
  readonly present: PresentInterval | null
  readonly moves: readonly Move[]
}

const END = `
  update monitor_intervals i
  set until = g.until, state = coalesce(g.state, i.state),
      cause = case when g.state is null then i.cause else g.cause end,
      cause_text = case when g.state is null then i.cause_text else g.cause_text end,
      worker = case when g.state is null then i.worker else g.worker end,
      found_at = case when g.state is null then i.found_at else clock_timestamp() end
  from json_to_recordset(?::json) as g(id bigint, until timestamptz, state text, cause text, cause_text text, worker text)
  where i.id = g.id and i.id = any (?::bigint[])`

const BEGIN = `
  insert into monitor_intervals (monitor_id, state, since, until, cause, cause_text, worker, up_ms_before, down_ms_before,
                                 unknown_ms_before, maintenance_ms_before)
  select * from json_to_recordset(?::json) as g(
    monitor_id bigint, state text, since timestamptz, until timestamptz, cause text, cause_text text, worker text,
    up_ms_before bigint, down_ms_before bigint, unknown_ms_before bigint, maintenance_ms_before bigint)
  returning id, monitor_id, until is null as is_present`

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

/** A row of `END`. */
interface EndRow {
  readonly id: string
  readonly until: string | null
  /** Absent: the state stays, and the interval only ends. */
  readonly state?: IntervalState
  readonly cause?: MonitorCause | null
  readonly cause_text?: string | null
  readonly worker?: string | null
}

function endRowsOf({ ended, replaced }: IntervalChanges, worker: string | null): EndRow[] {
  if (replaced !== null) {
    const { id, until, state, cause, causeText } = replaced
    return [{ id, until: iso(until), state, cause, cause_text: causeText, worker }]
  }
  return ended === null ? [] : [{ id: ended.id, until: iso(ended.until) }]
}

/**
 * Writes moves of many monitors, with two statements.
 *
 * @param worker which found them; null: the service moved them
 * @returns the present interval of each monitor that moved, by the monitor's id
 */
export async function writeMoves(
  trx: Knex.Transaction,
  monitors: readonly MonitorMoves[],
  worker: string | null,
): Promise<Map<string, string>> {
  const changes = monitors.map(({ present, moves }) => changesOf(present, moves))
  const ends = changes.flatMap((change) => endRowsOf(change, worker))
  if (ends.length > 0) await query(trx, END, [JSON.stringify(ends), ends.map(({ id }) => id)])
  const begun = changes.flatMap((change, n) =>
    change.begun.map(({ state, since, until, cause, causeText, before }) => ({
      monitor_id: monitors[n]?.monitor_id,
      state,
      since: iso(since),
      until: iso(until),
      cause,
      cause_text: causeText,
      worker,
      up_ms_before: before.upMs,
      down_ms_before: before.downMs,
      unknown_ms_before: before.unknownMs,
      maintenance_ms_before: before.maintenanceMs,
    })),
  )
  const rows =
    begun.length === 0
      ? []
      : await query<{ id: string; monitor_id: string; is_present: boolean }>(trx, BEGIN, [
          JSON.stringify(begun),
        ])
  const present = new Map<string, string>()
  changes.forEach(({ replaced }, n) => {
    const id = monitors[n]?.monitor_id
    if (replaced !== null && id !== undefined) present.set(id, replaced.id)
  })
  for (const row of rows) if (row.is_present) present.set(row.monitor_id, row.id)
  return present
}
