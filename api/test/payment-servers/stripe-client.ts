/** The real SDK against the local server, set up as the service sets it up. */
// oxlint-disable-next-line import/no-named-as-default -- The SDK's own documentation imports it so.
import Stripe from 'stripe'
import { TestClock } from '../../../test/payment-servers/clock.ts'
import {
  StripeServer,
  type StripeServerOptions,
} from '../../../test/payment-servers/stripe-server.ts'

export const DAY_MS = 86_400_000
/** The test's clock stands still at this time until it is moved. */
export const START = Date.parse('2026-03-10T09:00:00Z')

export interface StripeSetting extends AsyncDisposable {
  readonly server: StripeServer
  readonly stripe: Stripe
  readonly prices: { readonly pro: string; readonly proYear: string; readonly elite: string }
}

export function clientOf(server: StripeServer, config: Partial<Stripe.StripeConfig> = {}): Stripe {
  const { hostname, port } = new URL(server.origin)
  return new Stripe(server.secretKey, {
    host: hostname,
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
    ...config,
  })
}

async function addPrice(
  stripe: Stripe,
  product: string,
  key: string,
  cents: number,
  interval: 'month' | 'year',
) {
  const price = await stripe.prices.create({
    product,
    currency: 'usd',
    unit_amount: cents,
    recurring: { interval },
    lookup_key: key,
  })
  return price.id
}

/** A server with the products and prices of the service. */
export async function stripeSetting(options: StripeServerOptions = {}): Promise<StripeSetting> {
  const server = await StripeServer.start({ clock: new TestClock(() => START), ...options })
  const stripe = clientOf(server)
  const pro = await stripe.products.create({ name: 'Pro', id: 'homing_pro' })
  const elite = await stripe.products.create({ name: 'Elite', id: 'homing_elite' })
  const prices = {
    pro: await addPrice(stripe, pro.id, 'price_pro_monthly', 1000, 'month'),
    proYear: await addPrice(stripe, pro.id, 'price_pro_annual', 11_000, 'year'),
    elite: await addPrice(stripe, elite.id, 'price_elite_monthly', 2500, 'month'),
  }
  return { server, stripe, prices, [Symbol.asyncDispose]: () => server.close() }
}

/** A subscription that was bought on the checkout page. */
export async function bought({ stripe, server }: StripeSetting, price: string, action = 'pay') {
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    client_reference_id: 'checkout-1',
    customer_email: 'ada@example.com',
    line_items: [{ price, quantity: 1 }],
    success_url: 'http://localhost/#payment-success?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://localhost/#payment-cancelled',
  })
  const location = await server.pay(session.url ?? '', action)
  const done = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['subscription', 'line_items'],
  })
  return { session: done, subscription: done.subscription as Stripe.Subscription, location }
}

/** The id of a reference, expanded or not. */
export function idOf(reference: string | { readonly id: string } | null | undefined): string {
  return typeof reference === 'string' ? reference : (reference?.id ?? '')
}
