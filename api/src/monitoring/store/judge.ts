/** What the result of a check means for its monitor. Pure. */
import type { MonitorCause, MonitorKind, MonitorMessage } from '@homing/openapi/vocabulary'
import type { Move } from '../../rules/monitor-intervals.ts'
import {
  afterGap,
  afterResult,
  isAfterGap,
  type MonitorTrack,
  nextDueAt,
} from '../../rules/monitor-state.ts'
import type { CheckResult } from './check-result.ts'
import type { HeldCheck } from './held-checks.ts'

const DAY_MS = 86_400_000
/** A transition is announced after this time, so that a false one can be withdrawn: doubt looks back as far. */
const GATHER_MS = 60_000

export const CHECKER_OFFLINE_TEXT = 'The network of the service failed.'
const NOT_CHECKED_TEXT = 'The service did not check in this time.'

/** A message to announce. */
export interface Announced {
  readonly message: MonitorMessage
  /** The expiry of a certificate; absent: the present interval. */
  readonly subject?: string
  readonly delayMs: number
}

/** What changes in `monitors`; absent fields stay as they are. */
export interface MonitorFields {
  /** The new state. */
  readonly begun?: Omit<Move, 'state'> & { readonly state: Move['state'] | 'undecided' }
  readonly found?: { readonly kind: MonitorKind; readonly port: number | null }
  readonly certificateExpiresAt?: Date
  /** The owner is warned of this expiry. */
  readonly warnedFor?: Date
}

export interface Judgement {
  /** When the check began. */
  readonly at: number
  /** Nobody checked before it, so heartbeats may have been lost: they are expected from now on. */
  readonly isGap: boolean
  /** Null: the monitor stops, because nothing answered. */
  readonly dueAt: number | null
  readonly streak: number
  readonly streakSince: number | null
  /** Empty: the row of the monitor stays as it is. */
  readonly fields: MonitorFields
  readonly moves: readonly Move[]
  readonly announced: readonly Announced[]
}

/** Only the time of the next check changes. */
export function postponed(held: HeldCheck, at: number, delayMs: number): Judgement {
  const { streak, streak_since_ms: streakSince } = held
  const dueAt = held.now_ms + delayMs
  const isGap = isAfterGap(held.expected_ms, at)
  return { at, isGap, dueAt, streak, streakSince, fields: {}, moves: [], announced: [] }
}

const beganAt = (held: HeldCheck, { ageMs }: CheckResult) => Math.floor(held.now_ms - ageMs)

/** The result, corrected by what was found since its check began. */
export function believed(held: HeldCheck, result: CheckResult): CheckResult {
  // The monitor has a kind by now.
  if (result.found === null && held.kind !== null) return { ...result, outcome: null }
  const isMissing = held.kind === 'heartbeat' && result.outcome !== 'up'
  if (!isMissing || !isAfterGap(held.expected_ms, beganAt(held, result))) return result
  // The heartbeat may have come while the service did not run.
  return { ...result, outcome: 'unknown', cause: 'not-checked', causeText: NOT_CHECKED_TEXT }
}

/**
 * @param result as `believed`
 * @param intervalSeconds MONITOR_INTERVAL; undefined: that of the monitor
 */
export function judge(
  held: HeldCheck,
  result: CheckResult,
  intervalSeconds: number | undefined,
): Judgement {
  const intervalMs = (intervalSeconds ?? held.interval_seconds) * 1_000
  const at = beganAt(held, result)
  const { outcome } = result
  // A domain that DNS does not serve is about to stop.
  if (outcome === null || !held.is_active) return postponed(held, at, intervalMs)
  if (result.found === null) return undecided(held, result, at)
  const before = trackOf(held)
  const known = afterGap(before, held.expected_ms, at)
  const { confirmations, recoveries } = held
  const after = afterResult(known, { outcome, at }, { confirmations, recoveries, intervalMs })
  const moves = [
    ...(known.state === before.state ? [] : [moveTo(known, ['not-checked', NOT_CHECKED_TEXT])]),
    ...(after.state === known.state ? [] : [moveTo(after, causeOf(result))]),
  ]
  const { streak, streakSince, nextDelayMs } = after
  const begun = moves.at(-1)
  const certificate = certificateOf(held, result)
  const found = held.kind === null && result.found !== undefined ? { found: result.found } : {}
  return {
    at,
    isGap: isAfterGap(held.expected_ms, at),
    dueAt: nextDueAt(held.due_ms, held.now_ms, { nextDelayMs, intervalMs }),
    streak,
    streakSince,
    fields: { ...(begun === undefined ? {} : { begun }), ...found, ...certificate },
    moves,
    announced: announcedBy(held, begun, certificate, intervalSeconds),
  }
}

const trackOf = (held: HeldCheck): MonitorTrack => ({
  state: held.state,
  since: held.present?.since ?? null,
  streak: held.streak,
  streakSince: held.streak_since_ms,
})

type Cause = readonly [MonitorCause | null, string | null]

function moveTo({ state, since }: MonitorTrack, [cause, causeText]: Cause): Move {
  if (state === 'pending' || since === null) throw new Error('a move has a state and a time')
  return { state, since, cause, causeText }
}

function causeOf({ outcome, cause, causeText }: CheckResult): Cause {
  if (outcome === 'up') return [null, null]
  if (outcome === 'unknown') return ['checker-offline', CHECKER_OFFLINE_TEXT]
  return [cause ?? 'failed', causeText]
}

/** Nothing answered when the monitor was turned on. It has an interval already if it was in maintenance. */
function undecided(held: HeldCheck, { cause, causeText }: CheckResult, at: number): Judgement {
  const begun = { state: 'undecided', since: at, cause, causeText } as const
  return {
    at,
    isGap: isAfterGap(held.expected_ms, at),
    dueAt: null,
    streak: 0,
    streakSince: null,
    fields: { begun },
    moves: [{ state: 'off', since: at, cause: null, causeText: null }],
    announced: [],
  }
}

/** What a check says about the certificate, if it saw another one than before or its owner must be warned. */
function certificateOf(
  held: HeldCheck,
  { certificateExpiresAt: expiresAt }: CheckResult,
): Pick<MonitorFields, 'certificateExpiresAt' | 'warnedFor'> {
  if (expiresAt === undefined) return {}
  const isAnother = expiresAt.getTime() !== held.certificate_expires_at?.getTime()
  const days = held.certificate_warning_days
  const leftMs = expiresAt.getTime() - held.now_ms
  // One that has expired is a failure already.
  const isNear = days !== null && leftMs > 0 && leftMs <= days * DAY_MS
  const isWarned = expiresAt.getTime() === held.certificate_warned_for?.getTime()
  return {
    ...(isAnother ? { certificateExpiresAt: expiresAt } : {}),
    ...(isNear && !isWarned ? { warnedFor: expiresAt } : {}),
  }
}

function announcedBy(
  held: HeldCheck,
  begun: Move | undefined,
  { warnedFor }: Pick<MonitorFields, 'warnedFor'>,
  intervalSeconds: number | undefined,
): Announced[] {
  const delayMs = Math.min(GATHER_MS, (intervalSeconds ?? Infinity) * 1_000)
  const announced: Announced[] = []
  if (begun?.state === 'down' && held.notifies_down) announced.push({ message: 'down', delayMs })
  if (begun?.state === 'up' && held.notifies_up) announced.push({ message: 'up', delayMs })
  if (warnedFor !== undefined) {
    announced.push({ message: 'certificate', subject: warnedFor.toISOString(), delayMs: 0 })
  }
  return announced
}
