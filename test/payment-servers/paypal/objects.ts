/** The objects of PayPal's subscriptions v1 and payments v2, as far as the server computes with them. */

/** The JSON object of a call. */
export type Body = Readonly<Record<string, unknown>>

export interface Money {
  readonly currency_code: string
  readonly value: string
}

export interface Product {
  readonly id: string
  readonly name: string
  [field: string]: unknown
}

export interface Cycle {
  readonly tenure_type: string
  readonly sequence: number
  readonly total_cycles: number
  readonly frequency: { readonly interval_unit: string; readonly interval_count: number }
  readonly pricing_scheme: { readonly fixed_price: Money; readonly version: number }
}

export interface Plan {
  readonly id: string
  readonly product_id: string
  readonly name: string
  status: string
  billing_cycles: Cycle[]
  payment_preferences: {
    auto_bill_outstanding: boolean
    setup_fee: Money
    setup_fee_failure_action: string
    payment_failure_threshold: number
  }
  [field: string]: unknown
}

/** What the server knows of a subscription; `subscriptionBody` makes an answer of it. Times are milliseconds. */
export interface Agreement {
  readonly id: string
  readonly token: string
  plan: Plan
  planOverridden: boolean
  readonly customId: string | null
  status: 'APPROVAL_PENDING' | 'APPROVED' | 'ACTIVE' | 'SUSPENDED' | 'CANCELLED' | 'EXPIRED'
  statusNote: string | null
  statusAt: number
  readonly createdAt: number
  updatedAt: number
  startsAt: number
  nextBillingAt: number | null
  payer: {
    readonly email: string
    readonly id: string
    readonly given: string
    readonly surname: string
  }
  approved: boolean
  returnUrl: string
  cancelUrl: string
  readonly subscribesNow: boolean
  lastPayment: { readonly cents: number; readonly at: number } | null
  lastFailure: {
    readonly cents: number
    readonly at: number
    readonly retryAt: number | null
  } | null
  failedCount: number
  outstandingCents: number
  cyclesCompleted: number
  /** The payer's means of payment: what it does from now on. */
  conduct: 'pays' | 'declines'
  revisesTo: Plan | null
}

export interface Sale {
  readonly id: string
  readonly agreement: string
  readonly cents: number
  readonly feeCents: number
  readonly currency: string
  readonly at: number
  refundedCents: number
  status: 'COMPLETED' | 'PARTIALLY_REFUNDED' | 'REFUNDED'
}

export interface Refund {
  readonly id: string
  readonly sale: string
  readonly cents: number
  readonly currency: string
  readonly at: number
}

export interface Dispute {
  readonly id: string
  readonly sale: string
  /** Other transactions that it is about, which are named before the sale. */
  readonly others: readonly string[]
  readonly at: number
  status: string
  outcome: string | null
}

export interface PayPalEvent {
  readonly id: string
  readonly event_version: '1.0'
  readonly create_time: string
  readonly resource_type: string
  readonly resource_version?: string
  readonly event_type: string
  readonly summary: string
  readonly resource: unknown
  readonly links: unknown[]
}
