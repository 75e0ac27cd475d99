/** Events of Stripe: who sent them, and which object they are about. */
import type { Stripe } from 'stripe'
import { type EventHeaders, ForgedEvent, type ObjectKind, type ProviderEvent } from '../provider.ts'
import { dateOf, idOf } from './stripe-client.ts'
import { subscriptionOfInvoice } from './stripe-fields.ts'
import { stripeLibrary } from './stripe-library.ts'

/** How far the time of a signature may be from ours, in seconds, before and after. */
const TOLERANCE_SECONDS = 300

/** What is read for each kind of object. */
const KINDS: Readonly<Record<string, ObjectKind>> = {
  subscription: 'subscription',
  'checkout.session': 'checkout',
  invoice: 'invoice',
  charge: 'payment',
  payment_intent: 'payment',
  refund: 'refund',
  dispute: 'dispute',
}

interface Subject {
  readonly objectId: string | null
  readonly objectKind: ObjectKind | null
}

type Reference = string | { readonly id: string } | null

/** What an object of an event can say about itself. It is a hint: what it names is read. */
interface EventObject {
  readonly object?: string
  readonly id?: string
  readonly invoice?: Reference
  readonly subscription?: Reference
  readonly payment_intent?: Reference
  readonly parent?: Stripe.Invoice['parent']
}

function subjectOf(object: EventObject): Subject {
  const named = (kind: ObjectKind, value: unknown): Subject =>
    typeof value === 'string' ? { objectId: value, objectKind: kind } : NOTHING
  // These are read by what they belong to.
  if (object.object === 'invoice_payment') return named('invoice', idOf(object.invoice))
  if (object.object === 'subscription_schedule') {
    return named('subscription', idOf(object.subscription))
  }
  // Its subscription is read, also where the invoice, the charge or the refund itself cannot be asked for.
  if (object.object === 'invoice') {
    const subscription = subscriptionOfInvoice(object)
    if (subscription !== null) return named('subscription', subscription)
  }
  const isMoved = object.object === 'charge' || object.object === 'refund'
  if (isMoved && idOf(object.payment_intent) !== null) {
    return named('payment', idOf(object.payment_intent))
  }
  const kind = typeof object.object === 'string' ? KINDS[object.object] : undefined
  return kind === undefined ? NOTHING : named(kind, object.id)
}

const NOTHING: Subject = { objectId: null, objectKind: null }

/** The SDK accepts signatures of the future. @throws ForgedEvent */
function requireRecent(signature: string, now: Date): void {
  const [, seconds] = /(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature) ?? []
  const ageSeconds = now.getTime() / 1_000 - Number(seconds ?? Number.NaN)
  if (!(Math.abs(ageSeconds) <= TOLERANCE_SECONDS)) {
    throw new ForgedEvent('the time of the signature is not within 5 minutes')
  }
}

/** @throws ForgedEvent */
function requireSigned(body: Buffer, signature: string, secret: string, now: Date): void {
  const { signature: check } = stripeLibrary().webhooks
  try {
    if (check === null) throw new Error('the SDK checks no signatures')
    check.verifyHeader(body, signature, secret, TOLERANCE_SECONDS, undefined, now.getTime())
  } catch {
    // The SDK's message quotes the body.
    throw new ForgedEvent('the signature does not match')
  }
}

/**
 * The SDK refuses to read thin events. An endpoint at Stripe can be set to send them, and an event that is signed is not
 * forged: without an object, there is nothing to read.
 */
function eventOf(body: Buffer): Partial<Stripe.Event> {
  try {
    const event: unknown = JSON.parse(body.toString('utf8'))
    if (typeof event === 'object' && event !== null) return event
  } catch {
    // Below.
  }
  throw new ForgedEvent('the body is not an event')
}

/** @throws ForgedEvent */
export function verifyEvent(
  body: Buffer,
  headers: EventHeaders,
  { webhookSecret, now }: { readonly webhookSecret: string; readonly now: Date },
): ProviderEvent {
  const signature = headers['stripe-signature']
  if (typeof signature !== 'string') throw new ForgedEvent('the event has no signature')
  requireRecent(signature, now)
  requireSigned(body, signature, webhookSecret, now)
  const { id, type, created, data } = eventOf(body)
  if (typeof id !== 'string' || typeof type !== 'string') {
    throw new ForgedEvent('the body is not an event')
  }
  const object = data?.object as EventObject | null | undefined
  const createdAt = typeof created === 'number' ? dateOf(created) : now
  const isObject = typeof object === 'object' && object !== null
  return { id, type, createdAt, ...(isObject ? subjectOf(object) : NOTHING) }
}
