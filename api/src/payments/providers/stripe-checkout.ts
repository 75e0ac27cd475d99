/** Checkouts at Stripe: hosted pages on which a card is entered. */
import type { Stripe } from 'stripe'
import type {
  CheckoutPayer,
  NewProviderCheckout,
  ProviderCheckout,
  ReadCheckout,
} from '../provider.ts'
import { found, idOf, refused, secondsOf } from './stripe-client.ts'

/** Stripe Checkout takes a trial only if it ends in two days or later. */
const SHORTEST_TRIAL_MS = 48 * 3_600_000 + 60_000
/** A start so near is now. */
const SOON_MS = 60_000

const customerFields = ({ email, ...payer }: CheckoutPayer) => ({
  email,
  name: `${payer.firstName} ${payer.lastName}`.trim(),
  address: {
    line1: payer.address,
    city: payer.city,
    state: payer.state,
    postal_code: payer.zipCode,
    country: payer.country,
  },
})

/** The customer of the checkout: an earlier one, or a new one with the billing details of our form. */
async function customerOf(stripe: Stripe, order: NewProviderCheckout): Promise<string | null> {
  const { checkoutId, customerId, payer } = order
  const known = customerId === null ? undefined : await found(stripe.customers.retrieve(customerId))
  const usable = known === undefined || known.deleted ? null : known.id
  if (payer === null) return usable
  if (usable !== null) {
    await stripe.customers.update(usable, customerFields(payer))
    return usable
  }
  // Where no customer can be made before the checkout, the checkout makes one.
  const customer = await found(
    stripe.customers.create(customerFields(payer), { idempotencyKey: `customer-${checkoutId}` }),
  )
  return customer?.id ?? null
}

/** When the first payment is due. Shortly before the other plan ends, it is a period without a charge, not a trial. */
function start(startsAt: Date | null, now: Date) {
  const waitMs = startsAt === null ? 0 : startsAt.getTime() - now.getTime()
  if (startsAt === null || waitMs < SOON_MS) return {}
  if (waitMs >= SHORTEST_TRIAL_MS) return { trial_end: secondsOf(startsAt) }
  return { billing_cycle_anchor: secondsOf(startsAt), proration_behavior: 'none' as const }
}

function sessionFields(
  order: NewProviderCheckout,
  customer: string | null,
  now: Date,
): Stripe.Checkout.SessionCreateParams {
  const { checkoutId, email, startsAt, payer } = order
  const note = {
    checkout_id: checkoutId,
    ...(startsAt !== null && { starts_at: String(secondsOf(startsAt)) }),
  }
  return {
    mode: 'subscription',
    line_items: [{ price: order.priceProviderId, quantity: 1 }],
    allowed_payment_method_types: ['card'],
    client_reference_id: checkoutId,
    metadata: { checkout_id: checkoutId },
    subscription_data: { metadata: note, ...start(startsAt, now) },
    // Without details from our form, Stripe asks for them.
    ...((payer === null || customer === null) && {
      billing_address_collection: 'required' as const,
    }),
    ...(customer === null
      ? { customer_email: email }
      : { customer, customer_update: { address: 'auto' as const, name: 'auto' as const } }),
    // Not `searchParams`: Stripe replaces the braces as they are.
    success_url: order.successUrl.href,
    cancel_url: order.cancelUrl.href,
    expires_at: secondsOf(order.expiresAt),
  }
}

/** Creates a checkout. The same checkout of ours never makes two at Stripe. */
export async function createCheckout(
  stripe: Stripe,
  order: NewProviderCheckout,
  now: Date,
): Promise<ProviderCheckout> {
  const customer = await customerOf(stripe, order)
  const session = await stripe.checkout.sessions.create(sessionFields(order, customer, now), {
    idempotencyKey: `checkout-${order.checkoutId}`,
  })
  if (!session.url) throw refused('Stripe made a checkout without a page')
  return { providerId: session.id, url: session.url }
}

export async function readCheckout(stripe: Stripe, id: string): Promise<ReadCheckout | undefined> {
  const session = await found(stripe.checkout.sessions.retrieve(id))
  if (session === undefined) return undefined
  return {
    state:
      session.status === 'complete'
        ? 'completed'
        : session.status === 'expired'
          ? 'expired'
          : 'open',
    checkoutId: session.client_reference_id ?? null,
    subscriptionId: idOf(session.subscription),
  }
}

/** Stripe refuses to expire what is no longer open, which is what was wanted. */
export async function expireCheckout(stripe: Stripe, id: string): Promise<void> {
  const session = await found(stripe.checkout.sessions.retrieve(id))
  if (session?.status === 'open') await stripe.checkout.sessions.expire(id)
}
