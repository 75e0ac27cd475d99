/**
 * How long monitors were in each state. All times come from the same intervals, so the parts of a time add up to the
 * whole, and every screen shows the same percentage.
 */
import { HISTORY_RESOLUTIONS, type HistoryResolution } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import { NO_TIME, type StateSums, timeBetween } from '../../rules/uptime.ts'
import { type CheckCounts, countsOf, NO_CHECKS } from './check-counts.ts'
import { sumsAt } from './state-sums.ts'

interface SumRow {
  readonly id: string
  /** The place of the moment in the list. */
  readonly n: number
  readonly upMs: number
  readonly downMs: number
  readonly unknownMs: number
  readonly maintenanceMs: number
}

// A moment in the future is now.
const SUMS = `
  with moments as materialized (
    select least(given.at, date_trunc('milliseconds', now())) as at, n
    from unnest(?::timestamptz[]) with ordinality as given(at, n)
  )
  select m.id, moment.n::int as n, sums.up_ms::double precision as "upMs", sums.down_ms::double precision as "downMs",
         sums.unknown_ms::double precision as "unknownMs", sums.maintenance_ms::double precision as "maintenanceMs"
  from unnest(?::bigint[]) as m(id)
  ${sumsAt('m.id', 'moments')}`

/** The sums of monitors at some moments, by id. Monitors without intervals are missing. */
async function readSums(
  knex: Knex,
  monitorIds: readonly string[],
  moments: readonly Date[],
): Promise<Map<string, StateSums[]>> {
  const byId = new Map<string, StateSums[]>()
  if (monitorIds.length === 0) return byId
  const rows = await query<SumRow>(knex, SUMS, [
    moments.map((moment) => moment.toISOString()),
    monitorIds,
  ])
  for (const { id, n, ...sums } of rows) {
    const of = byId.get(id) ?? moments.map(() => NO_TIME)
    of[n - 1] = sums
    byId.set(id, of)
  }
  return byId
}

/** The time of monitors in each state between two moments, by id. Time in the future is left out. */
export async function durationsOf(
  knex: Knex,
  monitorIds: readonly string[],
  from: Date,
  to: Date,
): Promise<Map<string, StateSums>> {
  const sums = await readSums(knex, monitorIds, [from, to])
  return new Map(
    monitorIds.map((id) => {
      const [before = NO_TIME, after = NO_TIME] = sums.get(id) ?? []
      return [id, timeBetween(before, after)]
    }),
  )
}

/** The durations of several lengths of time until now, in the order of `spansMs`, by id. */
export async function durationsUntilNow(
  knex: Knex,
  monitorIds: readonly string[],
  now: Date,
  spansMs: readonly number[],
): Promise<Map<string, StateSums[]>> {
  const moments = [...spansMs.map((ms) => new Date(now.getTime() - ms)), now]
  const sums = await readSums(knex, monitorIds, moments)
  return new Map(
    monitorIds.map((id) => {
      const each = sums.get(id) ?? []
      const last = each.at(-1) ?? NO_TIME
      return [id, spansMs.map((_, n) => timeBetween(each[n] ?? NO_TIME, last))]
    }),
  )
}

/** A part of a history. */
export interface HistoryPart extends StateSums, CheckCounts {
  readonly from: Date
  readonly to: Date
}

/** @param history begin and end are aligned to the resolution; the last part ends at `to` */
export interface HistoryRange {
  readonly from: Date
  readonly to: Date
  readonly resolution: HistoryResolution
}

/** The boundaries of the parts. The first and the last part are cut at the range. */
function boundariesOf({ from, to, resolution }: HistoryRange): Date[] {
  const widthMs = HISTORY_RESOLUTIONS[resolution] * 1_000
  const boundaries = [from]
  const first = Math.floor(from.getTime() / widthMs) * widthMs + widthMs
  for (let at = first; at < to.getTime(); at += widthMs) boundaries.push(new Date(at))
  return [...boundaries, to]
}

/**
 * The history of a monitor by parts of time, the oldest first. Checks are counted by five minutes, and after 35 days by
 * day, each in the part in which its count begins.
 */
export async function history(
  knex: Knex,
  monitorId: string,
  range: HistoryRange,
): Promise<HistoryPart[]> {
  const boundaries = boundariesOf(range)
  const [sums, counts] = await Promise.all([
    readSums(knex, [monitorId], boundaries),
    countsOf(knex, monitorId, range),
  ])
  const each = sums.get(monitorId) ?? boundaries.map(() => NO_TIME)
  const widthMs = HISTORY_RESOLUTIONS[range.resolution] * 1_000
  return boundaries.slice(1).map((to, n) => {
    const from = boundaries[n] ?? to
    const counted = counts.get(Math.floor(from.getTime() / widthMs) * widthMs) ?? NO_CHECKS
    return { from, to, ...timeBetween(each[n] ?? NO_TIME, each[n + 1] ?? NO_TIME), ...counted }
  })
}
