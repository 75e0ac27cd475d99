/**
 * The state machine of subscriptions: pure, and the only place that decides a state.
 *
 * A state follows from the last read of the provider, from who stopped the renewal, and from our clock. It never follows
 * from the order in which facts arrive: a read that began before the last one changes nothing, and the end is final.
 */
import { PAYMENT_GRACE_DAYS, type SubscriptionState } from '@homing/openapi/vocabulary'
import type { ReadInvoice, ReadSubscription } from '../provider.ts'
import { refundedCents } from '../refunded-cents.ts'
import {
  type Duty,
  type EndReason,
  type Fact,
  GRANTING,
  type Kept,
  type Step,
  type Stop,
} from './subscription.ts'

const DAY_MS = 86_400_000

/** When a plan with a failed payment ends. */
export const graceEnd = (firstFailedAt: Date): Date =>
  new Date(firstFailedAt.getTime() + PAYMENT_GRACE_DAYS * DAY_MS)

/** What follows from a fact at a time, and what is to be done at the provider. */
export function next(before: Kept, fact: Fact, now: Date): Step {
  switch (fact.kind) {
    case 'read':
      return afterRead(before, fact)
    case 'stop':
      return afterStop(before, fact.by)
    case 'resume':
      return afterResume(before, now)
    case 'stopped':
      return { after: confirmed(before, fact.at), duties: [] }
    case 'resumed':
      // A read that began before may still show the stop.
      return { after: { ...before, readAt: later(before.readAt, fact.at) }, duties: [] }
    case 'end':
      return ended(before, fact.reason, now)
    case 'unpriced':
      return afterUnpriced(before, now)
    case 'time':
      return afterTime(before, now)
    default:
      return fact satisfies never
  }
}

/** A plan with a missing payment ends with its time of grace, or earlier if its provider ends it earlier. */
function endOfStopped(grace: Date | null, leavesAt: Date | null, paidUntil: Date | null) {
  if (grace === null) return leavesAt ?? paidUntil
  return leavesAt !== null && leavesAt < grace ? leavesAt : grace
}

const later = (one: Date | null, other: Date): Date => (one !== null && one > other ? one : other)

function ended(before: Kept, reason: EndReason, at: Date): Step {
  if (before.state === 'ended') return { after: before, duties: [] }
  const after: Kept = {
    ...before,
    state: 'ended',
    endsAt: at,
    endedAt: at,
    endReason: reason,
  }
  // What ended at the provider has nothing left to end.
  const isOver = reason === 'provider'
  return { after, duties: isOver ? [] : [{ kind: 'end' }] }
}

function afterStop(before: Kept, by: Stop['by']): Step {
  if (before.state === 'ended' || before.stop !== null) return { after: before, duties: [] }
  const after = { ...before, stop: { by, confirmedAt: null } }
  return { after: { ...after, ...standing(after, before.state) }, duties: [{ kind: 'cancel' }] }
}

function afterResume(before: Kept, now: Date): Step {
  const isOver = before.state === 'canceled' && before.endsAt !== null && before.endsAt <= now
  // A plan whose time is over ends, also if the clock has not ended it yet: PayPal would skip a payment.
  if (before.state === 'ended' || before.stop === null || isOver)
    return { after: before, duties: [] }
  const after = { ...before, stop: null }
  return {
    after: { ...after, ...standing(after, before.state) },
    duties: [{ kind: 'resume' }],
  }
}

function confirmed(before: Kept, at: Date): Kept {
  if (before.stop === null || before.stop.confirmedAt !== null) return before
  return { ...before, stop: { ...before.stop, confirmedAt: at } }
}

/**
 * The state and the end that follow from failures and from a stop, while the subscription lives.
 *
 * @param leavesAt when the provider ends it: in its portal and its API, that can be a time other than the end of the period
 */
function standing(
  kept: Pick<Kept, 'stop' | 'firstFailedAt' | 'paidUntil' | 'endsAt'>,
  state: SubscriptionState,
  leavesAt: Date | null = null,
): Pick<Kept, 'state' | 'endsAt'> {
  if (state === 'ended') return { state, endsAt: kept.endsAt }
  if (state === 'incomplete') return { state, endsAt: null }
  const { firstFailedAt } = kept
  const grace = firstFailedAt === null ? null : graceEnd(firstFailedAt)
  const endsAt = kept.stop === null ? grace : endOfStopped(grace, leavesAt, kept.paidUntil)
  if (state === 'disputed') return { state, endsAt }
  if (kept.stop !== null) return { state: 'canceled', endsAt }
  return { state: firstFailedAt === null ? 'active' : 'past_due', endsAt }
}

/** The payment for the next period is missing from the moment at which it was due. A plan that was stopped has none. */
function afterUnpriced(before: Kept, now: Date): Step {
  const { state, paidUntil, firstFailedAt, stop } = before
  const isDue = paidUntil !== null && paidUntil <= now && stop === null && GRANTING.has(state)
  if (!isDue || firstFailedAt !== null) return { after: before, duties: [] }
  const after = { ...before, firstFailedAt: paidUntil }
  return { after: { ...after, ...standing(after, state) }, duties: [] }
}

function afterTime(before: Kept, now: Date): Step {
  const { state, endsAt, stop } = before
  const isDue = endsAt !== null && endsAt <= now && (state === 'canceled' || state === 'past_due')
  if (!isDue) return { after: before, duties: [] }
  const reason: EndReason = stop === null || before.firstFailedAt !== null ? 'unpaid' : 'canceled'
  return ended(before, reason, endsAt)
}

function afterRead(before: Kept, fact: ReadFact): Step {
  const { read, waitsUntil = null, isResuming = false } = fact
  if (before.readAt !== null && read.readAt <= before.readAt) return { after: before, duties: [] }
  const missed = missedStop(before, read)
  if (missed !== undefined) return missed
  const facts: Kept = {
    ...before,
    readAt: read.readAt,
    startedAt: read.startedAt ?? before.startedAt,
    firstFailedAt: firstFailureOf(before, read),
    paidUntil: paidUntilOf(before, read),
    stop: isResuming ? null : stopOf(before.stop, read),
    waitsUntil: waitsUntil ?? before.waitsUntil,
  }
  if (before.state === 'ended') {
    const kept = { ...before, readAt: read.readAt, startedAt: facts.startedAt }
    return { after: kept, duties: dutiesOfEnded(kept, read) }
  }
  const wasStopped = before.stop !== null || read.cancelAt !== null
  const over = endOf(facts, fact, wasStopped)
  if (over !== undefined) {
    const { after } = ended(facts, over.reason, over.at)
    return { after, duties: dutiesOfEnded(after, read) }
  }
  const after = { ...facts, ...standing(facts, stateOf(facts, read), read.cancelAt) }
  // Time is that of the read: one that is applied late must not end what a later one shows to go on.
  const timed = afterTime(after, read.readAt)
  return { after: timed.after, duties: [...timed.duties, ...openStop(after, read)] }
}

type ReadFact = Extract<Fact, { kind: 'read' }>

/**
 * The renewal was stopped here, and the provider did not learn of it before the paid time was over: nobody pays for the
 * period that it began. Undefined: it did, or there is time left.
 */
function missedStop(before: Kept, read: ReadSubscription): Step | undefined {
  if (before.state !== 'canceled' || before.stop?.confirmedAt !== null) return undefined
  const { after } = afterTime(before, read.readAt)
  if (after.state !== 'ended' || after.endReason !== 'canceled') return undefined
  return { after: { ...after, readAt: read.readAt }, duties: dutiesOfEnded(after, read) }
}

/** PayPal says the end of a period only while it renews; what was paid stays paid. */
function paidUntilOf(before: Kept, read: ReadSubscription): Date | null {
  if (read.standing === 'incomplete') return null
  // While a payment is missing, the period is the one that is not paid.
  if (read.firstFailedAt !== null) return read.periodStart ?? before.paidUntil
  if (read.periodEnd !== null) return read.periodEnd
  const paid = read.invoices.filter(({ status }) => status === 'paid')
  const ends = paid.map(({ periodEnd }) => periodEnd).filter((end) => end !== null)
  const last = ends.reduce<Date | null>((a, b) => (a === null || b > a ? b : a), null)
  // What the provider said while it renewed is more exact than what was computed from its payments.
  const known = before.readAt
  const isNew = known === null || paid.some(({ paidAt }) => paidAt !== null && paidAt > known)
  const kept = isNew || before.firstFailedAt !== null ? null : before.paidUntil
  return kept ?? last ?? read.startsAt ?? before.paidUntil
}

/** A provider that does not say when a payment failed first: when it was seen first. */
function firstFailureOf(before: Kept, read: ReadSubscription): Date | null {
  if (read.standing !== 'unpaid') return read.firstFailedAt
  return read.firstFailedAt ?? before.firstFailedAt ?? read.readAt
}

/** PayPal ends a cancelled subscription at once; what was paid for is kept. */
const isStoppedThere = (read: ReadSubscription) =>
  read.cancelAt !== null ||
  read.standing === 'ended' ||
  (read.standing === 'paused' && read.firstFailedAt === null)

/** Who stopped the renewal, after a read. A stop that the provider has confirmed and no longer shows was taken back there. */
function stopOf(before: Stop | null, read: ReadSubscription): Stop | null {
  if (isStoppedThere(read)) {
    return { by: before?.by ?? 'provider', confirmedAt: before?.confirmedAt ?? read.readAt }
  }
  if (before === null) return null
  const isTakenBack = before.confirmedAt !== null && read.readAt > before.confirmedAt
  return isTakenBack && read.standing !== 'incomplete' ? null : before
}

/** A stop that the provider does not show yet is done again by the job. */
function openStop(after: Kept, read: ReadSubscription): readonly Duty[] {
  const isOpen = after.stop !== null && after.stop.confirmedAt === null && !isStoppedThere(read)
  return isOpen && after.state !== 'ended' ? [{ kind: 'cancel' }] : []
}

function stateOf(facts: Kept, read: ReadSubscription): SubscriptionState {
  if (read.standing === 'incomplete') return 'incomplete'
  if (facts.waitsUntil !== null && facts.waitsUntil > read.readAt) return 'incomplete'
  if (read.invoices.some(({ disputes }) => disputes.some(({ status }) => status === 'open'))) {
    return 'disputed'
  }
  return 'active'
}

/** Why and when what was paid last went back to the payer, all of it; undefined: it did not. */
export function takenBack(
  read: ReadSubscription,
  goodwill: ReadonlySet<string> = new Set(),
): { readonly reason: 'disputed' | 'refunded'; readonly at: Date } | undefined {
  const disputes = read.invoices.flatMap((invoice) => invoice.disputes)
  const lost = disputes.find(({ status }) => status === 'lost' || status === 'reversed')
  if (lost !== undefined) return { reason: 'disputed', at: lost.closedAt ?? lost.openedAt }
  const refund = fullRefundOfLatest(read.invoices, goodwill)
  if (refund !== undefined) return { reason: 'refunded', at: refund }
  return undefined
}

/** Why and when the read says that it is over; undefined: it lives. */
function endOf(
  facts: Kept,
  { read, goodwill }: ReadFact,
  wasStopped: boolean,
): { readonly reason: EndReason; readonly at: Date } | undefined {
  const over = takenBack(read, goodwill)
  if (over !== undefined) return over
  if (read.standing !== 'ended') return undefined
  return endAtProvider(facts, read, wasStopped)
}

/** At PayPal, a cancellation is final at once, and what was paid for is kept. At Stripe, an end is the end of the plan. */
function endAtProvider(
  facts: Kept,
  read: ReadSubscription,
  wasStopped: boolean,
): { readonly reason: EndReason; readonly at: Date } | undefined {
  const at = read.endedAt ?? read.readAt
  if (facts.startedAt === null) return { reason: 'never-paid', at }
  if (read.firstFailedAt !== null) return { reason: 'unpaid', at }
  const { paidUntil } = facts
  if (read.provider === 'paypal' && paidUntil !== null && paidUntil > at) {
    return paidUntil <= read.readAt ? { reason: 'canceled', at: paidUntil } : undefined
  }
  return { reason: wasStopped ? 'canceled' : 'provider', at }
}

/** When the latest payment was refunded in full. */
function fullRefundOfLatest(
  invoices: readonly ReadInvoice[],
  goodwill: ReadonlySet<string>,
): Date | undefined {
  const latest = invoices
    .filter(
      ({ status, paidCents, paidAt }) => status === 'paid' && paidCents > 0 && paidAt !== null,
    )
    .toSorted((a, b) => (a.paidAt?.getTime() ?? 0) - (b.paidAt?.getTime() ?? 0))
    .at(-1)
  if (latest === undefined || goodwill.has(latest.paymentId ?? '')) return undefined
  if (refundedCents(latest) < latest.paidCents) return undefined
  const refunds = latest.refunds.filter(({ hasSucceeded }) => hasSucceeded)
  return refunds.map(({ at }) => at).reduce((a, b) => (b > a ? b : a))
}

/** What ended here must end there; and nobody pays for a plan that has ended, or for a second subscription. */
export function dutiesOfEnded(kept: Kept, read: ReadSubscription): readonly Duty[] {
  const end: readonly Duty[] = read.standing === 'ended' ? [] : [{ kind: 'end' }]
  return [...end, ...read.invoices.flatMap((invoice) => refundOf(kept, invoice))]
}

function refundOf({ endedAt, endReason }: Kept, invoice: ReadInvoice): readonly Duty[] {
  const { paymentId, paidAt, paidCents, periodStart, currency, disputes } = invoice
  if (paymentId === null || paidAt === null || paidCents <= 0 || disputes.length > 0) return []
  // Paid after the end, or for a period that never began.
  const isLate =
    endedAt !== null && (paidAt > endedAt || (periodStart !== null && periodStart >= endedAt))
  if (endReason !== 'surplus' && !isLate) return []
  const amountCents = paidCents - refundedCents(invoice)
  return amountCents > 0 ? [{ kind: 'refund', paymentId, amountCents, currency }] : []
}
