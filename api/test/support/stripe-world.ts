/** Accounts that pay at the local Stripe server, through the service's own calls and its own client. */
import type { Invoice, SubscriptionStatus } from '@homing/openapi'
import { afterAll, beforeAll } from 'vitest'
import { TestClock } from '../../../test/payment-servers/clock.ts'
import { StripeServer } from '../../../test/payment-servers/stripe-server.ts'
import { query } from '../../src/database/sql.ts'
import { runClock } from '../../src/jobs/payments.ts'
import { doDuties } from '../../src/payments/do-duties.ts'
import { applyPendingEvents } from '../../src/payments/events.ts'
import { stripeProvider } from '../../src/payments/providers/stripe.ts'
import { type ApiWorld, type Caller, openApiWorld } from './api-world.ts'
import { call, type Method, type Reply } from './calls.ts'
import { eventsOfGuide } from './guide-events.ts'

const START = Date.parse('2026-03-10T09:00:00Z')
export const DAY_MS = 86_400_000
const SENT = eventsOfGuide('stripe')

export class StripeWorld {
  readonly world: ApiWorld
  readonly server: StripeServer
  #people = 0
  #sent = 0

  constructor(world: ApiWorld, server: StripeServer) {
    this.world = world
    this.server = server
  }

  static async open(): Promise<StripeWorld> {
    const clock = new TestClock(() => START)
    const server = await StripeServer.start({ clock, signingTime: () => clock.now() })
    // Two reads of a subscription never begin at the same time.
    let ticks = 0
    const now = () => new Date(clock.now() + (ticks += 1))
    const config = {
      secretKey: server.secretKey,
      webhookSecret: server.webhookSecret,
      apiBase: new URL(server.origin),
      isTest: true,
      realm: 'local',
    }
    const payments = { stripe: stripeProvider(config, now) }
    return new StripeWorld(await openApiWorld({}, { now, payments }), server)
  }

  async end(): Promise<void> {
    await this.world.end()
    await this.server.close()
  }

  async person(accountType = 'free'): Promise<Caller> {
    this.#people += 1
    return this.world.person(`buyer${this.#people}`, accountType)
  }

  async call(who: Caller, method: Method, url: string, body?: unknown): Promise<Reply> {
    // Time passes between calls, and a session ends before a period does.
    this.server.advance(1_000)
    return call(this.world.app, method, url, { headers: await this.world.signIn(who.id), body })
  }

  async checkout(who: Caller, plan = 'pro', billing = 'monthly'): Promise<string> {
    const reply = await this.call(who, 'POST', '/api/create-checkout-session', { plan, billing })
    if (reply.status !== 200) throw new Error(reply.text)
    return reply.json<{ checkoutUrl: string }>().checkoutUrl
  }

  /** Delivers the events that were not delivered yet, as Stripe does. @returns the statuses */
  async deliver(): Promise<number[]> {
    const events = this.server.events.slice(this.#sent)
    this.#sent += events.length
    const answers: number[] = []
    for (const event of events.filter(({ type }) => SENT.has(type))) {
      const { body, headers } = this.server.sign(event)
      answers.push((await this.webhook(body, headers)).status)
    }
    return answers
  }

  async webhook(body: string, headers: Readonly<Record<string, string>>): Promise<Reply> {
    const url = '/api/payments/webhooks/stripe'
    return call(this.world.app, 'POST', url, { headers, body })
  }

  /** Delivers and applies until nothing is left. */
  async settle(): Promise<void> {
    for (let round = 0; round < 20; round += 1) {
      this.server.advance(2_000)
      await this.deliver()
      const applied = await applyPendingEvents(this.world.services)
      const { done } = await doDuties(this.world.services)
      if (Object.keys(applied).length === 0 && done === 0) return
    }
    throw new Error('something is never done')
  }

  async buy(who: Caller, plan = 'pro', billing = 'monthly'): Promise<void> {
    await this.server.pay(await this.checkout(who, plan, billing))
    await this.settle()
  }

  /** Time passes at Stripe and here. */
  async after(ms: number): Promise<void> {
    this.server.advance(ms)
    await this.settle()
    await runClock(this.world.services)
    await this.settle()
  }

  async status(who: Caller): Promise<SubscriptionStatus> {
    return (
      await this.call(who, 'GET', '/api/payments/subscription-status')
    ).json<SubscriptionStatus>()
  }

  async invoices(who: Caller): Promise<Invoice[]> {
    return (await this.call(who, 'GET', '/api/payments/invoices')).json<Invoice[]>()
  }

  async planOf({ id }: Caller): Promise<string | undefined> {
    const [row] = await query<{ account_type: string }>(
      this.world.knex,
      'select account_type from users where id = ?',
      [id],
    )
    return row?.account_type
  }

  /** The customer of an account at Stripe. */
  async customerOf({ id }: Caller): Promise<string> {
    const [row] = await query<{ customer_id: string }>(
      this.world.knex,
      'select customer_id from subscriptions where user_id = ? order by id desc limit 1',
      [id],
    )
    return row?.customer_id ?? ''
  }

  /** Kind, id and amount of each entry, as the server's books write them. */
  async ledger(): Promise<string[]> {
    const rows = await query<{ line: string }>(
      this.world.knex,
      `select kind || ' ' || provider_id || ' ' || amount_cents as line from ledger_entries order by 1`,
    )
    return rows.map(({ line }) => line).toSorted()
  }
}

/** The world of a file of tests. */
export function useStripeWorld(): { readonly t: StripeWorld } {
  const holder: { t?: StripeWorld } = {}
  beforeAll(async () => {
    holder.t = await StripeWorld.open()
  })
  afterAll(async () => holder.t?.end())
  return {
    get t() {
      if (holder.t === undefined) throw new Error('the world is not open yet')
      return holder.t
    },
  }
}
