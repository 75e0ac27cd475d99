/** Reads a subscription at PayPal with its payments, and brings it into the words of the service. */
import type { ReadHints, ReadInvoice, ReadSubscription, Standing } from '../provider.ts'
import type { PaypalCall } from './paypal-client.ts'
import { dateOf, dateOrNull, type PaypalSubscription, subscriptionPath } from './paypal-objects.ts'
import { assumedIds, replacedIds } from './paypal-movements.ts'
import { type Interval, intervalOf, periodAt } from './paypal-periods.ts'
import { planThatWasPaid, withPlan } from './paypal-plans.ts'
import {
  grossOf,
  type PaymentRead,
  readPayments,
  withDispute,
  withReversal,
} from './paypal-payments.ts'

/** The reason that a suspension of ours has at PayPal. */
export const STOP_NOTE = 'The owner stopped the renewal.'

/** Such a difference between creation and start: it was created to begin later. */
const DEFERRED_MS = 60_000
/** What PayPal shows of a subscription only if it is asked for. */
const FIELDS = 'last_failed_payment,plan'
const DAY_MS = 86_400_000

/** Undefined: PayPal does not know it. */
export async function readSubscription(
  call: PaypalCall,
  id: string,
  now: Date,
  hint: ReadHints = {},
): Promise<ReadSubscription | undefined> {
  const path = `${subscriptionPath(id)}?fields=${FIELDS}`
  const found = await call.find<PaypalSubscription>(path)
  if (found === undefined) return undefined
  const subscription = await withPlan(call, found)
  const listed = await readPayments(call, subscription, now)
  const { disputeId, isReversed } = hint
  const disputed = disputeId === undefined ? listed : await withDispute(call, listed, disputeId)
  const payments = isReversed === true ? await withReversal(call, disputed, now) : disputed
  const read = normalized(subscription, payments, now)
  const paidPlan = await planThatWasPaid(call, subscription, payments)
  if (paidPlan === undefined) return read
  return { ...read, priceProviderId: paidPlan, nextPriceProviderId: read.priceProviderId }
}

/** What the answers of PayPal say. @param payments paid ones, the oldest first */
export function normalized(
  subscription: PaypalSubscription,
  payments: readonly PaymentRead[],
  readAt: Date,
): ReadSubscription {
  const { id, status, subscriber } = subscription
  const interval = intervalOf(subscription.plan)
  const created = dateOrNull(subscription.create_time)
  const [first] = payments
  const start =
    dateOrNull(subscription.start_time) ?? created ?? dateOrNull(first?.transaction.time)
  const isDeferred = start !== null && start.getTime() - (created ?? readAt).getTime() > DEFERRED_MS
  const wasApproved =
    status === 'ACTIVE' || status === 'SUSPENDED' || subscriber?.payer_id !== undefined
  const startsAt = first === undefined && isDeferred ? start : null
  const invoices = payments.map((each) => invoiceOf(each, each === first, start, interval))
  const failure = firstFailureOf(subscription, payments.at(-1), start, interval)
  const isFailing = failure !== null || hasFailed(subscription)
  const isBilled = !isFailing && wasBilled(subscription, start)
  const standing = standingOf(subscription, {
    isPaid: first !== undefined || (startsAt !== null && wasApproved) || isBilled,
    isFailing,
  })
  const last = invoices.at(-1)
  return {
    provider: 'paypal',
    providerId: id,
    readAt,
    customerId: subscriber?.payer_id ?? null,
    checkoutId: subscription.custom_id ?? null,
    priceProviderId: priceOf(subscription),
    nextPriceProviderId: null,
    standing,
    providerStatus: status,
    startedAt: startedAtOf(first, {
      isBegun: isBilled || (startsAt !== null && wasApproved),
      created: created ?? readAt,
    }),
    startsAt,
    periodStart: failure ?? last?.periodStart ?? null,
    periodEnd: nextBillingOf(subscription, { last, start, startsAt, interval, readAt }),
    cancelAt: cancelOf(subscription, failure),
    endedAt: standing === 'ended' ? dateOrNull(subscription.status_update_time) : null,
    firstFailedAt: failure,
    payer: subscriber?.payer_id ?? null,
    paymentMethod: wasApproved ? methodOf(subscriber?.email_address) : null,
    cardExpiresAt: null,
    billingDetails: null,
    invoices,
  }
}

/**
 * Whether PayPal says that the first period was billed, although it does not list the payment (yet): by the last payment,
 * by a next payment after the first one, or, where it says nothing of payments, by the status.
 */
function wasBilled({ status, billing_info: billing }: PaypalSubscription, start: Date | null) {
  if (status !== 'ACTIVE' && status !== 'SUSPENDED') return false
  if (billing === undefined || billing.last_payment !== undefined) return true
  const next = dateOrNull(billing.next_billing_time)
  return next !== null && start !== null && next.getTime() - start.getTime() > DAY_MS
}

function startedAtOf(
  first: PaymentRead | undefined,
  { isBegun, created }: { readonly isBegun: boolean; readonly created: Date },
): Date | null {
  if (first !== undefined) return dateOf(first.transaction.time)
  return isBegun ? created : null
}

interface Billing {
  readonly last: ReadInvoice | undefined
  readonly start: Date | null
  readonly startsAt: Date | null
  readonly interval: Interval | undefined
  readonly readAt: Date
}

/** When the next payment is due. Null: it does not renew, or it waits for its first payment. */
function nextBillingOf(
  { status, billing_info: billing }: PaypalSubscription,
  { last, start, startsAt, interval, readAt }: Billing,
): Date | null {
  if (status !== 'ACTIVE') return null
  const said = dateOrNull(billing?.next_billing_time)
  if (said !== null) return said
  if (startsAt !== null) return startsAt
  if (last !== undefined) return last.periodEnd
  return start && interval ? periodAt(start, interval, readAt).end : null
}

/** A subscription with prices or a number of its own is never granted. */
function priceOf({ plan_id, plan_overridden, quantity = '1' }: PaypalSubscription): string | null {
  return plan_overridden === true || Number(quantity) !== 1 ? null : (plan_id ?? null)
}

function standingOf(
  { status }: PaypalSubscription,
  { isPaid, isFailing }: { readonly isPaid: boolean; readonly isFailing: boolean },
): Standing {
  if (status === 'CANCELLED' || status === 'EXPIRED') return 'ended'
  if (status === 'APPROVAL_PENDING' || status === 'APPROVED' || !isPaid) return 'incomplete'
  if (status === 'SUSPENDED') return 'paused'
  return isFailing ? 'unpaid' : 'running'
}

/** When the payment that is missing was due: PayPal shows only its last attempt. */
function firstFailureOf(
  { billing_info: billing }: PaypalSubscription,
  last: PaymentRead | undefined,
  start: Date | null,
  interval: Interval | undefined,
): Date | null {
  const failed = dateOrNull(billing?.last_failed_payment?.time)
  if (failed === null) return null
  const paid = last === undefined ? null : dateOf(last.transaction.time)
  if (paid !== null && paid >= failed) return null
  if (start === null || interval === undefined) return failed
  const { start: due } = periodAt(start, interval, failed)
  return due < failed && (paid === null || due > paid) ? due : failed
}

/** Whether payments failed, where PayPal does not say when: a payment that succeeds sets their number to 0. */
const hasFailed = ({ status, billing_info: billing }: PaypalSubscription): boolean =>
  status === 'ACTIVE' &&
  billing?.last_failed_payment === undefined &&
  (billing?.failed_payments_count ?? 0) > 0

/** A suspension of ours while a payment is missing: PayPal shows no other difference to one for the missing payment. */
function cancelOf(
  { status, status_change_note: note }: PaypalSubscription,
  failure: Date | null,
): Date | null {
  return status === 'SUSPENDED' && note === STOP_NOTE ? failure : null
}

function invoiceOf(
  { transaction, movements }: PaymentRead,
  isFirst: boolean,
  start: Date | null,
  interval: Interval | undefined,
): ReadInvoice {
  const { id, time, amount_with_breakdown: amount } = transaction
  const at = dateOf(time)
  const cents = grossOf(transaction)
  const period = start && interval ? periodAt(start < at ? start : at, interval, at) : undefined
  return {
    id,
    kind: isFirst ? 'first' : 'renewal',
    status: 'paid',
    totalCents: cents,
    currency: amount?.gross_amount?.currency_code ?? 'USD',
    issuedAt: at,
    paidAt: at,
    periodStart: period?.start ?? null,
    periodEnd: period?.end ?? null,
    lines: [{ description: 'Subscription', amountCents: cents }],
    paymentId: id,
    paidCents: cents,
    refunds: movements.refunds,
    disputes: movements.disputes,
    assumedIds: assumedIds({ id }, movements),
    replacedIds: replacedIds({ id, cents }, movements),
    hostedUrl: null,
  }
}

/** `PayPal (a…@example.net)`. */
function methodOf(email: string | undefined): string {
  const [, first = '', domain] = /^(.)[^@]*@(.+)$/u.exec(email ?? '') ?? []
  return domain === undefined ? 'PayPal' : `PayPal (${first}…@${domain})`
}
