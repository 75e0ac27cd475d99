/** The payments of a customer at Stripe: charges with their refunds and disputes. */
import type { Stripe } from 'stripe'
import { found, idOf } from './stripe-client.ts'
import { type Lean, paymentsNamedBy, subscriptionOfInvoice } from './stripe-fields.ts'

/** More invoices than a subscription gets in a lifetime. */
const LIMIT = 1_000

/** A charge, or a payment intent that stands for its charge. */
export type Payment = Pick<Stripe.Charge, 'id' | 'status' | 'created'> &
  Lean<
    Pick<
      Stripe.Charge,
      | 'payment_intent'
      | 'amount'
      | 'amount_captured'
      | 'amount_refunded'
      | 'disputed'
      | 'refunds'
      | 'payment_method_details'
    >
  >

/** What is read of a refund. */
export type Refunded = Pick<Stripe.Refund, 'id' | 'amount' | 'created' | 'status'>

/** An invoice, with the ids of the payment intents and charges that were to pay it. */
export interface Bill {
  readonly invoice: Stripe.Invoice
  readonly paymentIds: ReadonlySet<string>
}

/** What was charged to a customer. Refunds and disputes are by the id of their payment. */
export interface Payments {
  readonly charges: readonly Payment[]
  readonly refunds: ReadonlyMap<string, readonly Refunded[]>
  readonly disputes: ReadonlyMap<string, readonly Stripe.Dispute[]>
}

/** The invoices of a subscription without drafts, the oldest first. */
export async function listBills(stripe: Stripe, subscription: string): Promise<readonly Bill[]> {
  const invoices = await found(
    stripe.invoices
      .list({ subscription, limit: 100, expand: ['data.payments'] })
      .autoPagingToArray({ limit: LIMIT }),
  )
  const own = (invoices ?? [])
    .filter((invoice) => (subscriptionOfInvoice(invoice) ?? subscription) === subscription)
    .filter(({ status }) => (status ?? 'draft') !== 'draft')
    .toSorted((a, b) => a.created - b.created)
  return Promise.all(own.map(async (invoice) => billOf(stripe, invoice)))
}

/** Where the payments did not come with the invoice, they are asked for. */
async function billOf(stripe: Stripe, invoice: Stripe.Invoice): Promise<Bill> {
  const named = paymentsNamedBy(invoice)
  if (named.size > 0 || invoice.payments !== undefined) return { invoice, paymentIds: named }
  const listed = await found(stripe.invoicePayments.list({ invoice: invoice.id, limit: 100 }))
  const own = listed?.data.filter((each) => idOf(each.invoice) === invoice.id) ?? []
  const payments = own.map(({ payment }) => [idOf(payment.payment_intent), idOf(payment.charge)])
  return { invoice, paymentIds: new Set(payments.flat().filter((id) => id !== null)) }
}

/** The charges of an invoice, those that failed too. */
export function chargesOf<T extends Payment>({ paymentIds }: Bill, charges: readonly T[]): T[] {
  return charges.filter(
    ({ id, payment_intent }) =>
      paymentIds.has(id) || paymentIds.has(idOf(payment_intent) ?? 'without an intent'),
  )
}

/**
 * All charges of a customer, with the refunds and disputes of those that paid a bill.
 *
 * @param disputeId a dispute that an event named: it counts also if its charge does not show it yet
 */
export async function listPaymentsOf(
  stripe: Stripe,
  customer: string | null,
  { bills, disputeId }: { readonly bills: readonly Bill[]; readonly disputeId: string | undefined },
): Promise<Payments> {
  const listed = customer === null ? [] : ((await found(listCharges(stripe, customer))) ?? [])
  const others = await Promise.all(bills.map(async (bill) => unlisted(stripe, bill, listed)))
  const charges = [...listed, ...others.flat()]
  const paid = bills
    .flatMap((bill) => chargesOf(bill, charges))
    .filter(({ status }) => status === 'succeeded')
  const named =
    disputeId === undefined ? undefined : await found(stripe.disputes.retrieve(disputeId))
  const each = await Promise.all(
    paid.map(async (payment) => ({
      id: payment.id,
      refunds: await refundsOf(stripe, payment),
      disputes: await disputesOf(stripe, payment, named),
    })),
  )
  return {
    charges,
    refunds: new Map(each.map(({ id, refunds }) => [id, refunds])),
    disputes: new Map(each.map(({ id, disputes }) => [id, disputes])),
  }
}

const listCharges = async (stripe: Stripe, customer: string): Promise<Payment[]> =>
  stripe.charges
    .list({ customer, limit: 100, expand: ['data.refunds'] })
    .autoPagingToArray({ limit: LIMIT })

/** The payment of a paid bill that the list of charges does not have. */
async function unlisted(
  stripe: Stripe,
  bill: Bill,
  listed: readonly Payment[],
): Promise<Payment[]> {
  const { status, amount_paid } = bill.invoice
  const known = chargesOf(bill, listed).some((charge) => charge.status === 'succeeded')
  if (known || status !== 'paid' || amount_paid === 0) return []
  const read = await Promise.all(
    Array.from(bill.paymentIds, async (id) =>
      id.startsWith('pi_') ? chargeOfIntent(stripe, id) : readCharge(stripe, id),
    ),
  )
  return read.filter((payment) => payment !== undefined)
}

const readCharge = async (stripe: Stripe, id: string): Promise<Payment | undefined> =>
  found<Payment>(stripe.charges.retrieve(id, { expand: ['refunds'] }))

async function chargeOfIntent(stripe: Stripe, id: string): Promise<Payment | undefined> {
  const intent = await found(stripe.paymentIntents.retrieve(id))
  if (intent === undefined) return undefined
  const latest = idOf(intent.latest_charge)
  const charge = latest === null ? undefined : await readCharge(stripe, latest)
  if (charge !== undefined) return charge
  const { created, amount, status } = intent
  return { id, created, amount, status: status === 'succeeded' ? 'succeeded' : 'pending' }
}

/** How a payment is named in a question. */
const asked = (id: string) => (id.startsWith('pi_') ? { payment_intent: id } : { charge: id })

const isOf = (
  { id }: Payment,
  { charge, payment_intent }: Lean<Pick<Stripe.Refund, 'charge' | 'payment_intent'>>,
) => idOf(charge) === id || idOf(payment_intent) === id

async function refundsOf(stripe: Stripe, payment: Payment): Promise<readonly Refunded[]> {
  const { id, created, refunds, amount_refunded: amount } = payment
  if (refunds) return refunds.data
  const listed = await found(stripe.refunds.list({ ...asked(id), limit: 100 }))
  const own = listed?.data.filter((each) => isOf(payment, each)) ?? []
  if (own.length > 0 || !amount) return own
  // The charge alone says how much went back.
  return [{ id: `refund-of-${id}`, amount, created, status: 'succeeded' }]
}

async function disputesOf(
  stripe: Stripe,
  payment: Payment,
  named: Stripe.Dispute | undefined,
): Promise<readonly Stripe.Dispute[]> {
  const extra = named !== undefined && isOf(payment, named) ? [named] : []
  if (payment.disputed === false) return extra
  const listed = await found(stripe.disputes.list({ ...asked(payment.id), limit: 100 }))
  const own = listed?.data.filter((each) => isOf(payment, each)) ?? []
  return [...own, ...extra.filter(({ id }) => own.every((each) => each.id !== id))]
}
