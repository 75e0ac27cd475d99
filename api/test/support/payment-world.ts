/** Accounts that pay, over providers in memory and a clock that the test moves. */
import { afterAll, beforeAll } from 'vitest'
import { query } from '../../src/database/sql.ts'
import { runClock } from '../../src/jobs/payments.ts'
import type { ApplyServices } from '../../src/payments/apply.ts'
import { doDuties } from '../../src/payments/do-duties.ts'
import { applyPendingEvents } from '../../src/payments/events.ts'
import { recordEvent } from '../../src/payments/record-event.ts'
import type { ProviderEvent, ProviderName } from '../../src/payments/provider.ts'
import type { SubscriptionRow } from '../../src/payments/rows.ts'
import { type ApiWorld, type Caller, openApiWorld } from './api-world.ts'
import { KeepingMailer, runJobs } from './mail.ts'
import { MemoryProvider } from './memory-provider.ts'

const MINUTE_MS = 60_000
export const DAY_MS = 86_400_000

export class PaymentWorld {
  readonly world: ApiWorld
  readonly stripe: MemoryProvider
  readonly paypal: MemoryProvider
  readonly mailer = new KeepingMailer()
  people = 0
  readonly #clock: { at: number }

  constructor(
    world: ApiWorld,
    providers: { stripe: MemoryProvider; paypal: MemoryProvider },
    clock: { at: number },
  ) {
    this.world = world
    this.stripe = providers.stripe
    this.paypal = providers.paypal
    this.#clock = clock
  }

  get services(): ApplyServices {
    return this.world.services
  }

  get now(): Date {
    return new Date(this.#clock.at)
  }

  pass(ms: number): void {
    this.#clock.at += ms
  }

  sql<Row>(sql: string, ...values: (string | number | Date | null)[]): Promise<Row[]> {
    return query<Row>(this.world.knex, sql, values)
  }

  async person(accountType = 'free'): Promise<Caller> {
    this.people += 1
    return this.world.person(`payer${this.people}`, accountType)
  }

  /** A checkout of an account that is open at the provider. */
  async checkout(
    userId: string,
    wish: {
      provider?: ProviderName
      price?: string
      purpose?: 'new' | 'change' | 'switch'
      replaces?: string
    } = {},
  ): Promise<string> {
    const { provider = 'stripe', price = 'pro_monthly', purpose = 'new', replaces } = wish
    const [row] = await this.sql<{ id: string }>(
      `insert into checkouts (user_id, provider, price_id, purpose, replaces_id, created_at, expires_at)
       select ?, ?, price_id, ?, ?, ?, ? from provider_prices where provider = ? and provider_id = ? returning id`,
      userId,
      provider,
      purpose,
      replaces ?? null,
      this.now,
      new Date(this.now.getTime() + DAY_MS),
      provider,
      price,
    )
    if (row === undefined) throw new Error('no checkout was made')
    return row.id
  }

  /** An account pays for a plan. @returns the subscription at the provider */
  async buy(userId: string, price = 'pro_monthly', provider: ProviderName = 'stripe') {
    const id = this[provider].pay(await this.checkout(userId, { provider, price }), price)
    await this.settle()
    return id
  }

  /** Delivers the events that were not delivered yet. */
  async deliver(events?: readonly ProviderEvent[]): Promise<void> {
    for (const provider of [this.stripe, this.paypal]) {
      const sent = events ?? provider.events.splice(0)
      for (const event of sent) {
        if (event.id.includes(`_${provider.name}_`))
          await recordEvent(this.services, provider.name, event)
      }
    }
  }

  /** Delivers, applies and does everything until nothing is left; a minute passes between rounds. */
  async settle(): Promise<void> {
    for (let round = 0; round < 50; round += 1) {
      this.pass(1_000)
      await this.deliver()
      const events = await applyPendingEvents(this.services)
      const duties = await doDuties(this.services)
      const [left] = await this.sql<{ count: number }>(
        `select ((select count(*) from payment_events where state = 'pending')
                 + (select count(*) from payment_duties where done_at is null))::int as count`,
      )
      const isDone =
        left?.count === 0 && this.stripe.events.length + this.paypal.events.length === 0
      if (isDone && Object.keys(events).length === 0 && duties.done === 0) return
      if (left !== undefined && left.count > 0) this.pass(2 * MINUTE_MS)
    }
    throw new Error('something is never done')
  }

  /** Time passes, the clock's jobs run, and everything that follows is done. */
  async after(ms: number): Promise<void> {
    this.pass(ms)
    await runClock(this.world.services)
    await this.settle()
  }

  async row(providerId: string): Promise<SubscriptionRow> {
    const [row] = await this.sql<SubscriptionRow>(
      'select * from subscriptions where provider_id = ?',
      providerId,
    )
    if (row === undefined) throw new Error(`no row for ${providerId}`)
    return row
  }

  async planOf(userId: string): Promise<string | undefined> {
    const [row] = await this.sql<{ account_type: string }>(
      'select account_type from users where id = ?',
      userId,
    )
    return row?.account_type
  }

  /** The mails that were sent since the last call, without the name of the product: their subjects. */
  async subjects(): Promise<string[]> {
    await runJobs(this.world.services, this.mailer)
    return this.mailer.sent.splice(0).map(({ subject }) => subject.replace(/^[^:]*: /, ''))
  }

  async ledgerSum(provider: ProviderName): Promise<number> {
    const [row] = await this.sql<{ sum: number }>(
      'select coalesce(sum(amount_cents), 0)::int as sum from ledger_entries where provider = ?',
      provider,
    )
    return row?.sum ?? 0
  }
}

interface PriceRow {
  readonly id: string
  readonly plan: 'pro' | 'elite'
  readonly billing: 'monthly' | 'annual'
  readonly amount_cents: number
  readonly currency: string
  readonly version: number
}

async function setUpPrices(world: ApiWorld, provider: MemoryProvider): Promise<void> {
  const prices = await query<PriceRow>(world.knex, 'select * from plan_prices where is_current')
  const wanted = prices.map(({ amount_cents: amountCents, ...price }) => ({
    ...price,
    amountCents,
  }))
  for (const { id, providerId, productId } of await provider.setUpPrices(wanted)) {
    await query(
      world.knex,
      'insert into provider_prices (provider, realm, price_id, provider_id, product_id) values (?, ?, ?, ?, ?)',
      [provider.name, provider.realm, id, providerId, productId],
    )
  }
}

async function openPaymentWorld(): Promise<PaymentWorld> {
  const clock = { at: Date.parse('2026-03-02T09:00:00Z') }
  const now = () => new Date(clock.at)
  const stripe = new MemoryProvider('stripe', now)
  const paypal = new MemoryProvider('paypal', now)
  const world = await openApiWorld({}, { now, payments: { stripe, paypal } })
  await setUpPrices(world, stripe)
  await setUpPrices(world, paypal)
  return new PaymentWorld(world, { stripe, paypal }, clock)
}

/** The world of a file of tests. */
export function usePaymentWorld(): { readonly t: PaymentWorld } {
  const holder: { t?: PaymentWorld } = {}
  beforeAll(async () => {
    holder.t = await openPaymentWorld()
  })
  afterAll(async () => holder.t?.world.end())
  return {
    get t() {
      if (holder.t === undefined) throw new Error('the world is not open yet')
      return holder.t
    },
  }
}
