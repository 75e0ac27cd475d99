/** The uptime of one domain by parts of time, and of all domains of an account. */
import type { UptimeHistory, UptimePart, UptimeSummary } from '@homing/openapi'
import { HISTORY_RESOLUTIONS } from '@homing/openapi/vocabulary'
import type { Services } from '../../compose.ts'
import { durationsOf } from '../../monitoring/store/durations.ts'
import { type AskedRange, historyRange } from '../../rules/history-range.ts'
import type { Reach } from '../../rules/key-scope.ts'
import { NO_TIME, type StateSums, totalTime, uptimeOf } from '../../rules/uptime.ts'
import { findMonitor, listMonitors } from './shown-monitors.ts'

const DAY_MS = 86_400_000

function partBody(from: Date, to: Date, sums: StateSums): UptimePart {
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    up_seconds: sums.upMs / 1_000,
    down_seconds: sums.downMs / 1_000,
    unknown_seconds: sums.unknownMs / 1_000,
    maintenance_seconds: sums.maintenanceMs / 1_000,
    uptime: uptimeOf(sums),
    checks: 0,
    failures: 0,
    latency_ms: null,
  }
}

/**
 * The history of one of the account's domains.
 *
 * @throws Refusal `not-found`, `validation-failed` for a range that cannot be shown
 */
export async function readHistory(
  { knex, now }: Pick<Services, 'knex' | 'now'>,
  reach: Reach,
  domainId: string,
  asked: AskedRange,
): Promise<UptimeHistory> {
  const { from, to, resolution } = historyRange(asked, now())
  const { id } = await findMonitor(knex, reach, domainId)
  const width = HISTORY_RESOLUTIONS[resolution] * 1_000
  const count = (to.getTime() - from.getTime()) / width
  const ids = id === null ? [] : [id]
  const times = Array.from({ length: count + 1 }, (_, n) => new Date(from.getTime() + n * width))
  const sums = await Promise.all(
    times.slice(1).map(async (end, n) => {
      const [own] = (await durationsOf(knex, ids, times[n] ?? from, end)).values()
      return partBody(times[n] ?? from, end, own ?? NO_TIME)
    }),
  )
  const [total] = (await durationsOf(knex, ids, from, to)).values()
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    resolution,
    uptime: uptimeOf(total ?? NO_TIME),
    parts: sums,
  }
}

/** The uptime of the monitors that the caller reaches. */
export async function readSummary(
  { knex, now }: Pick<Services, 'knex' | 'now'>,
  reach: Reach,
): Promise<UptimeSummary> {
  const monitors = await listMonitors(knex, reach)
  const ids = monitors.map(({ id }) => id).filter((id) => id !== null)
  const to = now()
  const overall = async (days: number) => {
    const sums = await durationsOf(knex, ids, new Date(to.getTime() - days * DAY_MS), to)
    return uptimeOf(totalTime([...sums.values()]))
  }
  const inState = (wanted: string) =>
    monitors.filter((each) => each.id !== null && each.state === wanted).length
  return {
    overall_uptime_24h: await overall(1),
    overall_uptime_7d: await overall(7),
    overall_uptime_30d: await overall(30),
    domains_monitored: monitors.length,
    domains_up: inState('up'),
    domains_down: inState('down'),
  }
}
