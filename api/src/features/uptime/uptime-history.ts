/** The uptime of one domain by parts of time, and of all domains of an account. */
import type { UptimeHistory, UptimePart, UptimeSummary } from '@homing/openapi'
import type { Services } from '../../compose.ts'
import { idsInScope } from '../../models/domain.ts'
import { meanLatencyMs } from '../../monitoring/store/check-counts.ts'
import { history, type HistoryPart } from '../../monitoring/store/durations.ts'
import { summary } from '../../monitoring/store/summary.ts'
import { historyRange } from '../../rules/history-range.ts'
import type { Reach } from '../../rules/key-scope.ts'
import type { AskedRange } from '../../rules/part-range.ts'
import { totalTime, uptimeOf } from '../../rules/uptime.ts'
import { findMonitor } from './shown-monitors.ts'

const seconds = (ms: number) => ms / 1_000

function partBody(part: HistoryPart): UptimePart {
  return {
    from: part.from.toISOString(),
    to: part.to.toISOString(),
    up_seconds: seconds(part.upMs),
    down_seconds: seconds(part.downMs),
    unknown_seconds: seconds(part.unknownMs),
    maintenance_seconds: seconds(part.maintenanceMs),
    uptime: uptimeOf(part),
    checks: part.checks,
    failures: part.failures,
    latency_ms: meanLatencyMs(part),
  }
}

/**
 * The history of one of the account's domains. A domain that was never monitored has no parts.
 *
 * @throws Refusal `not-found`, `validation-failed` for a range that cannot be shown
 */
export async function readHistory(
  { knex, now }: Pick<Services, 'knex' | 'now'>,
  reach: Reach,
  domainId: string,
  asked: AskedRange,
): Promise<UptimeHistory> {
  const { id } = await findMonitor(knex, reach, domainId)
  const range = historyRange(asked, now())
  const parts = id === null ? [] : await history(knex, id, range)
  return {
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    resolution: range.resolution,
    uptime: uptimeOf(totalTime(parts)),
    parts: parts.map(partBody),
  }
}

/** The uptime of the monitors that the caller reaches. */
export async function readSummary(
  { knex }: Pick<Services, 'knex'>,
  { userId, scope }: Reach,
): Promise<UptimeSummary> {
  const domainIds = scope === undefined ? null : await idsInScope(knex, userId, scope)
  const found = await summary(knex, userId, domainIds)
  return {
    overall_uptime_24h: found.uptime24h,
    uptime_by_hour: [...found.uptimeByHour],
    overall_uptime_7d: found.uptime7d,
    overall_uptime_30d: found.uptime30d,
    domains_monitored: found.monitored,
    domains_up: found.up,
    domains_down: found.down,
  }
}
