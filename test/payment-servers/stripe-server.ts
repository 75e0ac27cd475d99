/**
 * A server that speaks Stripe's API, for tests. README.md says what it imitates.
 *
 * Its objects live in memory and its state changes within one call, so nothing is ever half done. Money, periods,
 * retries and events follow Stripe's documentation of API version 2026-10-28.endive.
 */
import { createHash, createHmac } from 'node:crypto'
import { TestClock } from './clock.ts'
import { Deliveries, type Delivery, type Forgery } from './deliveries.ts'
import { Faults } from './faults.ts'
import { type Answer, type Call, listen } from './http-server.ts'
import { expanded } from './stripe/answers.ts'
import { collect } from './stripe/collect.ts'
import { CARDS, attachCard } from './stripe/customers.ts'
import { decodeForm } from './stripe/form.ts'
import type { Charge, StripeEvent, Subscription } from './stripe/objects.ts'
import { stripePage } from './stripe/pages.ts'
import { closeDispute, escalateInquiry, openDispute } from './stripe/disputes.ts'
import { createRefund } from './stripe/refunds.ts'
import { carryOut } from './stripe/routes.ts'
import { StripeTrouble } from './stripe/trouble.ts'
import { API_VERSION, type CardConduct, type StripeSettings, StripeWorld } from './stripe/world.ts'

export interface StripeServerOptions extends Partial<StripeSettings> {
  readonly clock?: TestClock
  readonly secretKey?: string
  readonly webhookSecret?: string
  /** Where events are delivered. */
  readonly webhookUrl?: string | null
  /** Milliseconds since 1970 for signatures: the clock of the service that verifies them. */
  readonly signingTime?: () => number
  readonly port?: number
}

const HOUR_MS = 3_600_000
const DEFAULTS: StripeSettings = {
  draftMs: HOUR_MS,
  retryDays: [1, 3, 5, 7, 10, 12, 14],
  afterRetries: 'leave',
}
const KEPT_MS = 24 * HOUR_MS
const LARGEST_KEY = 255

interface Kept {
  readonly fingerprint: string
  readonly answer: Answer
  readonly at: number
}

export class StripeServer {
  readonly clock: TestClock
  readonly faults = new Faults()
  readonly world: StripeWorld
  readonly deliveries: Deliveries<StripeEvent>
  readonly secretKey: string
  readonly webhookSecret: string
  /** Every call of the API, such as `POST /v1/refunds`. */
  readonly calls: string[] = []
  readonly #signingTime: () => number
  readonly #kept = new Map<string, Kept>()
  #close: () => Promise<void> = async () => undefined

  private constructor(options: StripeServerOptions) {
    this.clock = options.clock ?? new TestClock()
    this.secretKey = options.secretKey ?? 'sk_test_homing'
    this.webhookSecret = options.webhookSecret ?? 'whsec_homing'
    this.#signingTime = options.signingTime ?? Date.now
    this.world = new StripeWorld(this.clock, { ...DEFAULTS, ...options })
    const signer = {
      sign: (event: StripeEvent) => this.sign(event),
      forge: (event: StripeEvent, how: Forgery) => this.#forge(event, how),
    }
    this.deliveries = new Deliveries(signer, options.webhookUrl ?? null)
    this.world.onEvent = (event) => this.deliveries.send(event)
  }

  static async start(options: StripeServerOptions = {}): Promise<StripeServer> {
    const server = new StripeServer(options)
    const listening = await listen(
      {
        faults: server.faults,
        call: (call) => server.#answer(call),
        unavailable: () =>
          server.#trouble(
            new StripeTrouble(500, 'An unknown error occurred.', { type: 'api_error' }),
          ),
        tooMany: () =>
          server.#trouble(
            new StripeTrouble(429, 'Request rate limit exceeded.', { code: 'rate_limit' }),
          ),
      },
      options.port,
    )
    server.world.origin = listening.origin
    server.#close = () => listening.close()
    return server
  }

  /** The value of STRIPE_API_BASE. */
  get origin(): string {
    return this.world.origin
  }

  get books() {
    return this.world.books
  }

  get events(): StripeEvent[] {
    return this.world.all('event').reverse()
  }

  /** Moves the time and does what Stripe does meanwhile. */
  advance(ms: number): void {
    this.clock.advance(ms)
  }

  /** What a customer's cards do from now on. */
  cardsOf(customerId: string, conduct: CardConduct): void {
    for (const method of this.world.of('payment_method', customerId))
      this.world.cards.set(method.id, conduct)
  }

  /** Pays an open checkout session as the page does. */
  async pay(sessionUrl: string, action = 'pay'): Promise<string | null> {
    const answer = await fetch(sessionUrl, {
      method: 'POST',
      body: new URLSearchParams({ action }),
      redirect: 'manual',
    })
    return answer.headers.get('location')
  }

  /** Saves a card for a customer, as a page of Stripe does. */
  saveCard(customerId: string, kind: keyof typeof CARDS): string {
    const customer = this.world.need('customer', customerId)
    const method = attachCard(this.world, customer, CARDS[kind](this.world))
    customer.invoice_settings.default_payment_method = method.id
    return method.id
  }

  /** Tries an open invoice again now, as a retry does. */
  retry(invoiceId: string): string {
    return collect(this.world, this.world.need('invoice', invoiceId), { asksCustomer: false })
  }

  /** The last charge of a subscription that succeeded. */
  lastCharge(subscription: string | Subscription): Charge {
    const id = typeof subscription === 'string' ? subscription : subscription.id
    const { customer } = this.world.need('subscription', id)
    const charge = this.world.of('charge', customer).find(({ paid }) => paid)
    if (charge === undefined) throw new Error(`${id} has no charge.`)
    return charge
  }

  /** A refund that the merchant makes at Stripe's dashboard. */
  refund(chargeId: string, amountCents?: number): void {
    createRefund(this.world, {
      charge: chargeId,
      ...(amountCents !== undefined && { amount: String(amountCents) }),
    })
  }

  /** @returns the id of the dispute */
  dispute(chargeId: string, how: 'dispute' | 'inquiry' = 'dispute'): string {
    return openDispute(this.world, this.world.need('charge', chargeId), how === 'inquiry').id
  }

  /** An inquiry becomes a dispute. */
  escalate(disputeId: string): void {
    escalateInquiry(this.world, this.world.need('dispute', disputeId))
  }

  decideDispute(disputeId: string, won: boolean): void {
    closeDispute(this.world, this.world.need('dispute', disputeId), won)
  }

  /** The body and headers of an event: https://docs.stripe.com/webhooks/signature. */
  sign(event: StripeEvent, secret = this.webhookSecret, at = this.#signingTime()): Delivery {
    const body = JSON.stringify(event, null, 2)
    const time = Math.floor(at / 1000)
    const digest = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
    return {
      body,
      headers: {
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'stripe-signature': `t=${time},v1=${digest},v0=${'0'.repeat(64)}`,
      },
    }
  }

  #forge(event: StripeEvent, how: Forgery): Delivery {
    const forged = { ...event, id: this.world.newId('evt_forged') }
    if (how === 'other-key') return this.sign(forged, 'whsec_somebody_else')
    if (how === 'stale')
      return this.sign(forged, this.webhookSecret, this.#signingTime() - 2 * HOUR_MS)
    const { body, headers } = this.sign(forged)
    if (how === 'changed-body')
      return { body: body.replace('"livemode": false', '"livemode": true'), headers }
    return { body, headers: {} }
  }

  async close(): Promise<void> {
    this.deliveries.stop()
    await this.#close()
  }

  #answer(call: Call): Answer {
    const page = stripePage(this.world, call)
    if (page !== undefined) return page
    this.calls.push(`${call.method} ${call.path}`)
    try {
      this.#authenticate(call)
      return this.#once(call)
    } catch (error) {
      if (error instanceof StripeTrouble) return this.#trouble(error)
      throw error
    }
  }

  #authenticate({ headers }: Call): void {
    const [scheme, credential = ''] = (headers.authorization ?? '').split(' ')
    const key =
      scheme === 'Basic' ? Buffer.from(credential, 'base64').toString().split(':')[0] : credential
    if (!key) throw new StripeTrouble(401, 'You did not provide an API key.')
    if (key !== this.secretKey)
      throw new StripeTrouble(401, `Invalid API Key provided: ${key.slice(0, 8)}****`)
    const version = headers['stripe-version'] ?? API_VERSION
    if (version !== API_VERSION)
      throw new StripeTrouble(
        400,
        `Invalid Stripe API version: ${String(version)}. This server imitates ${API_VERSION}.`,
      )
  }

  /** https://docs.stripe.com/api/idempotent_requests: the same key has the same answer for 24 hours. */
  #once(call: Call): Answer {
    const key = call.headers['idempotency-key']
    if (call.method !== 'POST' || typeof key !== 'string') return this.#perform(call, null)
    if (key.length > LARGEST_KEY)
      throw new StripeTrouble(400, 'Idempotency key is longer than 255 characters.', {
        type: 'idempotency_error',
      })
    const fingerprint = createHash('sha256').update(`${call.path}\n${call.body}`).digest('hex')
    const kept = this.#kept.get(key)
    if (kept !== undefined && this.clock.now() - kept.at < KEPT_MS) {
      if (kept.fingerprint !== fingerprint)
        throw new StripeTrouble(
          400,
          `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
          { type: 'idempotency_error' },
        )
      return { ...kept.answer, headers: { ...kept.answer.headers, 'idempotent-replayed': 'true' } }
    }
    const answer = this.#performOrTrouble(call, key)
    // A request that failed validation was never executed, so its key is free.
    if (answer.status !== 400 && answer.status !== 404)
      this.#kept.set(key, { fingerprint, answer, at: this.clock.now() })
    return answer
  }

  #performOrTrouble(call: Call, key: string): Answer {
    try {
      return this.#perform(call, key)
    } catch (error) {
      if (error instanceof StripeTrouble) return this.#trouble(error)
      throw error
    }
  }

  #perform(call: Call, key: string | null): Answer {
    const id = this.world.newId('req')
    this.world.request = { id, idempotency_key: key }
    try {
      const params = decodeForm(call.method === 'POST' ? call.body : `${call.query}&${call.body}`)
      const result = carryOut(this.world, call.method, call.path, params)
      const body = expanded(this.world, result, params)
      return { status: 200, headers: this.#headers(id, key), body }
    } finally {
      this.world.request = { id: null, idempotency_key: null }
    }
  }

  #headers(id: string, key: string | null): Record<string, string> {
    return {
      'request-id': id,
      'stripe-version': API_VERSION,
      ...(key !== null && { 'idempotency-key': key, 'original-request': id }),
    }
  }

  #trouble(error: StripeTrouble): Answer {
    const id = this.world.newId('req')
    const body = {
      error: {
        message: error.message,
        request_log_url: `https://dashboard.stripe.com/test/logs/${id}`,
        ...error.fields,
      },
    }
    const retry =
      error.status === 429 || error.status >= 500 ? { 'stripe-should-retry': 'true' } : {}
    return { status: error.status, headers: { ...this.#headers(id, null), ...retry }, body }
  }
}
