/** How many checks were made, how many failed, and how long the successful ones took. */
import { HISTORY_RESOLUTIONS, type HistoryResolution } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'

export interface CheckCounts {
  readonly checks: number
  readonly failures: number
  /** Of the successful checks. */
  readonly latencySumMs: number
}

export const NO_CHECKS: CheckCounts = { checks: 0, failures: 0, latencySumMs: 0 }

/** The mean latency of the successful checks in milliseconds; null: there was none. */
export function meanLatencyMs({ checks, failures, latencySumMs }: CheckCounts): number | null {
  const successes = checks - failures
  return successes > 0 ? Math.round(latencySumMs / successes) : null
}

const PART = `
  part_ms::double precision as "partMs", sum(checks)::int as checks, sum(failures)::int as failures,
  sum(latency_sum_ms)::double precision as "latencySumMs"`

const FINE = `
  select ${PART}
  from (
    select floor(extract(epoch from starts_at) / ?) * ? * 1000 as part_ms, checks, failures, latency_sum_ms
    from monitor_counts where monitor_id = ? and starts_at >= ? and starts_at < ?
  ) as counted
  group by part_ms`

// Days that were not rolled up yet are counted from their parts. The days that were are a run without gaps.
const DAILY = `
  with day as (
    select day, checks, failures, latency_sum_ms from monitor_days
    where monitor_id = ? and day >= (?::timestamptz at time zone 'UTC')::date and day < (?::timestamptz at time zone 'UTC')
  )
  select ${PART}
  from (
    select extract(epoch from day) * 1000 as part_ms, checks, failures, latency_sum_ms from day
    union all
    select floor(extract(epoch from c.starts_at) / 86400) * 86400000, c.checks, c.failures, c.latency_sum_ms
    from monitor_counts c
    where c.monitor_id = ? and c.starts_at < ?
      and c.starts_at >= greatest(date_trunc('day', ?::timestamptz, 'UTC'),
        coalesce((select (max(day) + 1)::timestamp at time zone 'UTC' from monitor_days where monitor_id = ?), '-infinity'))
  ) as counted
  group by part_ms`

interface PartRow extends CheckCounts {
  readonly partMs: number
}

/** The counts of a monitor, by the begin of their part in milliseconds since 1970. */
export async function countsOf(
  knex: Knex,
  monitorId: string,
  range: { readonly from: Date; readonly to: Date; readonly resolution: HistoryResolution },
): Promise<Map<number, CheckCounts>> {
  const { from, to, resolution } = range
  const width = HISTORY_RESOLUTIONS[resolution]
  const first = new Date(Math.floor(from.getTime() / (width * 1_000)) * width * 1_000)
  const rows =
    resolution === '1d'
      ? await query<PartRow>(knex, DAILY, [monitorId, first, to, monitorId, to, first, monitorId])
      : await query<PartRow>(knex, FINE, [width, width, monitorId, first, to])
  return new Map(rows.map(({ partMs, ...counts }) => [partMs, counts]))
}
