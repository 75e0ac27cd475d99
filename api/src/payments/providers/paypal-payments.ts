/** The payments of a subscription at PayPal, with what became of them. */
import { centsOf } from './paypal-amount.ts'
import type { PaypalCall } from './paypal-client.ts'
import { disputesOf, namedDispute } from './paypal-disputes.ts'
import {
  assumedReversal,
  type Movements,
  movementsAndDisputes,
  type Paid,
  reversalsOf,
} from './paypal-movements.ts'
import {
  dateOf,
  dateOrNull,
  type PaypalSubscription,
  type PaypalTransaction,
  subscriptionPath,
  timeOf,
} from './paypal-objects.ts'

const DAY_MS = 86_400_000
/** For how long a payer can dispute a payment: 180 days, and the dispute is decided later. */
const DISPUTABLE_MS = 200 * DAY_MS
const PAID: ReadonlySet<string> = new Set([
  'COMPLETED',
  'PARTIALLY_REFUNDED',
  'REFUNDED',
  'REVERSED',
])

/** A payment with what became of it. */
export interface PaymentRead {
  readonly transaction: PaypalTransaction
  readonly movements: Movements
}

/** The payments that were made, the oldest first. */
export async function readPayments(
  call: PaypalCall,
  { id, status, create_time }: PaypalSubscription,
  now: Date,
): Promise<PaymentRead[]> {
  if (status === 'APPROVAL_PENDING') return []
  const from = dateOrNull(create_time) ?? new Date(0)
  const query = new URLSearchParams({
    start_time: timeOf(new Date(from.getTime() - DAY_MS)),
    end_time: timeOf(new Date(now.getTime() + DAY_MS)),
  })
  const path = `${subscriptionPath(id)}/transactions?${query.toString()}`
  const { transactions = [] } =
    (await call.find<{ readonly transactions?: readonly PaypalTransaction[] }>(path)) ?? {}
  const oldestFirst = transactions
    .filter((each) => PAID.has(each.status ?? '') && grossOf(each) >= 0)
    .toSorted((a, b) => Date.parse(a.time) - Date.parse(b.time))
  const payments: PaymentRead[] = []
  for (const transaction of oldestFirst) {
    const movements = await movementsAndDisputes(call, paidOf(transaction), now)
    payments.push({ transaction, movements })
  }
  return Promise.all(
    payments.map(async (payment) => {
      const age = now.getTime() - dateOf(payment.transaction.time).getTime()
      return age > DISPUTABLE_MS
        ? payment
        : plus(payment, await disputesOf(call, payment.transaction.id))
    }),
  )
}

/** The payments with a dispute that an event named: the list of disputes may not have it. */
export async function withDispute(
  call: PaypalCall,
  payments: readonly PaymentRead[],
  disputeId: string,
): Promise<readonly PaymentRead[]> {
  const named = await namedDispute(call, disputeId)
  return payments.map((each) => {
    const isKnown = each.movements.disputes.some(({ id }) => id === disputeId)
    const isNew = named?.paymentIds.includes(each.transaction.id) === true && !isKnown
    return isNew ? plus(each, [named.dispute]) : each
  })
}

/**
 * The payments when PayPal has sent that one of them was reversed. The payment itself may not show it. An event that was
 * verified is enough to take a plan; without a record of the reversal, it is counted as one of the latest payment.
 */
export async function withReversal(
  call: PaypalCall,
  payments: readonly PaymentRead[],
  now: Date,
): Promise<readonly PaymentRead[]> {
  const isKnown = payments.some(({ movements }) =>
    movements.disputes.some(({ status }) => status === 'reversed'),
  )
  const last = payments.at(-1)
  if (isKnown || last === undefined) return payments
  for (const each of payments.toReversed()) {
    const disputes = await reversalsOf(call, paidOf(each.transaction), now)
    if (disputes.length > 0)
      return payments.map((one) => (one === each ? plus(one, disputes) : one))
  }
  const assumed = assumedReversal(paidOf(last.transaction), last.movements, now)
  return [...payments.slice(0, -1), plus(last, [assumed])]
}

const plus = (
  { transaction, movements }: PaymentRead,
  disputes: Movements['disputes'],
): PaymentRead => ({
  transaction,
  movements: { ...movements, disputes: [...movements.disputes, ...disputes] },
})

const paidOf = (transaction: PaypalTransaction): Paid => ({
  id: transaction.id,
  cents: grossOf(transaction),
  at: dateOf(transaction.time),
  status: transaction.status ?? '',
})

/** In cents, before PayPal's fee. */
export const grossOf = ({ amount_with_breakdown: amount }: PaypalTransaction): number =>
  amount?.gross_amount === undefined ? 0 : centsOf(amount.gross_amount)
