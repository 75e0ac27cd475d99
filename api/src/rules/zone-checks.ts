/** When the service checks the delegation of an own zone by itself. */
import { CLAIM_DAYS } from '@homing/openapi/vocabulary'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
const LONGEST_MS = 6 * HOUR_MS

/** Lost and expired claims are listed, and the content of lost ones kept, for this number of days. */
export const ENDED_KEPT_DAYS = 30

/** Failed daily checks after which the delegation counts as broken. */
const BROKEN_AFTER = 2

/** How long a claim waits for its proof. */
export const claimEnd = (claimedAt: Date): Date =>
  new Date(claimedAt.getTime() + CLAIM_DAYS * DAY_MS)

/** What decides when the next check is due. */
export interface CheckedZone {
  readonly claimedAt: Date
  /** Since when the delegation is right. Null: it never was, or it broke. */
  readonly verifiedAt: Date | null
  /** Checks in a row that did not find it right. */
  readonly failedChecks: number
  /** Whether the owner was told that the delegation broke. */
  readonly isBroken: boolean
}

/**
 * When the next check is due: after a minute at first, then after twice the time, up to six hours, while the owner sets up the
 * delegation; once a day afterwards.
 */
export function nextCheckAt(zone: CheckedZone, now: Date): Date {
  const { claimedAt, verifiedAt, failedChecks, isBroken } = zone
  const isSetUp = verifiedAt !== null || isBroken || now >= claimEnd(claimedAt)
  if (isSetUp) return new Date(now.getTime() + DAY_MS)
  // 2^9 minutes are more than six hours.
  const delayMs = Math.min(LONGEST_MS, MINUTE_MS * 2 ** Math.min(9, Math.max(0, failedChecks - 1)))
  return new Date(now.getTime() + delayMs)
}

/** How the delegation stands after a check. */
export interface Standing {
  readonly verifiedAt: Date | null
  readonly failedChecks: number
  readonly notified: 'verified' | 'broken' | null
  /** The mail to send. */
  readonly mail: 'verified' | 'broken' | undefined
}

/**
 * How the delegation stands after a check. One failed check of a verified zone is not yet a broken delegation: a parent
 * server or the network can have failed.
 *
 * @param isActive whether DNS serves the zone for its owner
 */
export function standingAfter(
  before: Omit<Standing, 'mail'>,
  { isRight, isActive }: { readonly isRight: boolean; readonly isActive: boolean },
  now: Date,
): Standing {
  const { verifiedAt, failedChecks, notified } = before
  if (isRight) {
    const isNew = isActive && verifiedAt === null
    return {
      verifiedAt: isActive ? (verifiedAt ?? now) : null,
      failedChecks: 0,
      notified: isNew ? 'verified' : notified,
      mail: isNew ? 'verified' : undefined,
    }
  }
  const failed = failedChecks + 1
  if (verifiedAt === null || failed < BROKEN_AFTER) {
    return { verifiedAt, failedChecks: failed, notified, mail: undefined }
  }
  return { verifiedAt: null, failedChecks: failed, notified: 'broken', mail: 'broken' }
}
