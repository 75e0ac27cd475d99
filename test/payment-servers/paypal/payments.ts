/**
 * Payments of subscriptions: https://developer.paypal.com/docs/api/payments/v2/ for captures and refunds. The id of a
 * sale of the webhooks is the id of the capture.
 */
import type { Agreement, Body, Dispute, Refund, Sale } from './objects.ts'
import { invalid, refused } from './trouble.ts'
import { type PayPalWorld, centsOf, iso, money } from './world.ts'

export function captureBody(world: PayPalWorld, sale: Sale): Record<string, unknown> {
  const customId = world.agreements.get(sale.agreement)?.customId
  return {
    id: sale.id,
    status: sale.status,
    amount: money(sale.cents),
    final_capture: true,
    seller_protection: {
      status: 'ELIGIBLE',
      dispute_categories: ['ITEM_NOT_RECEIVED', 'UNAUTHORIZED_TRANSACTION'],
    },
    seller_receivable_breakdown: {
      gross_amount: money(sale.cents),
      paypal_fee: money(sale.feeCents),
      net_amount: money(sale.cents - sale.feeCents),
      ...(sale.refundedCents > 0 && { total_refunded_amount: money(sale.refundedCents) }),
    },
    ...(customId && { custom_id: customId }),
    supplementary_data: { related_ids: {} },
    create_time: iso(sale.at),
    update_time: iso(sale.at),
    links: [
      world.link(`/v2/payments/captures/${sale.id}`),
      world.link(`/v2/payments/captures/${sale.id}/refund`, 'refund', 'POST'),
    ],
  }
}

export function refundBody(world: PayPalWorld, refund: Refund): Record<string, unknown> {
  return {
    id: refund.id,
    amount: money(refund.cents),
    seller_payable_breakdown: {
      gross_amount: money(refund.cents),
      paypal_fee: money(0),
      net_amount: money(refund.cents),
      total_refunded_amount: money(world.sales.get(refund.sale)?.refundedCents ?? refund.cents),
    },
    status: 'COMPLETED',
    create_time: iso(refund.at),
    update_time: iso(refund.at),
    links: [
      world.link(`/v2/payments/refunds/${refund.id}`),
      world.link(`/v2/payments/captures/${refund.sale}`, 'up'),
    ],
  }
}

function takeBack(
  world: PayPalWorld,
  sale: Sale,
  cents: number,
  kind: 'refund' | 'dispute',
): Refund {
  const refund: Refund = {
    id: world.newId(),
    sale: sale.id,
    cents,
    currency: sale.currency,
    at: world.clock.now(),
  }
  world.movements.set(refund.id, sale.id)
  sale.refundedCents += cents
  sale.status = sale.refundedCents === sale.cents ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
  world.books.add({
    id: refund.id,
    kind,
    amountCents: -cents,
    feeCents: 0,
    currency: 'usd',
    source: refund.id,
    at: refund.at,
  })
  return refund
}

/** The resource of PAYMENT.SALE.REFUNDED and PAYMENT.SALE.REVERSED. */
const movedBody = (world: PayPalWorld, refund: Refund) => ({
  id: refund.id,
  sale_id: refund.sale,
  state: 'completed',
  amount: { total: `-${money(refund.cents).value}`, currency: refund.currency },
  create_time: iso(refund.at),
  update_time: iso(refund.at),
  links: [
    world.link(`/v1/payments/refund/${refund.id}`),
    world.link(`/v1/payments/sale/${refund.sale}`, 'sale'),
  ],
})

/** The resource of PAYMENT.CAPTURE.REFUNDED. */
const capturedBody = (world: PayPalWorld, refund: Refund) => ({
  id: refund.id,
  status: 'COMPLETED',
  amount: { value: money(refund.cents).value, currency_code: refund.currency },
  create_time: iso(refund.at),
  update_time: iso(refund.at),
  links: [
    world.link(`/v2/payments/refunds/${refund.id}`),
    world.link(`/v2/payments/captures/${refund.sale}`, 'up'),
  ],
})

function tellRefund(world: PayPalWorld, refund: Refund): void {
  const summary = `A $ ${money(refund.cents).value} USD`
  if (world.refundsAs !== 'capture')
    world.emit(
      'PAYMENT.SALE.REFUNDED',
      'refund',
      `${summary} sale payment was refunded`,
      movedBody(world, refund),
    )
  if (world.refundsAs !== 'sale')
    world.emit(
      'PAYMENT.CAPTURE.REFUNDED',
      'refund',
      `${summary} capture payment was refunded`,
      capturedBody(world, refund),
    )
}

/** @throws PayPalTrouble 422 when nothing is left to refund */
export function refundSale(world: PayPalWorld, sale: Sale, body: Body): Refund {
  const left = sale.cents - sale.refundedCents
  if (left === 0)
    throw refused('CAPTURE_FULLY_REFUNDED', 'The capture has already been fully refunded.')
  const amount = body['amount'] as { total?: unknown } | undefined
  const cents =
    amount === undefined
      ? left
      : centsOf(amount.total === undefined ? amount : { value: amount.total }, 'amount')
  if (cents <= 0) throw invalid('amount')
  if (cents > left)
    throw refused(
      'REFUND_AMOUNT_EXCEEDED',
      'The refund amount must be less than or equal to the capture amount that has not yet been refunded.',
    )
  const refund = takeBack(world, sale, cents, 'refund')
  world.refunds.set(refund.id, refund)
  tellRefund(world, refund)
  return refund
}

/** PayPal takes a payment back, for example after an unauthorized transaction. */
export function reverseSale(world: PayPalWorld, sale: Sale): Refund {
  const reversal = takeBack(world, sale, sale.cents - sale.refundedCents, 'dispute')
  world.emit(
    'PAYMENT.SALE.REVERSED',
    'sale',
    `A $ ${money(reversal.cents).value} USD sale payment was reversed`,
    {
      ...movedBody(world, reversal),
      billing_agreement_id: sale.agreement,
    },
  )
  return reversal
}

/** The payments of an agreement between two times: GET …/transactions. */
export function transactionsOf(
  world: PayPalWorld,
  agreement: Agreement,
  query: URLSearchParams,
): Record<string, unknown> {
  const time = (name: string) => {
    const at = Date.parse(query.get(name) ?? '')
    if (Number.isNaN(at))
      throw invalid(name, 'MISSING_REQUIRED_PARAMETER', 'A required field is missing.')
    return at
  }
  const [from, to] = [time('start_time'), time('end_time')]
  if (from > to)
    throw invalid('start_time', 'INVALID_START_TIME', 'The start time is after the end time.')
  const { payer } = agreement
  const transactions = [...world.sales.values()]
    .filter((sale) => sale.agreement === agreement.id && sale.at >= from && sale.at <= to)
    .map((sale) => ({
      status: sale.status,
      id: sale.id,
      amount_with_breakdown: {
        gross_amount: money(sale.cents),
        fee_amount: money(sale.feeCents),
        net_amount: money(sale.cents - sale.feeCents),
      },
      payer_name: { given_name: payer.given, surname: payer.surname },
      payer_email: payer.email,
      time: new Date(sale.at).toISOString(),
    }))
  const path = `/v1/billing/subscriptions/${agreement.id}/transactions`
  // PayPal leaves the list out when there is nothing in it.
  return { ...(transactions.length > 0 && { transactions }), links: [world.link(path)] }
}

export function disputeBody(world: PayPalWorld, dispute: Dispute): Record<string, unknown> {
  const sale = world.need(world.sales, dispute.sale)
  return {
    dispute_id: dispute.id,
    create_time: iso(dispute.at),
    update_time: iso(world.clock.now()),
    disputed_transactions: [
      ...dispute.others.map((id) => ({ seller_transaction_id: id })),
      {
        seller_transaction_id: sale.id,
        transaction_status: 'COMPLETED',
        gross_amount: money(sale.cents),
      },
    ],
    reason: 'UNAUTHORISED',
    status: dispute.status,
    dispute_state: dispute.outcome === null ? 'REQUIRED_ACTION' : 'RESOLVED',
    dispute_amount: money(sale.cents),
    ...(dispute.outcome !== null && {
      dispute_outcome: {
        outcome_code: dispute.outcome,
        amount_refunded: money(sale.refundedCents),
      },
    }),
    dispute_life_cycle_stage: 'CHARGEBACK',
    links: [world.link(`/v1/customer/disputes/${dispute.id}`)],
  }
}

export function openDispute(
  world: PayPalWorld,
  sale: Sale,
  others: readonly string[] = [],
): Dispute {
  const dispute: Dispute = {
    id: world.newId('PP-D-'),
    sale: sale.id,
    others,
    at: world.clock.now(),
    status: 'WAITING_FOR_SELLER_RESPONSE',
    outcome: null,
  }
  world.disputes.set(dispute.id, dispute)
  world.emit(
    'CUSTOMER.DISPUTE.CREATED',
    'dispute',
    'A new dispute opened with Case # ' + dispute.id,
    disputeBody(world, dispute),
  )
  return dispute
}

/** A lost dispute reverses the payment. */
export function closeDispute(world: PayPalWorld, dispute: Dispute, won: boolean): void {
  Object.assign(dispute, {
    status: 'RESOLVED',
    outcome: won ? 'RESOLVED_SELLER_FAVOUR' : 'RESOLVED_BUYER_FAVOUR',
  })
  if (!won) reverseSale(world, world.need(world.sales, dispute.sale))
  world.emit(
    'CUSTOMER.DISPUTE.RESOLVED',
    'dispute',
    'A dispute was resolved with case # ' + dispute.id,
    disputeBody(world, dispute),
  )
}
