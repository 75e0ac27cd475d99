/** Brings invoices with their payments, refunds and disputes at Stripe into the facts of the service. */
import type { Stripe } from 'stripe'
import type { ReadDispute, ReadInvoice, ReadRefund } from '../provider.ts'
import { dateOf, dateOrNull } from './stripe-client.ts'
import type { Lean } from './stripe-fields.ts'
import { type Bill, chargesOf, type Payments, type Refunded } from './stripe-payments.ts'

export const readRefund = ({ id, amount, created, status }: Refunded): ReadRefund => ({
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

/** The movements of a dispute; undefined: the answer has none. */
const movesOf = (dispute: Stripe.Dispute) => (dispute as Lean<Stripe.Dispute>).balance_transactions

/** Without movements, the status says it: money is withdrawn when a dispute opens, and an inquiry withdraws none. */
const isWithdrawn = (dispute: Stripe.Dispute): boolean =>
  movesOf(dispute)?.some(({ amount }) => amount < 0) ??
  (dispute.status !== 'prevented' && !dispute.status.startsWith('warning_'))

/**
 * What was moved in one direction, without fees. A movement in another currency, that of the balance, counts as the
 * whole dispute: payments are in the currency of the payer.
 */
function movedCents(dispute: Stripe.Dispute, isBack: boolean): number {
  const moves = movesOf(dispute)?.filter(({ amount }) => amount > 0 === isBack)
  if (moves === undefined || moves.some(({ currency }) => currency !== dispute.currency)) {
    return dispute.amount
  }
  return Math.abs(moves.reduce((sum, { amount }) => sum + amount, 0))
}

/** What came back; null: nothing did, or not yet. */
function returnedOf(dispute: Stripe.Dispute): ReadDispute['returned'] {
  const back = movesOf(dispute)?.findLast(({ amount }) => amount > 0)
  if (back === undefined) return null
  return { amountCents: movedCents(dispute, true), at: dateOf(back.created) }
}

/** @param readAt the end of a dispute that moved no money back: Stripe tells no time */
export function readDispute(dispute: Stripe.Dispute, readAt: Date): ReadDispute {
  const status = disputeStatus(dispute.status)
  const isTaken = isWithdrawn(dispute)
  const returned = returnedOf(dispute)
  return {
    id: dispute.id,
    status,
    amountCents: isTaken ? movedCents(dispute, false) : dispute.amount,
    openedAt: dateOf(dispute.created),
    closedAt: status === 'open' ? null : (returned?.at ?? readAt),
    isWithdrawn: isTaken,
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

interface Span {
  readonly start: Date | null
  readonly end: Date | null
}

/** From the first to the last day of all lines. */
function spanOf(lines: readonly Lean<Stripe.InvoiceLineItem>[]): Span {
  const periods = lines.flatMap(({ period }) => period ?? [])
  const starts = periods.map(({ start }) => start).toSorted((a, b) => a - b)
  const ends = periods.map(({ end }) => end).toSorted((a, b) => a - b)
  return { start: dateOrNull(starts[0]), end: dateOrNull(ends.at(-1)) }
}

/** One invoice of the facts. */
export function readInvoice(
  bill: Bill,
  { charges, refunds, disputes }: Payments,
  readAt: Date,
): ReadInvoice {
  const { invoice } = bill
  const { status_transitions: moved }: Lean<Stripe.Invoice> = invoice
  const { lines: listed }: Lean<Stripe.Invoice> = invoice
  const lines = listed?.data ?? []
  const paid = chargesOf(bill, charges).find(({ status }) => status === 'succeeded')
  const span = spanOf(lines)
  return {
    id: invoice.id,
    kind: kindOf(invoice),
    status: statusOf(invoice),
    totalCents: invoice.total,
    currency: invoice.currency.toUpperCase(),
    issuedAt: dateOf(moved?.finalized_at ?? invoice.created),
    paidAt: invoice.status === 'paid' ? dateOf(moved?.paid_at ?? invoice.created) : null,
    periodStart: span.start,
    periodEnd: span.end,
    lines: lines.map(({ description, amount }) => ({
      description: description ?? 'Subscription',
      amountCents: amount,
    })),
    paymentId: paid?.id ?? null,
    paidCents: paid?.amount_captured ?? paid?.amount ?? 0,
    refunds: (refunds.get(paid?.id ?? '') ?? []).map(readRefund),
    disputes: (disputes.get(paid?.id ?? '') ?? []).map((each) => readDispute(each, readAt)),
    hostedUrl: invoice.hosted_invoice_url ?? null,
  }
}
