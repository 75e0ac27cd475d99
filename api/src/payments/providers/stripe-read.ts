/** Reads one subscription at Stripe into the facts of the service. */
import type { Stripe } from 'stripe'
import type { CheckoutPayer, ReadSubscription, Standing } from '../provider.ts'
import { dateOf, dateOrNull, found, idOf } from './stripe-client.ts'
import { chargesOf, listInvoices, listPaymentsOf, readInvoice } from './stripe-invoices.ts'

const STANDINGS: Readonly<Record<string, Standing>> = {
  incomplete: 'incomplete',
  trialing: 'running',
  active: 'running',
  past_due: 'unpaid',
  unpaid: 'unpaid',
  paused: 'paused',
  canceled: 'ended',
  incomplete_expired: 'ended',
}

/** The one item of a subscription; undefined: it has none, or several. */
export function onlyItem({ items }: Stripe.Subscription): Stripe.SubscriptionItem | undefined {
  return items.data.length === 1 ? items.data[0] : undefined
}

/** The end of the period that was paid for: items have it, not the subscription (since 2025-03-31). */
const periodOf = (subscription: Stripe.Subscription) => {
  const item = subscription.items.data[0]
  return {
    periodStart: dateOrNull(item?.current_period_start),
    periodEnd: dateOrNull(item?.current_period_end),
  }
}

function cancelAtOf(subscription: Stripe.Subscription): Date | null {
  const { cancel_at, cancel_at_period_end, ended_at } = subscription
  if (ended_at !== null) return null
  if (cancel_at !== null) return dateOf(cancel_at)
  return cancel_at_period_end ? periodOf(subscription).periodEnd : null
}

/** The price of the schedule's phase after the present one. */
function scheduledPrice({ schedule }: Stripe.Subscription): string | null {
  if (schedule === null || typeof schedule === 'string') return null
  const end = schedule.current_phase?.end_date
  const next = schedule.phases.find(({ start_date }) => end !== undefined && start_date >= end)
  return idOf(next?.items[0]?.price)
}

/** `starts_at` is our own note: Stripe does not take a start within two days as a trial. */
function startsAtOf({ trial_end, metadata }: Stripe.Subscription): Date | null {
  if (trial_end !== null) return dateOf(trial_end)
  const noted = Number(metadata['starts_at'] ?? Number.NaN)
  return Number.isSafeInteger(noted) ? dateOf(noted) : null
}

type Card = Pick<Stripe.PaymentMethod.Card, 'brand' | 'last4' | 'exp_month' | 'exp_year'>

function brandName(brand: string): string {
  const known: Readonly<Record<string, string>> = {
    amex: 'American Express',
    jcb: 'JCB',
    unionpay: 'UnionPay',
  }
  return known[brand] ?? brand.charAt(0).toUpperCase() + brand.slice(1)
}

function shownCard(card: Card | undefined) {
  if (card === undefined) return { paymentMethod: null, cardExpiresAt: null }
  return {
    paymentMethod: `${brandName(card.brand)} ending in ${card.last4}`,
    // The first moment after the card's last month.
    cardExpiresAt: new Date(Date.UTC(card.exp_year, card.exp_month, 1)),
  }
}

function cardOf({ default_payment_method: method }: Stripe.Subscription) {
  return method === null || typeof method === 'string' ? undefined : method.card
}

/** The last charge tells the card where the customer, and not the subscription, has a default. */
function cardOfCharge(charge: Stripe.Charge | undefined): Card | undefined {
  const card = charge?.payment_method_details?.card
  if (!card?.brand || !card.last4) return undefined
  const { brand, last4, exp_month, exp_year } = card
  return { brand, last4, exp_month, exp_year }
}

/** Undefined: not all that an invoice needs. */
function payerOf(
  customer: Stripe.Customer | Stripe.DeletedCustomer | string,
): CheckoutPayer | null {
  if (typeof customer === 'string' || customer.deleted) return null
  const { name, email, address } = customer
  if (!name || !email || !address?.line1 || !address.country) return null
  const words = name.trim().split(/\s+/)
  return {
    firstName: words.slice(0, -1).join(' '),
    lastName: words.at(-1) ?? '',
    email,
    address: [address.line1, address.line2].filter(Boolean).join(', '),
    city: address.city ?? '',
    state: address.state ?? '',
    zipCode: address.postal_code ?? '',
    country: address.country,
  }
}

/** When the payment that is missing failed first: its first failed charge, or when its invoice was issued. */
function firstFailureOf(
  standing: Standing,
  invoices: readonly Stripe.Invoice[],
  charges: readonly Stripe.Charge[],
): Date | null {
  if (standing !== 'unpaid') return null
  const open = invoices.find(({ status }) => status === 'open' || status === 'uncollectible')
  if (open === undefined) return null
  const failed = chargesOf(open, charges)
    .filter(({ status }) => status === 'failed')
    .map(({ created }) => created)
  return dateOf(Math.min(...failed, open.status_transitions.finalized_at ?? open.created))
}

/** Reads one subscription. @returns undefined: Stripe does not know it */
export async function readSubscription(
  stripe: Stripe,
  id: string,
  readAt: Date,
): Promise<ReadSubscription | undefined> {
  const [subscription, invoices] = await Promise.all([
    found(
      stripe.subscriptions.retrieve(id, {
        expand: ['default_payment_method', 'customer', 'schedule'],
      }),
    ),
    found(listInvoices(stripe, id)),
  ])
  if (subscription === undefined) return undefined
  const payments = await listPaymentsOf(stripe, idOf(subscription.customer))
  return factsOf(subscription, { invoices: invoices ?? [], payments, readAt })
}

interface Money {
  readonly invoices: readonly Stripe.Invoice[]
  readonly payments: Awaited<ReturnType<typeof listPaymentsOf>>
  readonly readAt: Date
}

function factsOf(
  subscription: Stripe.Subscription,
  { invoices, payments, readAt }: Money,
): ReadSubscription {
  const standing = STANDINGS[subscription.status] ?? 'incomplete'
  const own = invoices.flatMap((invoice) => chargesOf(invoice, payments.charges))
  const paid = own.filter(({ status }) => status === 'succeeded')
  const card = cardOf(subscription)
  const isStarted = standing !== 'incomplete' && subscription.status !== 'incomplete_expired'
  return {
    provider: 'stripe',
    providerId: subscription.id,
    readAt,
    customerId: idOf(subscription.customer),
    checkoutId: subscription.metadata['checkout_id'] ?? null,
    priceProviderId: onlyItem(subscription)?.price.id ?? null,
    nextPriceProviderId: scheduledPrice(subscription),
    standing,
    providerStatus: subscription.status,
    startedAt: isStarted ? dateOf(subscription.start_date) : null,
    startsAt: startsAtOf(subscription),
    ...periodOf(subscription),
    cancelAt: cancelAtOf(subscription),
    endedAt: dateOrNull(subscription.ended_at),
    firstFailedAt: firstFailureOf(standing, invoices, payments.charges),
    payer: paid[0]?.payment_method_details?.card?.fingerprint ?? card?.fingerprint ?? null,
    ...shownCard(card ?? cardOfCharge(paid.at(-1))),
    billingDetails: payerOf(subscription.customer),
    invoices: invoices.map((invoice) => readInvoice(invoice, payments, readAt)),
  }
}
