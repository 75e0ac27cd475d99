/**
 * Stripe, for cards.
 *
 * Everything goes through Stripe's SDK with the API version that it pins. Calls that set a state look at it first and
 * need no idempotency key; calls that create something have a key of ours. Stripe keeps the answer to a key for a day,
 * also an error 500, so the key of a refund changes with time: the caller looks for a refund before it repeats it.
 */
import type { Stripe } from 'stripe'
import type { StripeConfig } from '../../config/payments.ts'
import type { NewRefund, PaymentProvider, ReadRefund } from '../provider.ts'
import { listBooks, subscriptionOf } from './stripe-books.ts'
import {
  cancelAtPeriodEnd,
  changePrice,
  endNow,
  forgetChange,
  previewChange,
  resume,
} from './stripe-change.ts'
import { createCheckout, expireCheckout, readCheckout } from './stripe-checkout.ts'
import { refused, stripeClient, withStripe } from './stripe-client.ts'
import { verifyEvent } from './stripe-event.ts'
import { readRefund } from './stripe-invoices.ts'
import { stripeLibrary } from './stripe-library.ts'
import { setUpPrices } from './stripe-prices.ts'
import { readSubscription } from './stripe-read.ts'

/** A key that Stripe answered 500 to is of no use for a day. */
const KEY_LIFE_MS = 600_000

/** Stripe with the keys of the configuration. */
export function stripeProvider(config: StripeConfig, now: () => Date): PaymentProvider {
  const stripe = stripeClient(config)
  return {
    name: 'stripe',
    realm: config.realm,
    isTest: config.isTest,
    createCheckout: async (order) => withStripe(async () => createCheckout(stripe, order, now())),
    readCheckout: async (id) => withStripe(async () => readCheckout(stripe, id)),
    expireCheckout: async (id) => withStripe(async () => expireCheckout(stripe, id)),
    read: async (id, hints = {}) =>
      withStripe(async () => readSubscription(stripe, id, { ...hints, readAt: now() })),
    subscriptionOf: async (kind, id) => withStripe(async () => subscriptionOf(stripe, kind, id)),
    cancelAtPeriodEnd: async (id) => withStripe(async () => cancelAtPeriodEnd(stripe, id)),
    resume: async (id) => withStripe(async () => resume(stripe, id)),
    endNow: async (id) => withStripe(async () => endNow(stripe, id)),
    previewChange: async (change) => withStripe(async () => previewChange(stripe, change)),
    changePrice: async (change, key) => withStripe(async () => changePrice(stripe, change, key)),
    forgetChange: async ({ subscriptionId }) =>
      withStripe(async () => forgetChange(stripe, subscriptionId)),
    paymentMethodPage: async ({ customerId }, returnUrl) =>
      withStripe(async () => portalPage(stripe, customerId, returnUrl)),
    refund: async (order, key) => withStripe(async () => refund(stripe, order, key, now())),
    listPayments: async (from, to) => withStripe(async () => listBooks(stripe, from, to)),
    verifyEvent: async (body, headers) =>
      verifyEvent(body, headers, { webhookSecret: config.webhookSecret, now: now() }),
    setUpPrices: async (prices) => withStripe(async () => setUpPrices(stripe, prices)),
  }
}

async function portalPage(
  stripe: Stripe,
  customer: string | null,
  returnUrl: URL,
): Promise<string> {
  if (customer === null) throw refused('The subscription has no customer at Stripe')
  const session = await stripe.billingPortal.sessions.create({
    customer,
    return_url: returnUrl.href,
  })
  return session.url
}

async function refund(
  stripe: Stripe,
  { paymentId, amountCents, reason }: NewRefund,
  key: string,
  now: Date,
): Promise<ReadRefund> {
  const payment = paymentId.startsWith('pi_')
    ? { payment_intent: paymentId }
    : { charge: paymentId }
  const turn = Math.floor(now.getTime() / KEY_LIFE_MS)
  try {
    const made = await stripe.refunds.create(
      {
        ...payment,
        amount: amountCents,
        reason: 'requested_by_customer',
        metadata: { reason },
      },
      { idempotencyKey: `${key}-${amountCents}-${turn}` },
    )
    return readRefund(made)
  } catch (error) {
    const isDone =
      error instanceof stripeLibrary().errors.StripeError &&
      error.code === 'charge_already_refunded'
    if (!isDone) throw error
    const { data } = await stripe.refunds.list({ ...payment, limit: 1 })
    if (data[0] === undefined) throw error
    return readRefund(data[0])
  }
}
