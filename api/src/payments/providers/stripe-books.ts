/** Stripe's books, and the subscription that a payment belongs to. */
import type { Stripe } from 'stripe'
import type { ObjectKind, ReadBookEntry } from '../provider.ts'
import { dateOf, found, idOf, secondsOf } from './stripe-client.ts'
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

/** The subscription of an invoice: `parent` names it since 2025-03-31. */
async function ofInvoice(stripe: Stripe, id: string): Promise<string | undefined> {
  const invoice = await found(stripe.invoices.retrieve(id))
  return idOf(invoice?.parent?.subscription_details?.subscription) ?? undefined
}

/** Payments do not name their invoice: the list of invoice payments does. */
async function ofPaymentIntent(stripe: Stripe, intent: string | null): Promise<string | undefined> {
  if (intent === null) return undefined
  const { data } = await stripe.invoicePayments.list({
    payment: { type: 'payment_intent', payment_intent: intent },
    limit: 1,
  })
  const invoice = idOf(data[0]?.invoice)
  return invoice === null ? undefined : ofInvoice(stripe, invoice)
}

async function intentOf(stripe: Stripe, kind: ObjectKind, id: string): Promise<string | null> {
  if (id.startsWith('pi_')) return id
  const object =
    kind === 'refund'
      ? await found(stripe.refunds.retrieve(id))
      : kind === 'dispute'
        ? await found(stripe.disputes.retrieve(id))
        : await found(stripe.charges.retrieve(id))
  return idOf(object?.payment_intent)
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
  return ofPaymentIntent(stripe, await intentOf(stripe, kind, id))
}
