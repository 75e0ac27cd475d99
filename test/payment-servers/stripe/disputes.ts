/** Disputes and inquiries of the cardholder's bank: https://docs.stripe.com/api/disputes, /disputes/how-disputes-work. */
import type { Charge, Dispute } from './objects.ts'
import { bookMovement } from './payments.ts'
import type { StripeWorld } from './world.ts'

/** Charged for a dispute, also when it is won. */
const FEE_CENTS = 1_500
const REINSTATED_AFTER_MS = 3_600_000

/**
 * The bank disputes a payment, or asks about it first.
 *
 * A dispute takes the payment back until it is decided. An inquiry moves no money, and can become a dispute.
 */
export function openDispute(world: StripeWorld, charge: Charge, isInquiry = false): Dispute {
  charge.disputed = true
  const dispute = world.put('dispute', {
    id: world.idFor('dispute'),
    object: 'dispute',
    amount: charge.amount - charge.amount_refunded,
    balance_transactions: [],
    charge: charge.id,
    created: world.clock.seconds(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {},
    evidence_details: {
      due_by: world.clock.seconds() + 7 * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: null,
    },
    intended_submission_method: null,
    is_charge_refundable: isInquiry,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: {
        brand: 'visa',
        case_type: isInquiry ? 'inquiry' : 'chargeback',
        network_reason_code: '10.4',
      },
      type: 'card',
    },
    reason: 'fraudulent',
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
  })
  if (!isInquiry) withdraw(world, dispute)
  world.emit('charge.dispute.created', dispute)
  if (!isInquiry) world.emit('charge.dispute.funds_withdrawn', dispute)
  return dispute
}

function withdraw(world: StripeWorld, dispute: Dispute): void {
  dispute.is_charge_refundable = false
  dispute.balance_transactions.push(
    bookMovement(world, {
      type: 'adjustment',
      kind: 'dispute',
      amount: -dispute.amount,
      currency: dispute.currency,
      source: dispute.id,
      fee: FEE_CENTS,
    }),
  )
}

/** The bank was not content with the answer to its inquiry. */
export function escalateInquiry(world: StripeWorld, dispute: Dispute): void {
  const { status } = dispute
  dispute.status = 'needs_response'
  withdraw(world, dispute)
  world.emit('charge.dispute.updated', dispute, { status })
  world.emit('charge.dispute.funds_withdrawn', dispute)
}

/** The money of a dispute that was won comes back later, in a movement of its own. */
export function closeDispute(world: StripeWorld, dispute: Dispute, isWon: boolean): void {
  const isInquiry = dispute.balance_transactions.length === 0
  dispute.status = isInquiry ? 'warning_closed' : isWon ? 'won' : 'lost'
  world.emit('charge.dispute.closed', dispute)
  if (isInquiry || !isWon) return
  world.clock.at(world.clock.now() + REINSTATED_AFTER_MS, () => reinstate(world, dispute))
}

function reinstate(world: StripeWorld, dispute: Dispute): void {
  dispute.balance_transactions.push(
    bookMovement(world, {
      type: 'adjustment',
      kind: 'dispute_won',
      amount: dispute.amount,
      currency: dispute.currency,
      source: dispute.id,
    }),
  )
  world.emit('charge.dispute.funds_reinstated', dispute)
}
