/** Everything that a Stripe account holds: objects, events, books, cards that pay or decline. */
import { randomBytes } from 'node:crypto'
import { Books } from '../books.ts'
import type { TestClock } from '../clock.ts'
import type { InvoiceLine, Kind, Kinds, StripeEvent, StripeObject } from './objects.ts'
import { missing } from './trouble.ts'

export const API_VERSION = '2026-10-28.endive'

const PREFIX: Record<Kind, string> = {
  product: 'prod',
  price: 'price',
  customer: 'cus',
  payment_method: 'pm',
  subscription: 'sub',
  invoice: 'in',
  invoice_payment: 'inpay',
  payment_intent: 'pi',
  charge: 'ch',
  refund: 're',
  dispute: 'dp',
  credit_note: 'cn',
  balance_transaction: 'txn',
  'checkout.session': 'cs_test',
  'billing_portal.session': 'bps',
  subscription_schedule: 'sub_sched',
  event: 'evt',
}
const NOUN: Partial<Record<Kind, string>> = {
  'checkout.session': 'checkout session',
  payment_method: 'PaymentMethod',
  subscription_schedule: 'subscription schedule',
}

/** Fields that name the owner of an object, by which it is found quickly. */
const OWNERS: Partial<Record<Kind, (each: StripeObject) => unknown[]>> = {
  subscription: (each) => [each['customer']],
  payment_method: (each) => [each['customer']],
  invoice: (each) => [
    each['customer'],
    (each as Kinds['invoice']).parent.subscription_details.subscription,
  ],
  invoice_payment: (each) => [
    each['invoice'],
    (each as Kinds['invoice_payment']).payment.payment_intent,
  ],
  payment_intent: (each) => [each['customer']],
  charge: (each) => [each['customer'], each['payment_intent']],
  refund: (each) => [each['charge'], each['payment_intent']],
  dispute: (each) => [each['charge'], each['payment_intent']],
}

/** What a card does: pays, declines, or asks the customer when they are present. */
export type CardConduct = 'pays' | 'declines' | 'authenticates'

/** What happens when the last retry of a renewal has failed, a setting of the account. */
export type AfterRetries = 'leave' | 'cancel' | 'unpaid'

export interface StripeSettings {
  /** Time between the draft of a renewal's invoice and its payment. Stripe waits an hour. */
  readonly draftMs: number
  /** When a failed renewal is tried again, from the first failure. */
  readonly retryDays: readonly number[]
  readonly afterRetries: AfterRetries
}

export class StripeWorld {
  readonly books = new Books()
  readonly clock: TestClock
  readonly settings: StripeSettings
  /** The origin of this server, known when it listens. */
  origin = ''
  /** Called for each event. */
  onEvent: (event: StripeEvent) => void = () => undefined
  /** By id of the payment method. */
  readonly cards = new Map<string, CardConduct>()
  /** Lines that wait for the next invoice of a subscription. */
  readonly pendingLines = new Map<string, InvoiceLine[]>()
  /** The request that is being served, for its events. */
  request: { id: string | null; idempotency_key: string | null } = {
    id: null,
    idempotency_key: null,
  }
  readonly #tables = new Map<Kind, Map<string, StripeObject>>()
  readonly #owned = new Map<string, Set<StripeObject>>()
  readonly #run = randomBytes(5).toString('hex')
  #count = 0
  #invoices = 0

  constructor(clock: TestClock, settings: StripeSettings) {
    this.clock = clock
    this.settings = settings
  }

  newId(prefix: string): string {
    this.#count += 1
    return `${prefix}_${this.#run}${this.#count.toString(36).padStart(6, '0')}`
  }

  idFor(kind: Kind): string {
    return this.newId(PREFIX[kind])
  }

  nextInvoiceNumber(): string {
    this.#invoices += 1
    return `${this.#run.toUpperCase().slice(0, 8)}-${String(this.#invoices).padStart(4, '0')}`
  }

  put<K extends Kind>(kind: K, value: Kinds[K]): Kinds[K] {
    const table = this.#tables.get(kind) ?? new Map<string, StripeObject>()
    this.#tables.set(kind, table)
    table.set(value.id, value)
    for (const owner of OWNERS[kind]?.(value) ?? []) this.#own(`${kind} ${String(owner)}`, value)
    return value
  }

  find<K extends Kind>(kind: K, id: string): Kinds[K] | undefined {
    return this.#tables.get(kind)?.get(id) as Kinds[K] | undefined
  }

  /** @throws StripeTrouble 404, or 400 when a parameter names the object. */
  need<K extends Kind>(kind: K, id: string, param?: string): Kinds[K] {
    const found = this.find(kind, id)
    if (found === undefined)
      throw missing(NOUN[kind] ?? kind, id, param, param === undefined ? 404 : 400)
    return found
  }

  /** Newest first, as every list of Stripe. */
  all<K extends Kind>(kind: K): Kinds[K][] {
    return [...(this.#tables.get(kind)?.values() ?? [])].reverse() as Kinds[K][]
  }

  #own(key: string, value: StripeObject): void {
    const owned = this.#owned.get(key) ?? new Set()
    this.#owned.set(key, owned)
    owned.add(value)
  }

  hasOwners(kind: Kind): boolean {
    return OWNERS[kind] !== undefined
  }

  /** What belongs to a customer, subscription, invoice, intent or charge, newest first. */
  of<K extends Kind>(kind: K, owner: string): Kinds[K][] {
    return [...(this.#owned.get(`${kind} ${owner}`) ?? [])].reverse() as Kinds[K][]
  }

  /** The object of any kind with this id. */
  any(id: string): StripeObject | undefined {
    for (const table of this.#tables.values()) {
      const found = table.get(id)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Records an event with the object as it is now. */
  emit(type: string, object: StripeObject, previous?: Record<string, unknown>): void {
    const event = this.put('event', {
      id: this.idFor('event'),
      object: 'event',
      api_version: API_VERSION,
      created: this.clock.seconds(),
      data: { object: structuredClone(object), ...(previous && { previous_attributes: previous }) },
      livemode: false,
      pending_webhooks: 1,
      request: { ...this.request },
      type,
    })
    this.onEvent(event)
  }
}
