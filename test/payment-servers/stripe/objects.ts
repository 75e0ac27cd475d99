/**
 * The objects of Stripe's API version 2026-10-28.endive, as far as the server computes with them. The other fields are
 * in `shapes.ts`. References between objects are ids; `expand` replaces them in answers.
 */

export interface StripeObject {
  id: string
  object: string
  created: number
  [field: string]: unknown
}

export type Metadata = Record<string, string>

export interface Product extends StripeObject {
  active: boolean
  name: string
  metadata: Metadata
}

export interface Price extends StripeObject {
  active: boolean
  currency: string
  lookup_key: string | null
  metadata: Metadata
  product: string
  recurring: { interval: string; interval_count: number } | null
  unit_amount: number
}

export interface Customer extends StripeObject {
  balance: number
  email: string | null
  name: string | null
  address: Record<string, unknown> | null
  metadata: Metadata
  invoice_settings: { default_payment_method: string | null; [field: string]: unknown }
}

export interface PaymentMethod extends StripeObject {
  customer: string | null
  card: Card
}

export interface Card {
  brand: string
  last4: string
  exp_month: number
  exp_year: number
  fingerprint: string
  [field: string]: unknown
}

export interface SubscriptionItem extends StripeObject {
  current_period_start: number
  current_period_end: number
  price: Price
  quantity: number
  subscription: string
}

export interface PendingUpdate {
  expires_at: number
  subscription_items: SubscriptionItem[] | null
  [field: string]: unknown
}

export interface Subscription extends StripeObject {
  billing_cycle_anchor: number
  cancel_at: number | null
  cancel_at_period_end: boolean
  canceled_at: number | null
  cancellation_details: {
    comment: null
    feedback: null
    feedback_option: null
    reason: string | null
  }
  currency: string
  customer: string
  default_payment_method: string | null
  ended_at: number | null
  items: { object: 'list'; data: SubscriptionItem[]; has_more: boolean; url: string }
  latest_invoice: string | null
  metadata: Metadata
  pending_update: PendingUpdate | null
  schedule: string | null
  start_date: number
  status: string
  trial_start: number | null
  trial_end: number | null
}

export interface InvoiceLine extends StripeObject {
  amount: number
  period: { start: number; end: number }
}

export interface Invoice extends StripeObject {
  amount_due: number
  amount_paid: number
  amount_remaining: number
  attempt_count: number
  attempted: boolean
  auto_advance: boolean
  billing_reason: string
  currency: string
  customer: string
  ending_balance: number | null
  hosted_invoice_url: string | null
  invoice_pdf: string | null
  lines: { object: 'list'; data: InvoiceLine[]; has_more: boolean; url: string }
  next_payment_attempt: number | null
  number: string | null
  parent: {
    quote_details: null
    subscription_details: { metadata: Metadata; subscription: string }
    type: string
  }
  post_payment_credit_notes_amount: number
  starting_balance: number
  status: string
  status_transitions: {
    finalized_at: number | null
    marked_uncollectible_at: number | null
    paid_at: number | null
    voided_at: number | null
  }
  total: number
}

export interface InvoicePayment extends StripeObject {
  amount_paid: number | null
  amount_requested: number
  invoice: string
  payment: { payment_intent: string; type: 'payment_intent' }
  status: string
  status_transitions: { canceled_at: number | null; paid_at: number | null }
}

export interface PaymentIntent extends StripeObject {
  amount: number
  amount_received: number
  customer: string
  latest_charge: string | null
  payment_method: string | null
  last_payment_error: Record<string, unknown> | null
  next_action: Record<string, unknown> | null
  status: string
}

export interface Charge extends StripeObject {
  amount: number
  amount_refunded: number
  balance_transaction: string | null
  currency: string
  customer: string
  disputed: boolean
  paid: boolean
  payment_intent: string
  payment_method: string
  refunded: boolean
  status: string
}

export interface Refund extends StripeObject {
  amount: number
  charge: string
  payment_intent: string
  status: string
}

export interface Dispute extends StripeObject {
  amount: number
  balance_transactions: StripeObject[]
  charge: string
  currency: string
  is_charge_refundable: boolean
  payment_intent: string
  status: string
}

export interface CheckoutSession extends StripeObject {
  cancel_url: string | null
  customer: string | null
  customer_email: string | null
  expires_at: number
  invoice: string | null
  metadata: Metadata
  payment_status: string
  status: string
  subscription: string | null
  success_url: string | null
  url: string | null
}

export interface PortalSession extends StripeObject {
  customer: string
  return_url: string | null
  url: string
}

export interface Schedule extends StripeObject {
  canceled_at: number | null
  completed_at: number | null
  current_phase: { start_date: number; end_date: number } | null
  end_behavior: string
  phases: Phase[]
  released_at: number | null
  released_subscription: string | null
  status: string
  subscription: string | null
}

export interface Phase {
  start_date: number
  end_date: number
  items: { price: string; quantity: number; [field: string]: unknown }[]
  proration_behavior: string
  [field: string]: unknown
}

export interface StripeEvent extends StripeObject {
  data: { object: unknown; previous_attributes?: Record<string, unknown> }
  type: string
}

/** Every kind of object that is kept. */
export interface Kinds {
  product: Product
  price: Price
  customer: Customer
  payment_method: PaymentMethod
  subscription: Subscription
  invoice: Invoice
  invoice_payment: InvoicePayment
  payment_intent: PaymentIntent
  charge: Charge
  refund: Refund
  dispute: Dispute
  credit_note: StripeObject
  balance_transaction: StripeObject
  'checkout.session': CheckoutSession
  'billing_portal.session': PortalSession
  subscription_schedule: Schedule
  event: StripeEvent
}
export type Kind = keyof Kinds
