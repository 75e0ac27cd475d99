/** The real provider, through the real outgoing door, against the local server that speaks PayPal's API. For tests. */
import { randomUUID } from 'node:crypto'
import { testOutgoing } from './outgoing.ts'
import { TestClock } from '../../../test/payment-servers/clock.ts'
import { PayPalServer } from '../../../test/payment-servers/paypal-server.ts'
import type { PaymentProvider, ReadSubscription, WantedPrice } from '../../src/payments/provider.ts'
import { paypalProvider } from '../../src/payments/providers/paypal.ts'

export const DAY_MS = 86_400_000
export const START = Date.parse('2026-11-10T09:00:00Z')

export const PRICES: readonly WantedPrice[] = [
  { id: '1', plan: 'pro', billing: 'monthly', amountCents: 1_000, currency: 'USD', version: 1 },
  { id: '2', plan: 'pro', billing: 'annual', amountCents: 11_000, currency: 'USD', version: 1 },
  { id: '3', plan: 'elite', billing: 'monthly', amountCents: 2_500, currency: 'USD', version: 1 },
]

export interface PaypalWorld extends AsyncDisposable {
  readonly server: PayPalServer
  readonly provider: PaymentProvider
  /** The plan at PayPal for a price. */
  readonly plan: (id: string) => string
  /** An approved subscription. */
  readonly buy: (plan?: string, startsAt?: Date) => Promise<string>
  readonly read: (id: string) => Promise<ReadSubscription>
  readonly now: () => Date
}

export interface WorldOptions {
  /** Whether only the server's own root is trusted. */
  readonly trustsRoot?: boolean
  readonly clientSecret?: string
  readonly requestLimitMs?: number
}

export async function openPaypalWorld(options: WorldOptions = {}): Promise<PaypalWorld> {
  const clock = new TestClock(() => START)
  const server = await PayPalServer.start({ clock, signingTime: () => clock.now() })
  const now = () => new Date(clock.now())
  const provider = paypalProvider(
    {
      clientId: server.clientId,
      clientSecret: options.clientSecret ?? server.clientSecret,
      webhookId: server.webhookId,
      apiBase: new URL(server.origin),
      isTest: true,
      realm: 'test',
    },
    {
      outgoing: testOutgoing(),
      now,
      ...(options.requestLimitMs !== undefined && { requestLimitMs: options.requestLimitMs }),
      ...(options.trustsRoot === true && { trusted: [server.rootCertificate] }),
    },
  )
  const plans = new Map<string, string>()
  if (options.clientSecret === undefined) {
    for (const { id, providerId } of await provider.setUpPrices(PRICES)) plans.set(id, providerId)
  }
  const plan = (id: string) => plans.get(id) ?? ''
  return {
    server,
    provider,
    now,
    plan,
    async buy(price = '1', startsAt) {
      const { providerId, url } = await provider.createCheckout(orderOf(plan(price), startsAt))
      await server.approve(url)
      return providerId
    },
    async read(id) {
      const found = await provider.read(id)
      if (found === undefined) throw new Error(`${id} does not exist`)
      return found
    },
    [Symbol.asyncDispose]: async () => server.close(),
  }
}

export const orderOf = (
  plan: string,
  startsAt: Date | null = null,
  checkoutId: string = randomUUID(),
) => ({
  checkoutId,
  priceProviderId: plan,
  email: 'ada@example.net',
  customerId: null,
  payer: null,
  startsAt,
  successUrl: new URL('http://localhost/payment-success?provider=paypal'),
  cancelUrl: new URL('http://localhost/payment-cancelled?plan=pro&billing=monthly'),
  expiresAt: new Date(START + DAY_MS),
})
