/** The disputes about payments at PayPal. What PayPal takes for one is a reversal of its own (`paypal-movements.ts`). */
import type { ReadDispute } from '../provider.ts'
import { centsOf } from './paypal-amount.ts'
import type { PaypalCall } from './paypal-client.ts'
import { dateOf, type PaypalDispute, pathId } from './paypal-objects.ts'

const WON = new Set(['RESOLVED_SELLER_FAVOUR', 'CANCELED_BY_BUYER', 'DENIED', 'NONE'])

function disputeOf(dispute: PaypalDispute): ReadDispute | undefined {
  const { dispute_id: id, create_time, update_time, status, dispute_amount } = dispute
  if (id === undefined || create_time === undefined) return undefined
  const openedAt = dateOf(create_time)
  const isOpen = status !== 'RESOLVED'
  const outcome = dispute.dispute_outcome?.outcome_code ?? 'NONE'
  return {
    id,
    status: isOpen ? 'open' : WON.has(outcome) ? 'won' : 'lost',
    amountCents: dispute_amount === undefined ? 0 : centsOf(dispute_amount),
    openedAt,
    closedAt: isOpen ? null : dateOf(update_time ?? create_time),
    // What PayPal takes is a reversal of its own.
    isWithdrawn: false,
    returned: null,
  }
}

/** The payments that a dispute is about. Some of them need not be ours. */
export const disputedPayments = ({ disputed_transactions: payments = [] }: PaypalDispute) =>
  payments.map(({ seller_transaction_id: id }) => id).filter((id) => id !== undefined)

/** The dispute that an event named, and its payments. Undefined: it does not exist. */
export async function namedDispute(
  call: PaypalCall,
  id: string,
): Promise<{ readonly paymentIds: readonly string[]; readonly dispute: ReadDispute } | undefined> {
  const found = await call.findOptional<PaypalDispute>(`/v1/customer/disputes/${pathId(id)}`)
  const dispute = found && disputeOf(found)
  return dispute && { paymentIds: disputedPayments(found), dispute }
}

/** A list need not be narrowed to the payment that was asked for. */
const isAbout = (dispute: PaypalDispute, paymentId: string) =>
  dispute.disputed_transactions === undefined || disputedPayments(dispute).includes(paymentId)

/** The disputes about a payment. An app without the permission for disputes reads none. */
export async function disputesOf(call: PaypalCall, paymentId: string): Promise<ReadDispute[]> {
  const path = `/v1/customer/disputes?disputed_transaction_id=${pathId(paymentId)}`
  const { items = [] } =
    (await call.findOptional<{ readonly items?: readonly PaypalDispute[] }>(path)) ?? {}
  const whole = await Promise.all(
    items.map(async ({ dispute_id: id }) =>
      id === undefined
        ? undefined
        : call.find<PaypalDispute>(`/v1/customer/disputes/${pathId(id)}`),
    ),
  )
  return whole
    .filter((each) => each !== undefined && isAbout(each, paymentId))
    .map((each) => each && disputeOf(each))
    .filter((each) => each !== undefined)
}
