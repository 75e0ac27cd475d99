/** Reads a subscription at PayPal with its payments, and brings it into the words of the service. */
import {
  ProviderTrouble,
  type ReadInvoice,
  type ReadSubscription,
  type Standing,
} from '../provider.ts'
import { centsOf } from './paypal-amount.ts'
import type { PaypalCall } from './paypal-client.ts'
import { disputesOf, type Movements, movementsAndDisputes } from './paypal-movements.ts'
import {
  dateOf,
  dateOrNull,
  type PaypalPlan,
  type PaypalSubscription,
  type PaypalTransaction,
  pathId,
  timeOf,
} from './paypal-objects.ts'
import { type Interval, intervalOf, periodAt } from './paypal-periods.ts'

/** The reason that a suspension of ours has at PayPal. */
export const STOP_NOTE = 'The owner stopped the renewal.'

/** Such a difference between creation and start: it was created to begin later. */
const DEFERRED_MS = 60_000
const DAY_MS = 86_400_000
const PAID: ReadonlySet<string> = new Set(['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'])

/** A payment with what became of it. */
export interface PaymentRead {
  readonly transaction: PaypalTransaction
  readonly movements: Movements
}

export const subscriptionPath = (id: string) => `/v1/billing/subscriptions/${pathId(id)}`

/** Undefined: PayPal does not know it. */
export async function readSubscription(
  call: PaypalCall,
  id: string,
  now: Date,
): Promise<ReadSubscription | undefined> {
  const path = `${subscriptionPath(id)}?fields=plan`
  const subscription = await call.find<PaypalSubscription>(path)
  if (subscription === undefined) return undefined
  const payments = await readPayments(call, subscription, now)
  const read = normalized(subscription, payments, now)
  const paidPlan = await planThatWasPaid(call, subscription, payments)
  if (paidPlan === undefined) return read
  return { ...read, priceProviderId: paidPlan, nextPriceProviderId: read.priceProviderId }
}

/**
 * PayPal shows a revised plan before it is paid for. The plan that is granted is the one of the last payment, so it is
 * looked for when the amounts differ. Undefined: it is the one that PayPal shows.
 */
async function planThatWasPaid(
  call: PaypalCall,
  { plan, plan_id: planId }: PaypalSubscription,
  payments: readonly PaymentRead[],
): Promise<string | undefined> {
  const last = payments.at(-1)
  const price = fixedPriceOf(plan)
  const product = plan?.product_id
  if (last === undefined || price === undefined || product === undefined) return undefined
  const cents = grossOf(last.transaction)
  if (cents === centsOf(price)) return undefined
  const path = `/v1/billing/plans?product_id=${pathId(product)}&page_size=20`
  const { plans = [] } = (await call.find<{ readonly plans?: readonly PaypalPlan[] }>(path)) ?? {}
  for (const { id = '' } of plans.filter((each) => each.id !== planId)) {
    const other = await call.find<PaypalPlan>(`/v1/billing/plans/${pathId(id)}`)
    const fixed = fixedPriceOf(other)
    if (fixed?.currency_code === price.currency_code && centsOf(fixed) === cents) return id
  }
  return undefined
}

const fixedPriceOf = (plan: PaypalPlan | undefined) =>
  plan?.billing_cycles?.[0]?.pricing_scheme?.fixed_price

async function readPayments(
  call: PaypalCall,
  { id, status, create_time }: PaypalSubscription,
  now: Date,
): Promise<PaymentRead[]> {
  if (status === 'APPROVAL_PENDING') return []
  const from = dateOrNull(create_time) ?? new Date(0)
  const query = new URLSearchParams({
    start_time: timeOf(new Date(from.getTime() - DAY_MS)),
    end_time: timeOf(new Date(now.getTime() + DAY_MS)),
  })
  const path = `${subscriptionPath(id)}/transactions?${query.toString()}`
  const { transactions = [] } =
    (await call.find<{ readonly transactions?: readonly PaypalTransaction[] }>(path)) ?? {}
  const oldestFirst = transactions
    .filter((each) => PAID.has(each.status ?? ''))
    .toSorted((a, b) => Date.parse(a.time) - Date.parse(b.time))
  const payments: PaymentRead[] = []
  for (const transaction of oldestFirst) {
    const { id: paymentId, time, status: paymentStatus = '' } = transaction
    const paid = {
      id: paymentId,
      cents: grossOf(transaction),
      at: dateOf(time),
      status: paymentStatus,
    }
    const movements = await movementsAndDisputes(call, paid, now)
    const isLatest = transaction === oldestFirst.at(-1)
    const disputes = isLatest ? await openDisputes(call, paymentId) : []
    const all = { ...movements, disputes: [...movements.disputes, ...disputes] }
    payments.push({ transaction, movements: all })
  }
  return payments
}

/** An app without the permission for disputes reads none. */
async function openDisputes(call: PaypalCall, paymentId: string) {
  try {
    return await disputesOf(call, paymentId)
  } catch (error) {
    const isForbidden =
      error instanceof ProviderTrouble &&
      (error.code === 'NOT_AUTHORIZED' || error.code === 'PERMISSION_DENIED')
    if (isForbidden) return []
    throw error
  }
}

const grossOf = ({ amount_with_breakdown: amount }: PaypalTransaction): number =>
  amount?.gross_amount === undefined ? 0 : centsOf(amount.gross_amount)

/** What the answers of PayPal say. @param payments paid ones, the oldest first */
export function normalized(
  subscription: PaypalSubscription,
  payments: readonly PaymentRead[],
  readAt: Date,
): ReadSubscription {
  const { id, status, subscriber, billing_info: billing } = subscription
  const interval = intervalOf(subscription.plan)
  const start = dateOrNull(subscription.start_time)
  const created = dateOrNull(subscription.create_time)
  const isDeferred =
    start !== null && created !== null && start.getTime() - created.getTime() > DEFERRED_MS
  const wasApproved = subscriber?.payer_id !== undefined
  const [first] = payments
  const startsAt = first === undefined && isDeferred ? start : null
  const invoices = payments.map((each) => invoiceOf(each, each === first, start, interval))
  const failure = firstFailureOf(subscription, payments.at(-1), start, interval)
  const standing = standingOf(subscription, {
    isPaid: first !== undefined || (startsAt !== null && wasApproved),
    isFailing: failure !== null,
  })
  const next = status === 'ACTIVE' ? dateOrNull(billing?.next_billing_time) : null
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
    startedAt:
      first === undefined
        ? startsAt && wasApproved
          ? created
          : null
        : dateOf(first.transaction.time),
    startsAt,
    periodStart: failure ?? last?.periodStart ?? null,
    periodEnd: next,
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
    hostedUrl: null,
  }
}

/** `PayPal (a…@example.net)`. */
function methodOf(email: string | undefined): string {
  const [, first = '', domain] = /^(.)[^@]*@(.+)$/u.exec(email ?? '') ?? []
  return domain === undefined ? 'PayPal' : `PayPal (${first}…@${domain})`
}
