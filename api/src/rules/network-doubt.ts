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
  /** Whether the monitor was up before. */
  readonly wasUp: boolean
  /** Whether the monitor was up before, and this is its first failure. */
  readonly isNewFailure: boolean
}

/** The longest time that is looked at. */
export const DOUBT_WINDOW_MS = 60_000
const MONITORS_LEAST = 20
const ACCOUNTS_LEAST = 5
/** After this time, successes of few accounts are enough. */
export const LONG_BLIND_MS = 10 * 60_000
const ACCOUNTS_ENOUGH = 3
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

/**
 * Whether more than half of the checks of the last ten seconds succeeded. Failures of monitors that were not up when the
 * worker became blind do not count: they say nothing about its network.
 *
 * @param wereUp ids of the monitors that were up when the worker became blind
 */
export function looksOnline(
  checks: readonly SeenCheck[],
  nowMs: number,
  wereUp: ReadonlySet<string>,
): boolean {
  const recent = checks.filter(
    ({ atMs, isUp, monitorId }) => atMs >= nowMs - RECOVERY_MS && (isUp || wereUp.has(monitorId)),
  )
  return recent.filter(({ isUp }) => isUp).length * 2 > recent.length
}

/** Whether monitors of three accounts succeeded, or of all accounts if there are fewer: a network that is down has none. */
export function hasSuccesses(checks: readonly SeenCheck[]): boolean {
  const all = new Set(checks.map(({ userId }) => userId))
  const succeeded = new Set(checks.filter(({ isUp }) => isUp).map(({ userId }) => userId))
  return succeeded.size > 0 && succeeded.size >= Math.min(ACCOUNTS_ENOUGH, all.size)
}
