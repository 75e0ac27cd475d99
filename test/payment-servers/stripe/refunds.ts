/** Money that the merchant pays back: https://docs.stripe.com/api/refunds, /api/credit_notes. */
import type { Params } from './form.ts'
import type { Charge, Refund, StripeObject } from './objects.ts'
import { groups, metadataOf, oneOf, onlyParams, requiredText, text, whole } from './params.ts'
import { bookMovement } from './payments.ts'
import { invalid, requiredParam } from './trouble.ts'
import type { StripeWorld } from './world.ts'

function chargeOf(world: StripeWorld, params: Params): Charge {
  const chargeId = text(params, 'charge')
  if (chargeId !== undefined) return world.need('charge', chargeId, 'charge')
  const intentId = text(params, 'payment_intent')
  if (intentId === undefined) throw requiredParam('payment_intent')
  const { latest_charge: latest } = world.need('payment_intent', intentId, 'payment_intent')
  if (latest === null)
    throw invalid(
      'This PaymentIntent does not have a successful charge to refund.',
      'payment_intent',
    )
  return world.need('charge', latest)
}

export function createRefund(world: StripeWorld, params: Params): Refund {
  onlyParams(params, ['amount', 'charge', 'payment_intent', 'reason', 'metadata'])
  const charge = chargeOf(world, params)
  const left = charge.amount - charge.amount_refunded
  if (!charge.paid) throw invalid('This charge has not succeeded.', 'charge')
  const isHeldBack = world
    .of('dispute', charge.id)
    .some(({ is_charge_refundable }) => !is_charge_refundable)
  if (isHeldBack)
    throw invalid(
      `Charge ${charge.id} has been charged back; cannot issue a refund.`,
      undefined,
      'charge_disputed',
    )
  if (left === 0)
    throw invalid(
      `Charge ${charge.id} has already been refunded.`,
      undefined,
      'charge_already_refunded',
    )
  const amount = whole(params, 'amount') ?? left
  if (amount <= 0 || amount > left)
    throw invalid(
      `Refund amount ($${amount / 100}) is greater than unrefunded amount on charge ($${left / 100})`,
      'amount',
    )
  const id = world.idFor('refund')
  const transaction = bookMovement(world, {
    type: 'refund',
    kind: 'refund',
    amount: -amount,
    currency: charge.currency,
    source: id,
  })
  const refund = world.put('refund', {
    id,
    object: 'refund',
    amount,
    balance_transaction: transaction.id,
    charge: charge.id,
    created: world.clock.seconds(),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: {
      card: {
        reference_status: 'pending',
        reference_type: 'acquirer_reference_number',
        type: 'refund',
      },
      type: 'card',
    },
    metadata: metadataOf(params),
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: oneOf(params, 'reason', ['duplicate', 'fraudulent', 'requested_by_customer']) ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  })
  charge.amount_refunded += amount
  charge.refunded = charge.amount_refunded === charge.amount
  world.emit('refund.created', refund)
  world.emit('charge.refunded', charge, { amount_refunded: charge.amount_refunded - amount })
  return refund
}

/** A credit note over a paid invoice, for refunds that exist or that it makes. */
export function createCreditNote(world: StripeWorld, params: Params): StripeObject {
  onlyParams(params, [
    'invoice',
    'amount',
    'refund_amount',
    'refunds',
    'reason',
    'memo',
    'metadata',
  ])
  const invoice = world.need('invoice', requiredText(params, 'invoice'), 'invoice')
  if (invoice.status !== 'paid')
    throw invalid('This server imitates credit notes for paid invoices.', 'invoice')
  const refunds = (groups(params, 'refunds') ?? []).map((each) =>
    world.need('refund', requiredText(each, 'refund'), 'refunds'),
  )
  const amount =
    whole(params, 'amount') ??
    whole(params, 'refund_amount') ??
    refunds.reduce((sum, refund) => sum + refund.amount, 0)
  if (amount <= 0 || amount > invoice.amount_paid - invoice.post_payment_credit_notes_amount)
    throw invalid(
      'The credit note amount is greater than the amount that can be credited.',
      'amount',
    )
  const payment = world.of('invoice_payment', invoice.id).find(({ status }) => status === 'paid')
  if (whole(params, 'refund_amount') !== undefined && payment !== undefined)
    refunds.push(
      createRefund(world, {
        payment_intent: payment.payment.payment_intent,
        amount: String(amount),
      }),
    )
  invoice.post_payment_credit_notes_amount += amount
  const id = world.idFor('credit_note')
  const note = world.put('credit_note', {
    id,
    object: 'credit_note',
    amount,
    amount_shipping: 0,
    created: world.clock.seconds(),
    currency: invoice.currency,
    customer: invoice.customer,
    customer_account: null,
    customer_balance_transaction: null,
    discount_amount: 0,
    discount_amounts: [],
    effective_at: world.clock.seconds(),
    invoice: invoice.id,
    lines: { object: 'list', data: [], has_more: false, url: `/v1/credit_notes/${id}/lines` },
    livemode: false,
    memo: text(params, 'memo') ?? null,
    metadata: metadataOf(params),
    number: `${invoice.number ?? ''}-CN-01`,
    out_of_band_amount: null,
    pdf: `${world.origin}/i/${invoice.id}/pdf`,
    post_payment_amount: amount,
    pre_payment_amount: 0,
    pretax_credit_amounts: [],
    reason: text(params, 'reason') ?? null,
    refunds: refunds.map((refund) => ({
      amount_refunded: refund.amount,
      payment_record_refund: null,
      refund: refund.id,
      type: 'refund',
    })),
    shipping_cost: null,
    status: 'issued',
    subtotal: amount,
    subtotal_excluding_tax: amount,
    total: amount,
    total_excluding_tax: amount,
    total_taxes: [],
    type: 'post_payment',
    voided_at: null,
  })
  world.emit('credit_note.created', note)
  return note
}
