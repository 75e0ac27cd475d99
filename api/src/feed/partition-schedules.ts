/**
 * When the partitions of each table that only grows begin, and for how long their rows are kept. `partitions.ts` creates and
 * drops them.
 */
import { QUERY_RESOLUTIONS } from '@homing/openapi/vocabulary'
import { MONITOR_COUNTS_DAYS } from '../rules/uptime.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Retention of a name's address history and query counts: a year, and the same month of the year before. */
export const HISTORY_RETENTION_DAYS = 400
const HISTORY_RETENTION_MS = HISTORY_RETENTION_DAYS * DAY_MS
/** Number of partitions for the retention; at most one more is kept beyond it. */
const PARTS_OF_RETENTION = 12

/** A table partitioned by time, the width of its partitions and the retention of its rows. */
export interface Schedule {
  readonly table: string
  readonly column: string
  readonly retentionMs: number
  /** The last boundary at or before a time, and the first one after it, in ms since 1970. */
  readonly boundaryAt: (timeMs: number) => number
  readonly boundaryAfter: (timeMs: number) => number
}

const CHANGE_TABLES = ['zone_changes', 'forward_changes'] as const

function changeSchedule(table: string, retentionMs: number): Schedule {
  const widthMs = Math.max(MINUTE_MS, Math.ceil(retentionMs / PARTS_OF_RETENTION))
  return byWidth(table, 'changed_at', retentionMs, widthMs)
}

function monthStart(timeMs: number, monthsLater: number): number {
  const time = new Date(timeMs)
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + monthsLater)
}

function byMonth(table: string, column: string): Schedule {
  return {
    table,
    column,
    retentionMs: HISTORY_RETENTION_MS,
    boundaryAt: (timeMs) => monthStart(timeMs, 0),
    boundaryAfter: (timeMs) => monthStart(timeMs, 1),
  }
}

/** Partitions that begin at whole multiples of a width since 1970. */
function byWidth(table: string, column: string, retentionMs: number, widthMs: number): Schedule {
  const boundaryAt = (timeMs: number) => Math.floor(timeMs / widthMs) * widthMs
  return {
    table,
    column,
    retentionMs,
    boundaryAt,
    boundaryAfter: (timeMs) => boundaryAt(timeMs) + widthMs,
  }
}

/** The totals of queries are kept a little longer than they are shown, for readers that began a moment ago. */
const keptMs = (resolution: keyof typeof QUERY_RESOLUTIONS) =>
  QUERY_RESOLUTIONS[resolution].keptDays * DAY_MS + 2 * HOUR_MS

const FIXED: readonly Schedule[] = [
  byMonth('domain_events', 'happened_at'),
  byMonth('queries_1d', 'at'),
  byMonth('zone_queries_1d', 'at'),
  byWidth('monitor_counts', 'starts_at', MONITOR_COUNTS_DAYS * DAY_MS, DAY_MS),
  byWidth('queries_5m', 'at', keptMs('5m'), 6 * HOUR_MS),
  byWidth('queries_1h', 'at', keptMs('1h'), 5 * DAY_MS),
]

/** The schedules of all tables. @param changeRetentionMs CHANGE_RETENTION, of the changes that servers follow */
export const schedulesOf = (changeRetentionMs: number): readonly Schedule[] => [
  ...CHANGE_TABLES.map((table) => changeSchedule(table, changeRetentionMs)),
  ...FIXED,
]
