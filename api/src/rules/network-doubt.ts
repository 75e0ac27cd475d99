/**
 * Whether a worker can trust its own network. When many monitors of several accounts fail at almost the same time, it is
 * more likely that the worker has lost its network than that all of them failed.
 */

/** One check of a worker. Times are from its monotonic clock, in milliseconds. */
export interface SeenCheck {
  readonly monitorId: string
  readonly userId: string
  readonly atMs: number
  readonly isUp: boolean
  /** Whether the monitor was up before, and this is its first failure. */
  readonly isNewFailure: boolean
}

/** The longest time that is looked at. */
export const DOUBT_WINDOW_MS = 60_000
const MONITORS_LEAST = 20
const ACCOUNTS_LEAST = 5
/** The time in which more than half of the checks must succeed until the worker trusts its network again. */
export const RECOVERY_MS = 10_000

/**
 * Whether, for some time until now of at most a minute, at least 20 monitors of at least 5 accounts failed newly, and
 * these are more than half of the monitors that were checked in that time.
 *
 * @param checks in the order of their times
 */
export function looksOffline(checks: readonly SeenCheck[], nowMs: number): boolean {
  const monitors = new Set<string>()
  const failed = new Set<string>()
  const accounts = new Set<string>()
  for (let at = checks.length - 1; at >= 0; at -= 1) {
    const check = checks[at]
    if (check === undefined || check.atMs < nowMs - DOUBT_WINDOW_MS) break
    monitors.add(check.monitorId)
    if (!check.isNewFailure) continue
    failed.add(check.monitorId)
    accounts.add(check.userId)
    const isMany = failed.size >= MONITORS_LEAST && accounts.size >= ACCOUNTS_LEAST
    if (isMany && failed.size * 2 > monitors.size) return true
  }
  return false
}

/** Whether more than half of the checks of the last ten seconds succeeded. */
export function looksOnline(checks: readonly SeenCheck[], nowMs: number): boolean {
  const recent = checks.filter(({ atMs }) => atMs >= nowMs - RECOVERY_MS)
  return recent.filter(({ isUp }) => isUp).length * 2 > recent.length
}
