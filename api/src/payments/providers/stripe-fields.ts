/**
 * Fields that versions of Stripe's API have in different places, or not at all. The SDK asks for one version, but a proxy,
 * a preview or a test server can answer in another; a field that is not needed must not keep a paid plan from its owner.
 */
import type { Stripe } from 'stripe'
import { idOf } from './stripe-client.ts'

/** An object of which any field can be missing. */
export type Lean<T> = { readonly [K in keyof T]?: T[K] | null | undefined }

type Reference = string | { readonly id: string } | null | undefined

/** Before 2025-03-31. */
interface OlderSubscription {
  readonly current_period_start?: number | null
  readonly current_period_end?: number | null
}

/** Before 2025-03-31. */
interface OlderInvoice {
  readonly subscription?: Reference
  readonly payment_intent?: Reference
  readonly charge?: Reference
}

export interface Period {
  /** In seconds. */
  readonly start: number | null
  readonly end: number | null
}

/** The period that was paid for: items have it since 2025-03-31, subscriptions had it before. */
export function periodOf(subscription: Stripe.Subscription & OlderSubscription): Period {
  const item: Lean<Stripe.SubscriptionItem> | undefined = subscription.items.data[0]
  return {
    start: item?.current_period_start ?? subscription.current_period_start ?? null,
    end: item?.current_period_end ?? subscription.current_period_end ?? null,
  }
}

/** `parent` names it since 2025-03-31. */
export function subscriptionOfInvoice(
  invoice: Lean<Pick<Stripe.Invoice, 'parent'>> & OlderInvoice,
): string | null {
  return idOf(invoice.parent?.subscription_details?.subscription) ?? idOf(invoice.subscription)
}

/** The payment intents and charges that an invoice itself names; empty: it names none. */
export function paymentsNamedBy(
  invoice: Pick<Stripe.Invoice, 'payments'> & OlderInvoice,
): Set<string> {
  const { payments, payment_intent, charge } = invoice
  const named = payments?.data.map(({ payment }) => payment) ?? []
  const ids = [...named, { payment_intent, charge }].flatMap((each) => [
    idOf(each.payment_intent),
    idOf(each.charge),
  ])
  return new Set(ids.filter((id) => id !== null))
}
