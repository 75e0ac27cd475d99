/** When a subscription is read again, if no event comes before. */
import type { ReadSubscription } from './provider.ts'
import type { Kept } from './state/subscription.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The provider needs some time for what happens at the end of a period. */
const AFTER_MS = 5 * 60_000
/** A checkout that nobody finished is of no interest after this. */
const INCOMPLETE_MS = 3 * DAY_MS

/** Null: it is not read again without an event. Daily reconciliation is the longest wait. */
export function nextRefetch(kept: Kept, read: ReadSubscription, now: Date): Date | null {
  if (kept.state === 'ended') return null
  const daily = now.getTime() + DAY_MS
  if (kept.state === 'incomplete') {
    if (kept.waitsUntil !== null)
      return new Date(Math.min(daily, kept.waitsUntil.getTime() + 1_000))
    const since = (read.startedAt ?? read.readAt).getTime()
    return now.getTime() - since > INCOMPLETE_MS ? null : new Date(now.getTime() + HOUR_MS)
  }
  const marks = [read.periodEnd, kept.endsAt]
    .filter((at) => at !== null)
    .map((at) => at.getTime() + AFTER_MS)
    .filter((at) => at > now.getTime())
  return new Date(Math.min(daily, ...marks))
}
