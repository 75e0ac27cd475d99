/**
 * What PayPal charges by itself. Renewals are due at 10:00 UTC; a failed one is tried again after 5 and 10 days, then
 * its amount is outstanding and counts towards the failure threshold, which suspends:
 * https://developer.paypal.com/docs/subscriptions/customize/payment-failure-retry/.
 */
import type { Agreement, Cycle, Sale } from './objects.ts'
import { type PayPalWorld, centsOf, iso, money, shortMoney } from './world.ts'

const DAY_MS = 86_400_000
const RETRIES = 2
const RETRY_MS = 5 * DAY_MS

const feeOf = (cents: number) => Math.round(cents * 0.0349) + 49

const cycleOf = (agreement: Agreement): Cycle => {
  const [cycle] = agreement.plan.billing_cycles
  if (cycle === undefined) throw new Error('The plan has no cycle.')
  return cycle
}

export const priceCents = (agreement: Agreement) =>
  centsOf(cycleOf(agreement).pricing_scheme.fixed_price, 'fixed_price')

/** The next billing time after one: the same day of a later month, at 10:00 UTC. */
export function billingAfter(agreement: Agreement, at: number): number {
  const { interval_unit: unit, interval_count: count } = cycleOf(agreement).frequency
  const from = new Date(at)
  const days = unit === 'DAY' ? count : unit === 'WEEK' ? 7 * count : 0
  if (days > 0)
    return Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate() + days, 10)
  const months = unit === 'YEAR' ? 12 * count : count
  const day = new Date(agreement.startsAt).getUTCDate()
  const last = new Date(
    Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months + 1, 0),
  ).getUTCDate()
  return Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, Math.min(day, last), 10)
}

const link = (world: PayPalWorld, id: string, verb: string, rel: string, method = 'POST') =>
  world.link(`/v1/billing/subscriptions/${id}${verb}`, rel, method)

/** https://developer.paypal.com/docs/api/subscriptions/v1/#subscriptions_get */
export function subscriptionBody(
  world: PayPalWorld,
  agreement: Agreement,
): Record<string, unknown> {
  const { id, status, payer, lastPayment, lastFailure, nextBillingAt } = agreement
  const isActive = status === 'ACTIVE'
  const billing = {
    outstanding_balance: shortMoney(agreement.outstandingCents),
    cycle_executions: [
      {
        tenure_type: 'REGULAR',
        sequence: 1,
        cycles_completed: agreement.cyclesCompleted,
        cycles_remaining: 0,
        current_pricing_scheme_version: 1,
        total_cycles: cycleOf(agreement).total_cycles,
      },
    ],
    ...(lastPayment && {
      last_payment: { amount: shortMoney(lastPayment.cents), time: iso(lastPayment.at) },
    }),
    ...(isActive && nextBillingAt !== null && { next_billing_time: iso(nextBillingAt) }),
    ...(lastFailure && {
      last_failed_payment: {
        amount: shortMoney(lastFailure.cents),
        time: iso(lastFailure.at),
        reason_code: 'PAYMENT_DENIED',
        ...(lastFailure.retryAt !== null && { next_payment_retry_time: iso(lastFailure.retryAt) }),
      },
    }),
    failed_payments_count: agreement.failedCount,
  }
  const subscriber = {
    email_address: payer.email,
    payer_id: payer.id,
    name: { given_name: payer.given, surname: payer.surname },
  }
  const approve = {
    href: `${world.origin}/webapps/billing/subscriptions?ba_token=${agreement.token}`,
    rel: 'approve',
    method: 'GET',
  }
  return {
    id,
    plan_id: agreement.plan.id,
    status,
    status_update_time: iso(agreement.statusAt),
    ...(agreement.statusNote !== null && { status_change_note: agreement.statusNote }),
    ...(agreement.customId !== null && { custom_id: agreement.customId }),
    plan_overridden: agreement.planOverridden,
    quantity: '1',
    shipping_amount: shortMoney(0),
    start_time: iso(agreement.startsAt),
    create_time: iso(agreement.createdAt),
    update_time: iso(agreement.updatedAt),
    ...(agreement.approved && { subscriber, billing_info: billing }),
    links: [
      ...(status === 'APPROVAL_PENDING' ? [approve] : []),
      ...(isActive
        ? [link(world, id, '/cancel', 'cancel'), link(world, id, '/suspend', 'suspend')]
        : []),
      ...(status === 'SUSPENDED'
        ? [link(world, id, '/cancel', 'cancel'), link(world, id, '/activate', 'activate')]
        : []),
      link(world, id, '', 'edit', 'PATCH'),
      link(world, id, '', 'self', 'GET'),
    ],
  }
}

export function setStatus(
  world: PayPalWorld,
  agreement: Agreement,
  status: Agreement['status'],
  summary: string,
  note: string | null = null,
): void {
  Object.assign(agreement, {
    status,
    statusNote: note,
    statusAt: world.clock.now(),
    updatedAt: world.clock.now(),
  })
  const word = status === 'ACTIVE' ? 'ACTIVATED' : status
  world.emit(
    `BILLING.SUBSCRIPTION.${word}`,
    'subscription',
    summary,
    subscriptionBody(world, agreement),
  )
}

/** The resource of PAYMENT.SALE events, and of GET /v1/payments/sale. */
export function saleBody(world: PayPalWorld, sale: Sale): Record<string, unknown> {
  const customId = world.agreements.get(sale.agreement)?.customId
  const total = money(sale.cents).value
  return {
    id: sale.id,
    state: sale.status.toLowerCase(),
    amount: { total, currency: sale.currency, details: { subtotal: total } },
    payment_mode: 'INSTANT_TRANSFER',
    protection_eligibility: 'ELIGIBLE',
    protection_eligibility_type: 'ITEM_NOT_RECEIVED_ELIGIBLE,UNAUTHORIZED_PAYMENT_ELIGIBLE',
    transaction_fee: { currency: sale.currency, value: money(sale.feeCents).value },
    billing_agreement_id: sale.agreement,
    ...(customId && { custom: customId }),
    create_time: iso(sale.at),
    update_time: iso(sale.at),
    links: [
      world.link(`/v1/payments/sale/${sale.id}`),
      world.link(`/v1/payments/sale/${sale.id}/refund`, 'refund', 'POST'),
    ],
  }
}

/** Takes money. @returns false when the payer's means of payment declines */
export function charge(world: PayPalWorld, agreement: Agreement, cents: number): boolean {
  const now = world.clock.now()
  if (agreement.conduct === 'declines') return false
  const id = world.newId()
  const sale: Sale = {
    id,
    agreement: agreement.id,
    cents,
    feeCents: feeOf(cents),
    currency: 'USD',
    at: now,
    refundedCents: 0,
    status: 'COMPLETED',
  }
  world.sales.set(id, sale)
  world.books.add({
    id,
    kind: 'payment',
    amountCents: cents,
    feeCents: sale.feeCents,
    currency: 'usd',
    source: id,
    at: now,
  })
  Object.assign(agreement, {
    lastPayment: { cents, at: now },
    lastFailure: null,
    failedCount: 0,
    outstandingCents: 0,
    updatedAt: now,
  })
  world.emit(
    'PAYMENT.SALE.COMPLETED',
    'sale',
    `Payment completed for $ ${money(cents).value} USD`,
    saleBody(world, sale),
  )
  return true
}

/** Plans the payment at `nextBillingAt`. Plans that were overtaken do nothing. */
export function planBilling(world: PayPalWorld, agreement: Agreement): void {
  const at = agreement.nextBillingAt
  if (at === null) return
  world.clock.at(at, () => {
    if (agreement.status === 'ACTIVE' && agreement.nextBillingAt === at)
      bill(world, agreement, at, 0)
  })
}

function bill(world: PayPalWorld, agreement: Agreement, due: number, attempt: number): void {
  if (attempt === 0) adoptRevision(agreement)
  const waiting = agreement.plan.payment_preferences.auto_bill_outstanding
    ? agreement.outstandingCents
    : 0
  const cents = priceCents(agreement) + waiting
  if (attempt === 0) {
    agreement.nextBillingAt = billingAfter(agreement, due)
    planBilling(world, agreement)
  }
  if (charge(world, agreement, cents)) {
    agreement.cyclesCompleted += 1
    return
  }
  const now = world.clock.now()
  const retryAt = attempt < RETRIES ? now + RETRY_MS : null
  agreement.lastFailure = { cents, at: now, retryAt }
  if (retryAt === null) countFailure(agreement)
  world.emit(
    'BILLING.SUBSCRIPTION.PAYMENT.FAILED',
    'subscription',
    'Payment failed on subscription',
    subscriptionBody(world, agreement),
  )
  if (retryAt !== null) planRetry(world, agreement, retryAt, due, attempt + 1)
  else suspendAtThreshold(world, agreement)
}

function planRetry(
  world: PayPalWorld,
  agreement: Agreement,
  at: number,
  due: number,
  attempt: number,
): void {
  world.clock.at(at, () => {
    if (agreement.status === 'ACTIVE' && agreement.lastFailure?.retryAt === at)
      bill(world, agreement, due, attempt)
  })
}

function countFailure(agreement: Agreement): void {
  agreement.failedCount += 1
  agreement.outstandingCents += priceCents(agreement)
}

function suspendAtThreshold(world: PayPalWorld, agreement: Agreement): void {
  const { payment_failure_threshold: threshold } = agreement.plan.payment_preferences
  if (threshold > 0 && agreement.failedCount >= threshold)
    setStatus(world, agreement, 'SUSPENDED', 'Subscription suspended')
}

function adoptRevision(agreement: Agreement): void {
  if (agreement.revisesTo === null) return
  agreement.plan = agreement.revisesTo
  agreement.revisesTo = null
}
