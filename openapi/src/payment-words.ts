/** The words of payments: plans for sale, providers, and the life of a subscription. */

/** The plans that can be bought. */
export const PAID_PLANS = ['pro', 'elite'] as const
export type PaidPlan = (typeof PAID_PLANS)[number]

/** Billing cycles. */
export const BILLING_CYCLES = ['monthly', 'annual'] as const
export type BillingCycle = (typeof BILLING_CYCLES)[number]

/** Payment providers. `stripe` takes cards. */
export const PAYMENT_PROVIDERS = ['stripe', 'paypal'] as const
export type PaymentProvider = (typeof PAYMENT_PROVIDERS)[number]

/**
 * The states of a subscription. `incomplete`: its first payment is not confirmed. `past_due`: a renewal failed, and the plan
 * is kept for a time of grace. `canceled`: it ends with the paid period. `disputed`: the payer disputes a payment.
 */
export const SUBSCRIPTION_STATES = [
  'incomplete',
  'active',
  'past_due',
  'canceled',
  'ended',
  'disputed',
] as const
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number]

/** How long features are kept after the first failed renewal, in days. */
export const PAYMENT_GRACE_DAYS = 14
/** How long a first payment can be refunded, in hours. */
export const REFUND_HOURS = 168

/** What a plan of an account comes from. The highest plan of them counts. */
export const GRANT_SOURCES = ['payment', 'complimentary', 'trial'] as const
export type GrantSource = (typeof GRANT_SOURCES)[number]

/** The eight fields of the billing details, in the order of the form. */
export const BILLING_FIELDS = [
  'firstName',
  'lastName',
  'email',
  'address',
  'city',
  'state',
  'zipCode',
  'country',
] as const
export type BillingField = (typeof BILLING_FIELDS)[number]

/** The longest text of a billing field, in characters. */
export const BILLING_TEXT_LIMIT = 200

/** What an invoice can be. A credit note has a negative total. */
export const INVOICE_KINDS = ['invoice', 'credit_note'] as const
export const INVOICE_STATES = ['open', 'paid', 'void', 'refunded'] as const

/** The states of an event that a provider sent. */
export const PAYMENT_EVENT_STATES = [
  'pending',
  'applied',
  'ignored',
  'unknown-account',
  'failed',
] as const
export type PaymentEventState = (typeof PAYMENT_EVENT_STATES)[number]

/** Kinds of entries of the ledger. */
export const LEDGER_KINDS = ['payment', 'refund', 'dispute', 'dispute_won'] as const
export type LedgerKind = (typeof LEDGER_KINDS)[number]

/** Sort fields of the lists of administrators. */
export const ADMIN_SUBSCRIPTION_SORT = [
  'id',
  'username',
  'plan',
  'state',
  'started_at',
  'ends_at',
] as const
export const ADMIN_PAYMENT_EVENT_SORT = ['id', 'type', 'state', 'received_at'] as const
export const ADMIN_LEDGER_SORT = ['id', 'happened_at', 'amount_cents'] as const

/** Sort fields of the list of tax rates. */
export const TAX_RATE_SORT = ['country', 'rate_basis_points'] as const
/** The highest tax rate, in hundredths of a percent. */
export const TAX_RATE_LIMIT = 10_000
/** The longest name of a tax, in characters. */
export const TAX_NAME_LIMIT = 50
