/** Reads invoices with their payments, refunds and disputes at Stripe. */
import type { Stripe } from 'stripe'
import type { ReadDispute, ReadInvoice, ReadRefund } from '../provider.ts'
import { dateOf, dateOrNull, idOf } from './stripe-client.ts'

/** More invoices than a subscription gets in a lifetime. */
const LIMIT = 1_000

/** What was charged to a customer: invoices name payments, and payments name charges. */
export interface Payments {
  readonly charges: readonly Stripe.Charge[]
  readonly disputes: ReadonlyMap<string, readonly Stripe.Dispute[]>
}

/** The invoices of a subscription without drafts, the oldest first. */
export async function listInvoices(
  stripe: Stripe,
  subscription: string,
): Promise<readonly Stripe.Invoice[]> {
  const invoices = await stripe.invoices
    .list({ subscription, limit: 100, expand: ['data.payments'] })
    .autoPagingToArray({ limit: LIMIT })
  return invoices
    .filter(({ status }) => status !== null && status !== 'draft')
    .toSorted((a, b) => a.created - b.created)
}

/** All charges of a customer with their refunds, and the disputes of those that are disputed. */
export async function listPaymentsOf(stripe: Stripe, customer: string | null): Promise<Payments> {
  if (customer === null) return { charges: [], disputes: new Map() }
  const charges = await stripe.charges
    .list({ customer, limit: 100, expand: ['data.refunds'] })
    .autoPagingToArray({ limit: LIMIT })
  const disputed = charges.filter((charge) => charge.disputed)
  const disputes = await Promise.all(
    disputed.map(async ({ id }) => {
      const { data } = await stripe.disputes.list({ charge: id, limit: 100 })
      return [id, data] as const
    }),
  )
  return { charges, disputes: new Map(disputes) }
}

/** The charges of an invoice, those that failed too. */
export function chargesOf(
  { payments }: Stripe.Invoice,
  charges: readonly Stripe.Charge[],
): readonly Stripe.Charge[] {
  const ids = new Set(
    payments?.data.flatMap(({ payment }) => [idOf(payment.payment_intent), idOf(payment.charge)]),
  )
  ids.delete(null)
  return charges.filter(({ id, payment_intent }) => ids.has(id) || ids.has(idOf(payment_intent)))
}

export const readRefund = ({ id, amount, created, status }: Stripe.Refund): ReadRefund => ({
  id,
  amountCents: amount,
  at: dateOf(created),
  hasSucceeded: status !== 'failed' && status !== 'canceled',
})

/** Inquiries end as `warning_closed`, and `prevented` ones cost nothing: both are like a dispute that was won. */
function disputeStatus(status: Stripe.Dispute['status']): ReadDispute['status'] {
  if (status === 'lost') return 'lost'
  return status === 'won' || status === 'warning_closed' || status === 'prevented' ? 'won' : 'open'
}

/**
 * What was moved in one direction, without fees. A movement in another currency, that of the balance, counts as the
 * whole dispute: payments are in the currency of the payer.
 */
function movedCents(dispute: Stripe.Dispute, isBack: boolean): number {
  const moves = dispute.balance_transactions.filter(({ amount }) => amount > 0 === isBack)
  if (moves.some(({ currency }) => currency !== dispute.currency)) return dispute.amount
  return Math.abs(moves.reduce((sum, { amount }) => sum + amount, 0))
}

/** What came back; null: nothing did, or not yet. */
function returnedOf(dispute: Stripe.Dispute): ReadDispute['returned'] {
  const back = dispute.balance_transactions.findLast(({ amount }) => amount > 0)
  if (back === undefined) return null
  return { amountCents: movedCents(dispute, true), at: dateOf(back.created) }
}

/** @param readAt the end of a dispute that moved no money back: Stripe tells no time */
export function readDispute(dispute: Stripe.Dispute, readAt: Date): ReadDispute {
  const status = disputeStatus(dispute.status)
  const isWithdrawn = dispute.balance_transactions.some(({ amount }) => amount < 0)
  const returned = returnedOf(dispute)
  return {
    id: dispute.id,
    status,
    amountCents: isWithdrawn ? movedCents(dispute, false) : dispute.amount,
    openedAt: dateOf(dispute.created),
    closedAt: status === 'open' ? null : (returned?.at ?? readAt),
    isWithdrawn,
    returned,
  }
}

function kindOf({ billing_reason: reason }: Stripe.Invoice): ReadInvoice['kind'] {
  if (reason === 'subscription_create') return 'first'
  return reason === 'subscription_cycle' ? 'renewal' : 'change'
}

/** What is uncollectible is no longer asked for. */
function statusOf({ status }: Stripe.Invoice): ReadInvoice['status'] {
  if (status === 'paid') return 'paid'
  return status === 'open' ? 'open' : 'void'
}

/** One invoice of the facts. */
export function readInvoice(
  invoice: Stripe.Invoice,
  { charges, disputes }: Payments,
  readAt: Date,
): ReadInvoice {
  const paid = chargesOf(invoice, charges).find(({ status }) => status === 'succeeded')
  const periods = invoice.lines.data.map(({ period }) => period)
  const isPaid = invoice.status === 'paid'
  return {
    id: invoice.id,
    kind: kindOf(invoice),
    status: statusOf(invoice),
    totalCents: invoice.total,
    currency: invoice.currency.toUpperCase(),
    issuedAt: dateOf(invoice.status_transitions.finalized_at ?? invoice.created),
    paidAt: isPaid ? dateOf(invoice.status_transitions.paid_at ?? invoice.created) : null,
    periodStart: dateOrNull(periods.map(({ start }) => start).toSorted((a, b) => a - b)[0]),
    periodEnd: dateOrNull(
      periods
        .map(({ end }) => end)
        .toSorted((a, b) => a - b)
        .at(-1),
    ),
    lines: invoice.lines.data.map(({ description, amount }) => ({
      description: description ?? 'Subscription',
      amountCents: amount,
    })),
    paymentId: paid?.id ?? null,
    paidCents: paid?.amount_captured ?? 0,
    refunds: (paid?.refunds?.data ?? []).map(readRefund),
    disputes: (disputes.get(paid?.id ?? '') ?? []).map((each) => readDispute(each, readAt)),
    hostedUrl: invoice.hosted_invoice_url ?? null,
  }
}
