/**
 * The state of a monitor after each result.
 *
 * A monitor is down after `confirmations` failures in a row, and up after `recoveries` successes in a row. The new state
 * begins at the first of them. A monitor without a known state (pending, unknown, maintenance) is up at its first success.
 * Times are milliseconds since 1970 by PostgreSQL's clock; a result never counts before what is already known.
 */
import type { MonitorState } from '@homing/openapi/vocabulary'

/** The next check comes after this time while results do not agree with the state. */
export const CONFIRMATION_DELAY_MS = 10_000

/** A result is expected this long after its check is due: the time limit of a check. */
export const RESULT_EXPECTED_MS = 15_000

/** A result that is later than expected by more than this means that nobody checked. */
export const GAP_TOLERANCE_MS = 30_000

/** The states of a monitor that is being checked. */
export type CheckedState = Extract<
  MonitorState,
  'pending' | 'up' | 'down' | 'unknown' | 'maintenance'
>

export interface MonitorTrack {
  readonly state: CheckedState
  /** Begin of the state; null: the monitor has no state yet. */
  readonly since: number | null
  /** Results in a row that do not agree with the state, and the time of the first of them. */
  readonly streak: number
  readonly streakSince: number | null
}

/** `unknown`: it failed, but the checker cannot trust its own network. */
export type CheckOutcome = 'up' | 'down' | 'unknown'

export interface CheckRules {
  readonly confirmations: number
  readonly recoveries: number
  readonly intervalMs: number
}

/** Time until the next check while results do not agree with the state, in milliseconds. */
export const confirmationDelayMs = (intervalMs: number) =>
  Math.min(CONFIRMATION_DELAY_MS, intervalMs)

/**
 * The state after the result of a check.
 *
 * @param at when the check began
 * @returns the state, and `nextDelayMs`: the time until the next check; null: the regular interval
 */
export function afterResult(
  track: MonitorTrack,
  { outcome, at }: { readonly outcome: CheckOutcome; readonly at: number },
  rules: CheckRules,
): MonitorTrack & { readonly nextDelayMs: number | null } {
  const now = notBefore(at, track)
  if (outcome === 'unknown') return { ...unknownFrom(track, now), nextDelayMs: null }
  if (outcome === track.state) return { ...agreeing(track), nextDelayMs: null }
  const streak = outcome === 'down' || track.state === 'down' ? track.streak + 1 : 1
  const streakSince = streak === 1 ? now : (track.streakSince ?? now)
  if (streak >= needed(track.state, outcome, rules)) {
    return { state: outcome, since: streakSince, streak: 0, streakSince: null, nextDelayMs: null }
  }
  const { state, since } = track
  const nextDelayMs = confirmationDelayMs(rules.intervalMs)
  return { state, since, streak, streakSince, nextDelayMs }
}

/** The number of results in a row that change a state. */
function needed(state: CheckedState, outcome: 'up' | 'down', rules: CheckRules): number {
  if (outcome === 'down') return rules.confirmations
  return state === 'down' ? rules.recoveries : 1
}

const agreeing = ({ state, since }: MonitorTrack): MonitorTrack => ({
  state,
  since,
  streak: 0,
  streakSince: null,
})

/** The failures that led to the doubt are doubtful too. A monitor that has no state yet stays without one. */
function unknownFrom(track: MonitorTrack, now: number): MonitorTrack {
  if (track.state === 'unknown' || track.state === 'pending') return agreeing(track)
  const since = track.state === 'down' ? now : (track.streakSince ?? now)
  return { state: 'unknown', since, streak: 0, streakSince: null }
}

/** The time of a result. The clock may have gone back since earlier ones. */
function notBefore(at: number, { since, streakSince }: MonitorTrack): number {
  return Math.max(at, since ?? at, streakSince ?? at)
}

/** Whether a check began so late that nobody checked in between. Times as in `afterGap`. */
export const isAfterGap = (expectedBy: number, at: number) => at > expectedBy + GAP_TOLERANCE_MS

/**
 * The state before a result that comes late. If nobody checked, the monitor is unknown since the time by which a result
 * was expected. A confirmation that was under way begins again.
 *
 * @param at when the late check began
 */
export function afterGap(track: MonitorTrack, expectedBy: number, at: number): MonitorTrack {
  if (!isAfterGap(expectedBy, at)) return track
  if (track.state === 'pending' || track.state === 'unknown') return agreeing(track)
  return {
    state: 'unknown',
    since: Math.max(expectedBy, track.since ?? expectedBy),
    streak: 0,
    streakSince: null,
  }
}

/**
 * When the next check is due: on the grid of the interval, which began at a random time. Missed checks are not made up
 * for.
 *
 * @param dueAt when this check was due
 * @param now the time of the clock, before which no check is due
 */
export function nextDueAt(
  dueAt: number,
  now: number,
  { nextDelayMs, intervalMs }: { nextDelayMs: number | null; intervalMs: number },
): number {
  if (nextDelayMs !== null) return now + nextDelayMs
  // A time far ahead: the clock has gone back.
  if (dueAt > now + intervalMs) return now + intervalMs
  const missed = Math.floor((now - dueAt) / intervalMs)
  return dueAt + (Math.max(missed, 0) + 1) * intervalMs
}
