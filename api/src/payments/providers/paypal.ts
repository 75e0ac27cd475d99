/**
 * PayPal, by its REST APIs and without its SDK.
 *
 * Calls that set a state look at it first; calls that create something have a `PayPal-Request-Id` of ours, for which
 * PayPal does the same thing once (subscriptions for 72 hours, refunds for 45 days).
 */
import type { PaypalConfig } from '../../config/payments.ts'
import type { OutgoingHttp } from '../../integrations/outgoing-http/outgoing-http.ts'
import { MinuteBudget } from '../minute-budget.ts'
import {
  type NewRefund,
  type ObjectKind,
  type PaymentProvider,
  ProviderTrouble,
  type ReadRefund,
} from '../provider.ts'
import { centsOf, moneyOf } from './paypal-amount.ts'
import { listBooks } from './paypal-books.ts'
import { PaypalCertificates } from './paypal-certificates.ts'
import { cancelAtPeriodEnd, changePrice, endNow, previewChange, resume } from './paypal-change.ts'
import { createCheckout, readCheckout } from './paypal-checkout.ts'
import { type PaypalCall, PaypalClient } from './paypal-client.ts'
import { CHECKS_A_MINUTE, verifyEvent } from './paypal-event.ts'
import { disputedPayments } from './paypal-disputes.ts'
import { movementsAndDisputes, paymentOfMovement } from './paypal-movements.ts'
import {
  dateOf,
  type PaypalDispute,
  type PaypalRefund,
  type PaypalSale,
  pathId,
} from './paypal-objects.ts'
import { setUpPrices } from './paypal-prices.ts'
import { readSubscription } from './paypal-read.ts'

export interface PaypalOptions {
  readonly outgoing: OutgoingHttp
  /** The present time. */
  readonly now: () => Date
  /** Authorities of the certificates of events, as PEM; the default is those of Node.js. */
  readonly trusted?: readonly string[]
  /** The longest wait for one answer; 9,000 when unset. */
  readonly requestLimitMs?: number
}

/** PayPal with the keys of the configuration. */
export function paypalProvider(
  config: PaypalConfig,
  { outgoing, now, trusted, requestLimitMs }: PaypalOptions,
): PaymentProvider {
  const client = new PaypalClient(config, outgoing, requestLimitMs)
  const certificates = new PaypalCertificates(client, {
    now,
    ...(trusted !== undefined && { trusted }),
  })
  const checks = new MinuteBudget(certificates.isForTests ? Infinity : CHECKS_A_MINUTE)
  return {
    name: 'paypal',
    realm: config.realm,
    isTest: config.isTest,
    createCheckout: async (order) =>
      client.call(async (call) => createCheckout(call, order, now())),
    readCheckout: async (id) => client.call(async (call) => readCheckout(call, id)),
    // PayPal ends an approval that nobody gave after some hours, and offers no call for it.
    expireCheckout: async () => undefined,
    read: async (id, hint) => client.call(async (call) => readSubscription(call, id, now(), hint)),
    subscriptionOf: async (kind, id, paidBy) =>
      client.call(async (call) => subscriptionOf(call, { kind, id, paidBy })),
    cancelAtPeriodEnd: async (id, key) =>
      client.call(async (call) => cancelAtPeriodEnd(call, id, key)),
    resume: async (id, key) => client.call(async (call) => resume(call, id, key)),
    endNow: async (id, key) => client.call(async (call) => endNow(call, id, key)),
    previewChange: async (change) =>
      client.call(async (call) => previewChange(call, change, now())),
    changePrice: async (change, key) => client.call(async (call) => changePrice(call, change, key)),
    // The payer has to approve the present plan again.
    forgetChange: async (present, key) =>
      client.call(async (call) => changePrice(call, { ...present, when: 'period-end' }, key)),
    paymentMethodPage: async () => automaticPayments(config),
    refund: async (order, key) => client.call(async (call) => refund(call, order, key, now())),
    listPayments: async (from, to) => client.call(async (call) => listBooks(call, from, to)),
    verifyEvent: async (body, headers) =>
      verifyEvent(body, headers, { client, certificates, checks, now: now() }),
    setUpPrices: async (prices) => client.call(async (call) => setUpPrices(call, prices)),
  }
}

/** The payer's page of automatic payments. Another API, for tests, says nothing of where payers go. */
function automaticPayments({ apiBase }: PaypalConfig): string {
  const sandbox = apiBase.hostname.endsWith('.sandbox.paypal.com') ? '.sandbox' : ''
  return `https://www${sandbox}.paypal.com/myaccount/autopay/`
}

interface Subject {
  readonly kind: ObjectKind
  readonly id: string
  readonly paidBy: Parameters<PaymentProvider['subscriptionOf']>[2]
}

async function subscriptionOf(
  call: PaypalCall,
  { kind, id, paidBy }: Subject,
): Promise<string | undefined> {
  if (kind === 'subscription' || kind === 'checkout') return id
  const paymentIds = await paymentIdsOf(call, kind, id)
  // Our books first: PayPal need not know a payment by itself.
  for (const paymentId of paymentIds) {
    const known = await paidBy?.(paymentId)
    if (known !== undefined) return known
  }
  for (const paymentId of paymentIds) {
    const sale = await call.find<PaypalSale>(`/v1/payments/sale/${pathId(paymentId)}`)
    if (sale?.billing_agreement_id !== undefined) return sale.billing_agreement_id
  }
  return undefined
}

/** The payments that an object is about: several only of a dispute. */
async function paymentIdsOf(
  call: PaypalCall,
  kind: ObjectKind,
  id: string,
): Promise<readonly string[]> {
  if (kind === 'refund') {
    const found = await call.find<PaypalRefund>(`/v2/payments/refunds/${pathId(id)}`)
    const paymentId = found && paymentOfMovement(found)
    return paymentId === undefined ? [] : [paymentId]
  }
  if (kind === 'dispute') {
    const found = await call.find<PaypalDispute>(`/v1/customer/disputes/${pathId(id)}`)
    return found === undefined ? [] : disputedPayments(found)
  }
  return [id]
}

/** Refunds of ours that are repeated are not older. */
const REFUNDS_BACK_MS = 28 * 86_400_000
const FAILED: ReadonlySet<string> = new Set(['CANCELLED', 'FAILED'])

async function refund(
  call: PaypalCall,
  { paymentId, amountCents, currency }: NewRefund,
  key: string,
  now: Date,
): Promise<ReadRefund> {
  try {
    const made = await call.send<PaypalRefund>({
      method: 'POST',
      path: `/v2/payments/captures/${pathId(paymentId)}/refund`,
      // The amount belongs to the key: PayPal refuses a key with another body.
      key: `${key}-${amountCents}`,
      body: { amount: moneyOf(amountCents, currency) },
      wantsAll: true,
    })
    return {
      id: made.id,
      amountCents: made.amount === undefined ? amountCents : centsOf(made.amount),
      at: made.create_time === undefined ? now : dateOf(made.create_time),
      hasSucceeded: !FAILED.has(made.status ?? ''),
    }
  } catch (error) {
    const isDone = error instanceof ProviderTrouble && error.code === 'CAPTURE_FULLY_REFUNDED'
    if (!isDone) throw error
    const at = new Date(now.getTime() - REFUNDS_BACK_MS)
    const paid = { id: paymentId, cents: amountCents, at, status: 'REFUNDED' }
    const { refunds } = await movementsAndDisputes(call, paid, now)
    const last = refunds.find((each) => each.amountCents === amountCents) ?? refunds.at(-1)
    if (last === undefined) throw error
    return last
  }
}
