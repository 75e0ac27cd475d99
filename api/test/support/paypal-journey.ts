/**
 * Accounts that pay at PayPal: the real provider and the local server, with Stripe in memory and the clock of
 * `PaymentWorld`. Events come through the verification of signatures.
 */
import { TestClock } from '../../../test/payment-servers/clock.ts'
import { PayPalServer } from '../../../test/payment-servers/paypal-server.ts'
import { query } from '../../src/database/sql.ts'
import { recordEvent } from '../../src/payments/record-event.ts'
import type { PaymentProvider, WantedPrice } from '../../src/payments/provider.ts'
import { paypalProvider } from '../../src/payments/providers/paypal.ts'
import { openApiWorld } from './api-world.ts'
import { eventsOfGuide } from './guide-events.ts'
import { MemoryProvider } from './memory-provider.ts'
import { testOutgoing } from './outgoing.ts'
import { PaymentWorld } from './payment-world.ts'
import { orderOf } from './paypal-world.ts'

const SENT = eventsOfGuide('paypal')

interface Wish {
  readonly price?: string
  readonly purpose?: 'new' | 'change' | 'switch'
  readonly replaces?: string
  readonly startsAt?: Date
}

export class PaypalJourney {
  readonly t: PaymentWorld
  readonly server: PayPalServer
  readonly provider: PaymentProvider
  readonly #plans: ReadonlyMap<string, string>
  #delivered = 0

  constructor(
    t: PaymentWorld,
    server: PayPalServer,
    provider: PaymentProvider,
    plans: ReadonlyMap<string, string>,
  ) {
    this.t = t
    this.server = server
    this.provider = provider
    this.#plans = plans
  }

  /** Delivers what PayPal sends, in reverse and twice, until nothing is left to do. */
  async settle(): Promise<void> {
    do {
      this.server.advance(0)
      const happened = this.server.events.slice(this.#delivered)
      this.#delivered += happened.length
      const events = happened.filter(({ event_type }) => SENT.has(event_type))
      for (const event of [...events, ...events].toReversed()) {
        const { body, headers } = this.server.sign(event)
        const read = await this.provider.verifyEvent(Buffer.from(body), headers)
        await recordEvent(this.t.services, 'paypal', read)
      }
      await this.t.settle()
    } while (this.server.events.length > this.#delivered)
  }

  async after(ms: number): Promise<void> {
    this.t.pass(ms)
    await this.settle()
    await this.t.after(0)
    await this.settle()
  }

  /** A checkout that the payer approves. @returns the subscription */
  async buy(userId: string, wish: Wish = {}): Promise<string> {
    const { price = 'pro_monthly', startsAt = null, ...purpose } = wish
    const plan = this.#plans.get(price) ?? ''
    const id = await this.t.checkout(userId, { provider: 'paypal', price: plan, ...purpose })
    const made = await this.provider.createCheckout(orderOf(plan, startsAt, id))
    await this.t.sql('update checkouts set provider_id = ? where id = ?', made.providerId, id)
    await this.server.approve(made.url)
    await this.settle()
    return made.providerId
  }

  async end(): Promise<void> {
    await this.t.world.end()
    await this.server.close()
  }
}

export async function openPaypalJourney(): Promise<PaypalJourney> {
  const clock = { at: Date.parse('2026-11-02T09:00:00Z') }
  const now = () => new Date(clock.at)
  const server = await PayPalServer.start({
    clock: new TestClock(() => clock.at),
    signingTime: () => clock.at,
  })
  const provider = paypalProvider(
    {
      clientId: server.clientId,
      clientSecret: server.clientSecret,
      webhookId: server.webhookId,
      apiBase: new URL(server.origin),
      isTest: true,
      realm: 'journey',
    },
    { outgoing: testOutgoing(), now },
  )
  const stripe = new MemoryProvider('stripe', now)
  const world = await openApiWorld({}, { now, payments: { stripe, paypal: provider } })
  const rows = await query<Omit<WantedPrice, 'amountCents'> & { amount_cents: number }>(
    world.knex,
    'select * from plan_prices where is_current',
  )
  const wanted = rows.map(({ amount_cents: amountCents, ...price }) => ({ ...price, amountCents }))
  const plans = new Map<string, string>()
  for (const each of [stripe, provider]) {
    for (const { id, providerId, productId } of await each.setUpPrices(wanted)) {
      await query(
        world.knex,
        'insert into provider_prices (provider, realm, price_id, provider_id, product_id) values (?, ?, ?, ?, ?)',
        [each.name, each.realm, id, providerId, productId],
      )
      const price = wanted.find((one) => one.id === id)
      if (each === provider && price) plans.set(`${price.plan}_${price.billing}`, providerId)
    }
  }
  // PayPal's events come from the server; this one sends none.
  const silent = new MemoryProvider('paypal', now)
  return new PaypalJourney(
    new PaymentWorld(world, { stripe, paypal: silent }, clock),
    server,
    provider,
    plans,
  )
}
