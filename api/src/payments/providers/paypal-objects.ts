/** The parts of PayPal's objects that the service reads. All of them can be missing, so each is checked where it is used. */
import type { PaypalMoney } from './paypal-amount.ts'
import { refused } from './paypal-trouble.ts'

export interface PaypalLink {
  readonly href: string
  readonly rel: string
}

export type PaypalStatus =
  | 'APPROVAL_PENDING'
  | 'APPROVED'
  | 'ACTIVE'
  | 'SUSPENDED'
  | 'CANCELLED'
  | 'EXPIRED'

export interface PaypalPlan {
  readonly id?: string
  readonly status?: string
  readonly product_id?: string
  readonly description?: string
  readonly billing_cycles?: readonly {
    readonly tenure_type?: string
    readonly total_cycles?: number
    readonly frequency?: { readonly interval_unit?: string; readonly interval_count?: number }
    readonly pricing_scheme?: { readonly fixed_price?: PaypalMoney }
  }[]
  readonly payment_preferences?: { readonly setup_fee?: PaypalMoney }
}

export interface PaypalSubscription {
  readonly id: string
  readonly status: PaypalStatus
  readonly status_change_note?: string
  readonly status_update_time?: string
  readonly plan_id?: string
  readonly plan_overridden?: boolean
  readonly plan?: PaypalPlan
  readonly quantity?: string
  readonly custom_id?: string
  readonly start_time?: string
  readonly create_time?: string
  readonly subscriber?: { readonly email_address?: string; readonly payer_id?: string }
  readonly billing_info?: {
    readonly last_payment?: { readonly time?: string }
    readonly last_failed_payment?: { readonly time?: string }
    readonly next_billing_time?: string
    readonly failed_payments_count?: number
  }
  readonly links?: readonly PaypalLink[]
}

/** A payment of a subscription. */
export interface PaypalTransaction {
  readonly id: string
  readonly status?: string
  readonly time: string
  readonly amount_with_breakdown?: { readonly gross_amount?: PaypalMoney }
}

/** A payment as PayPal's older API has it: the only one that names the subscription. */
export interface PaypalSale {
  readonly id: string
  readonly billing_agreement_id?: string
}

export interface PaypalRefund {
  readonly id: string
  readonly status?: string
  readonly amount?: PaypalMoney
  readonly create_time?: string
  readonly links?: readonly PaypalLink[]
}

export interface PaypalDispute {
  readonly dispute_id?: string
  readonly create_time?: string
  readonly update_time?: string
  readonly status?: string
  readonly dispute_amount?: PaypalMoney
  readonly dispute_outcome?: { readonly outcome_code?: string }
  readonly disputed_transactions?: readonly { readonly seller_transaction_id?: string }[]
}

/** PayPal's times are RFC 3339. @throws ProviderTrouble `refused` for anything else */
export function dateOf(text: string): Date {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) throw refused('PayPal sent a time that cannot be read')
  return at
}
export const dateOrNull = (text: string | undefined): Date | null =>
  text === undefined ? null : dateOf(text)

/** Times are sent without milliseconds; rounded up, so that what was paid for does not end early. */
export const timeOf = (date: Date): string =>
  `${new Date(Math.ceil(date.getTime() / 1_000) * 1_000).toISOString().slice(0, 19)}Z`

/** The address of a link. */
export const linkOf = (links: readonly PaypalLink[] | undefined, rel: string): string | undefined =>
  links?.find((link) => link.rel === rel)?.href

/** An id as a part of a path. @throws ProviderTrouble for what PayPal never gives */
export function pathId(id: string): string {
  if (!/^[\w-]{1,64}$/.test(id)) throw refused('An id is not one of PayPal')
  return id
}

export const subscriptionPath = (id: string) => `/v1/billing/subscriptions/${pathId(id)}`
