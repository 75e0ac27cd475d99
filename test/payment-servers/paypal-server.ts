/**
 * A server that speaks PayPal's REST APIs for subscriptions, for tests. README.md says what it imitates.
 *
 * Its objects live in memory and its state changes within one call, so nothing is ever half done.
 */
import { TestClock } from './clock.ts'
import { Deliveries, type Delivery, type Forgery } from './deliveries.ts'
import { Faults } from './faults.ts'
import { type Answer, type Call, listen } from './http-server.ts'
import { setStatus } from './paypal/billing.ts'
import type { Agreement, Body, PayPalEvent, Sale } from './paypal/objects.ts'
import { paypalPage } from './paypal/pages.ts'
import { closeDispute, openDispute, refundSale, reverseSale } from './paypal/payments.ts'
import { carryOut } from './paypal/routes.ts'
import { type SigningKey, makeSigningKey, rawEventOf, signed, verifies } from './paypal/signing.ts'
import { Repeats } from './paypal/repeats.ts'
import { bodyOf, missing, PayPalTrouble, troubleAnswer } from './paypal/trouble.ts'
import { AccessTokens } from './paypal/access-tokens.ts'
import { PayPalWorld } from './paypal/world.ts'

export interface PayPalServerOptions {
  readonly clock?: TestClock
  readonly clientId?: string
  readonly clientSecret?: string
  readonly webhookId?: string
  readonly webhookUrl?: string | null
  /** Milliseconds since 1970 for the times of transmissions. */
  readonly signingTime?: () => number
  readonly port?: number
}

const CERTIFICATE = '/v1/notifications/certs/CERT-360caa42-fca2a594-1d93a270'
const FORGED_CERTIFICATE = '/forged-certificate'

/** Keys take a moment to make; the servers of a process share them. */
const once = (make: () => Promise<SigningKey>) => {
  let made: Promise<SigningKey> | undefined
  return () => (made ??= make())
}
const genuineKey = once(() => makeSigningKey())
const forgedKey = once(() => makeSigningKey())

export class PayPalServer {
  readonly clock: TestClock
  readonly faults = new Faults()
  readonly world: PayPalWorld
  readonly deliveries: Deliveries<PayPalEvent>
  readonly clientId: string
  readonly clientSecret: string
  readonly webhookId: string
  /** Every call of the API, such as `POST /v1/billing/subscriptions`. */
  readonly calls: string[] = []
  /** While true, certificates are answered 503. */
  certificatesFail = false
  /** Calls that the server does not offer, such as `GET /v1/reporting/transactions`: they are answered 404. */
  absent: RegExp | undefined
  /** While true, subscriptions and lists of plans leave out what PayPal's reference does not require. */
  lean = false
  readonly #certificates = new Map<string, string>()
  readonly #key: SigningKey
  readonly #forger: SigningKey
  readonly #signingTime: () => number
  readonly #tokens: AccessTokens
  readonly #repeats: Repeats
  /** A repeated delivery has the same transmission. */
  readonly #transmissions = new WeakMap<PayPalEvent, Delivery>()
  #close: () => Promise<void> = async () => undefined

  private constructor(options: PayPalServerOptions, key: SigningKey, forger: SigningKey) {
    this.clock = options.clock ?? new TestClock()
    this.clientId = options.clientId ?? 'homing-client'
    this.clientSecret = options.clientSecret ?? 'homing-secret'
    this.webhookId = options.webhookId ?? '8PT597110X687430LKGECATA'
    this.#signingTime = options.signingTime ?? Date.now
    this.#key = key
    this.#forger = forger
    this.world = new PayPalWorld(this.clock)
    this.#tokens = new AccessTokens(this)
    this.#repeats = new Repeats(this.clock)
    const signer = {
      sign: (event: PayPalEvent) => this.sign(event),
      forge: (event: PayPalEvent, how: Forgery) => this.#forge(event, how),
    }
    this.deliveries = new Deliveries(signer, options.webhookUrl ?? null)
    this.world.onEvent = (event) => this.deliveries.send(event)
  }

  static async start(options: PayPalServerOptions = {}): Promise<PayPalServer> {
    const server = new PayPalServer(options, await genuineKey(), await forgedKey())
    const listening = await listen(
      {
        faults: server.faults,
        call: (call) => server.#answer(call),
        unavailable: () =>
          server.#trouble(
            new PayPalTrouble(
              503,
              'SERVICE_UNAVAILABLE',
              'SERVICE_UNAVAILABLE',
              'Service unavailable.',
            ),
          ),
        tooMany: () =>
          server.#trouble(
            new PayPalTrouble(
              429,
              'RATE_LIMIT_REACHED',
              'RATE_LIMIT_REACHED',
              'Too many requests. Blocked due to rate limiting.',
            ),
          ),
      },
      options.port,
    )
    server.world.origin = listening.origin
    server.#close = () => listening.close()
    return server
  }

  /** The value of PAYPAL_API_BASE. */
  get origin(): string {
    return this.world.origin
  }

  get books() {
    return this.world.books
  }

  get events(): readonly PayPalEvent[] {
    return this.world.events
  }

  /** The root that a verifier of the certificate chain trusts, as PEM. */
  get rootCertificate(): string {
    return this.#key.root
  }

  /** The key that the server signs with. */
  get signingKey(): SigningKey {
    return this.#key
  }

  /** Serves another certificate beside its own. */
  serveCertificate(name: string, pem: string): void {
    this.#certificates.set(`/v1/notifications/certs/${name}`, pem)
  }

  get certificateUrl(): string {
    return `${this.origin}${CERTIFICATE}`
  }

  advance(ms: number): void {
    this.clock.advance(ms)
  }

  /** Uses the page of an approval, as a browser does. @returns where the browser goes */
  async approve(url: string, action = 'approve'): Promise<string | null> {
    const answer = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ action }),
      redirect: 'manual',
    })
    return answer.headers.get('location')
  }

  /** What the payer's means of payment does from now on. */
  payerOf(subscriptionId: string, conduct: Agreement['conduct']): void {
    this.world.need(this.world.agreements, subscriptionId).conduct = conduct
  }

  /** Ends all access tokens. */
  revokeTokens(): void {
    this.#tokens.clear()
  }

  lastSale(subscriptionId: string): Sale {
    const sale = [...this.world.sales.values()].findLast(
      (each) => each.agreement === subscriptionId,
    )
    if (sale === undefined) throw new Error(`${subscriptionId} has no payment.`)
    return sale
  }

  /** A refund that the merchant makes at PayPal's site. */
  refund(saleId: string, amountCents?: number): void {
    const amount =
      amountCents === undefined ? {} : { amount: { value: (amountCents / 100).toFixed(2) } }
    refundSale(this.world, this.world.need(this.world.sales, saleId), amount)
  }

  reverse(saleId: string): void {
    reverseSale(this.world, this.world.need(this.world.sales, saleId))
  }

  /** @param others ids of other transactions that the dispute names before the sale */
  dispute(saleId: string, others: readonly string[] = []): string {
    return openDispute(this.world, this.world.need(this.world.sales, saleId), others).id
  }

  decideDispute(disputeId: string, won: boolean): void {
    closeDispute(this.world, this.world.need(this.world.disputes, disputeId), won)
  }

  /** The payer cancels at PayPal. */
  payerCancels(subscriptionId: string): void {
    setStatus(
      this.world,
      this.world.need(this.world.agreements, subscriptionId),
      'CANCELLED',
      'Subscription cancelled',
    )
  }

  /** The body and headers of an event. The text has escaped slashes, as PayPal's: JSON written again is not the same. */
  sign(event: PayPalEvent): Delivery {
    const before = this.#transmissions.get(event)
    if (before !== undefined) return before
    const delivery = this.#transmit(event, {})
    this.#transmissions.set(event, delivery)
    return delivery
  }

  #transmit(
    event: PayPalEvent,
    otherwise: { key?: SigningKey; certUrl?: string; webhookId?: string },
  ): Delivery {
    const body = JSON.stringify(event).replaceAll('/', '\\/')
    return signed({
      body,
      certUrl: this.certificateUrl,
      webhookId: this.webhookId,
      key: this.#key,
      at: this.#signingTime(),
      ...otherwise,
    })
  }

  /** The forgeries that PayPal's scheme has to stand: a certificate of another host, another webhook's signature. */
  #forge(event: PayPalEvent, how: Forgery): Delivery {
    const forged = { ...event, id: `WH-FORGED-${this.world.newId()}` }
    if (how === 'other-key')
      return this.#transmit(forged, {
        key: this.#forger,
        certUrl: `${this.origin.replace('127.0.0.1', 'localhost')}${FORGED_CERTIFICATE}`,
      })
    if (how === 'stale') return this.#transmit(forged, { webhookId: '0AA00000AA000000A' })
    const { body, headers } = this.#transmit(forged, {})
    if (how === 'changed-body')
      return { body: body.replace('"summary":"', '"summary":"X'), headers }
    return { body, headers: {} }
  }

  async close(): Promise<void> {
    this.deliveries.stop()
    await this.#close()
  }

  #answer(call: Call): Answer {
    const page = paypalPage(this.world, call)
    if (page !== undefined) return page
    if (call.path.startsWith('/v1/notifications/certs/') && this.certificatesFail)
      return { status: 503, body: 'Service unavailable.' }
    const certificate = this.#certificates.get(call.path)
    if (certificate !== undefined) return { status: 200, body: certificate }
    if (call.path === CERTIFICATE)
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: this.#key.chain }
    if (call.path.startsWith('/v1/notifications/certs/')) return { status: 404, body: 'Not found.' }
    if (call.path === FORGED_CERTIFICATE)
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: this.#forger.chain }
    this.calls.push(`${call.method} ${call.path}`)
    try {
      if (call.path === '/v1/oauth2/token') return this.#tokens.issue(call)
      this.#tokens.require(call)
      if (this.absent?.test(`${call.method} ${call.path}`) === true) throw missing()
      if (call.path === '/v1/notifications/verify-webhook-signature') return this.#verify(call)
      return this.#repeats.once(call, () => this.#perform(call))
    } catch (error) {
      if (error instanceof PayPalTrouble) return this.#trouble(error)
      throw error
    }
  }

  #verify(call: Call): Answer {
    const fields = bodyOf(call)
    const passes = verifies(
      fields,
      rawEventOf(call.body),
      this.#key,
      this.certificateUrl,
      this.webhookId,
    )
    return { status: 200, body: { verification_status: passes ? 'SUCCESS' : 'FAILURE' } }
  }

  #perform(call: Call): Answer {
    const answer = carryOut(this.world, `${call.method} ${call.path}`, {
      body: bodyOf(call),
      query: new URLSearchParams(call.query),
      wantsAll: call.headers.prefer === 'return=representation',
    })
    const headers = { 'paypal-debug-id': this.world.newId().toLowerCase() }
    return { ...answer, headers, body: this.lean ? leanBody(call.path, answer.body) : answer.body }
  }

  #trouble(error: PayPalTrouble): Answer {
    return troubleAnswer(error, this.world.newId().toLowerCase())
  }
}

/** An answer without what PayPal's reference does not require. */
function leanBody(path: string, body: unknown): unknown {
  if (/^\/v1\/billing\/subscriptions\/[\w-]+$/.test(path)) {
    const { id, status, plan_id, start_time, links } = body as Body
    return { id, status, plan_id, start_time, links }
  }
  if (path !== '/v1/billing/plans') return body
  const { plans, ...rest } = body as Body & { readonly plans?: readonly Body[] }
  return plans === undefined
    ? body
    : { ...rest, plans: plans.map(({ id, name }) => ({ id, name })) }
}
