/** Stripe's books, and the subscription that a payment belongs to. */
import type { Stripe } from 'stripe'
import type { ObjectKind, ReadBookEntry } from '../provider.ts'
import { dateOf, found, idOf, secondsOf } from './stripe-client.ts'
import { subscriptionOfInvoice } from './stripe-fields.ts'
import { readDispute, readRefund } from './stripe-invoices.ts'

/** A dispute is decided within this time of its beginning. */
const DISPUTE_MS = 200 * 86_400_000

/** Payments, refunds and disputes in [from, to). */
export async function listBooks(
  stripe: Stripe,
  from: Date,
  to: Date,
): Promise<readonly ReadBookEntry[]> {
  const created = { gte: secondsOf(from), lt: secondsOf(to) }
  const since = { gte: secondsOf(new Date(from.getTime() - DISPUTE_MS)), lt: secondsOf(to) }
  const [charges, refunds, disputes] = await Promise.all([
    allOf(stripe.charges.list({ created, limit: 100 })),
    allOf(stripe.refunds.list({ created, limit: 100 })),
    allOf(stripe.disputes.list({ created: since, limit: 100 })),
  ])
  const payments = charges
    .filter(({ status, amount_captured }) => status === 'succeeded' && amount_captured > 0)
    .map((charge) => entry('payment', charge, charge.amount_captured))
  const paidBack = refunds
    .filter((refund) => readRefund(refund).hasSucceeded)
    .map((refund) => entry('refund', refund, -refund.amount))
  const inTime = ({ happenedAt }: ReadBookEntry) => happenedAt >= from && happenedAt < to
  return [...payments, ...paidBack, ...disputes.flatMap(disputeEntries).filter(inTime)]
}

/** Every page, however many. */
async function allOf<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of pages) items.push(item)
  return items
}

interface Booked {
  readonly id: string
  readonly currency: string
  readonly created: number
}

const entry = (
  kind: ReadBookEntry['kind'],
  { id, currency, created }: Booked,
  amountCents: number,
): ReadBookEntry => ({
  kind,
  providerId: id,
  amountCents,
  currency: currency.toUpperCase(),
  happenedAt: dateOf(created),
})

function disputeEntries(dispute: Stripe.Dispute): ReadBookEntry[] {
  const { amountCents, isWithdrawn, openedAt, returned } = readDispute(
    dispute,
    dateOf(dispute.created),
  )
  if (!isWithdrawn) return []
  const withdrawn = { ...entry('dispute', dispute, -amountCents), happenedAt: openedAt }
  if (returned === null) return [withdrawn]
  const back = entry('dispute_won', dispute, returned.amountCents)
  return [withdrawn, { ...back, happenedAt: returned.at }]
}

async function ofInvoice(stripe: Stripe, id: string): Promise<string | undefined> {
  const invoice = await found(stripe.invoices.retrieve(id))
  return (invoice && subscriptionOfInvoice(invoice)) ?? undefined
}

/** The newest subscription of a customer, for a payment that does not lead to its invoice. */
async function ofCustomer(stripe: Stripe, customer: string | null): Promise<string | undefined> {
  if (customer === null) return undefined
  const listed = await found(stripe.subscriptions.list({ customer, status: 'all', limit: 100 }))
  const own = listed?.data.filter((each) => idOf(each.customer) === customer) ?? []
  return own.toSorted((a, b) => b.created - a.created)[0]?.id
}

/** Payments do not name their invoice: the list of invoice payments does. */
async function ofPaymentIntent(stripe: Stripe, intent: string): Promise<string | undefined> {
  const listed = await found(
    stripe.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: intent },
      limit: 10,
    }),
  )
  const own = listed?.data.find(({ payment }) => idOf(payment.payment_intent) === intent)
  const invoice = idOf(own?.invoice)
  const subscription = invoice === null ? undefined : await ofInvoice(stripe, invoice)
  if (subscription !== undefined) return subscription
  const read = await found(stripe.paymentIntents.retrieve(intent))
  return ofCustomer(stripe, idOf(read?.customer))
}

async function ofCharge(stripe: Stripe, id: string): Promise<string | undefined> {
  const charge = await found(stripe.charges.retrieve(id))
  const intent = idOf(charge?.payment_intent)
  return intent === null
    ? ofCustomer(stripe, idOf(charge?.customer))
    : ofPaymentIntent(stripe, intent)
}

/** A refund and a dispute name the payment intent, the charge, or both. */
async function ofMovement(
  stripe: Stripe,
  movement: Pick<Stripe.Refund, 'charge' | 'payment_intent'> | undefined,
): Promise<string | undefined> {
  const intent = idOf(movement?.payment_intent)
  if (intent !== null) return ofPaymentIntent(stripe, intent)
  const charge = idOf(movement?.charge)
  return charge === null ? undefined : ofCharge(stripe, charge)
}

/** The subscription that the object of an event belongs to. */
export async function subscriptionOf(
  stripe: Stripe,
  kind: ObjectKind,
  id: string,
): Promise<string | undefined> {
  if (kind === 'subscription') return id
  if (kind === 'checkout') {
    const session = await found(stripe.checkout.sessions.retrieve(id))
    return idOf(session?.subscription) ?? undefined
  }
  if (kind === 'invoice') return ofInvoice(stripe, id)
  if (kind === 'refund') return ofMovement(stripe, await found(stripe.refunds.retrieve(id)))
  if (kind === 'dispute') return ofMovement(stripe, await found(stripe.disputes.retrieve(id)))
  return id.startsWith('pi_') ? ofPaymentIntent(stripe, id) : ofCharge(stripe, id)
}
