/** Reads one subscription at Stripe into the facts of the service. */
import type { Stripe } from 'stripe'
import type { CheckoutPayer, ReadHints, ReadSubscription, Standing } from '../provider.ts'
import { dateOf, dateOrNull, found, idOf } from './stripe-client.ts'
import { type Lean, periodOf } from './stripe-fields.ts'
import { readInvoice } from './stripe-invoices.ts'
import {
  type Bill,
  chargesOf,
  listBills,
  listPaymentsOf,
  type Payment,
  type Payments,
} from './stripe-payments.ts'

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

function cancelAtOf(
  { cancel_at, cancel_at_period_end, ended_at }: Lean<Stripe.Subscription>,
  periodEnd: Date | null,
): Date | null {
  if (dateOrNull(ended_at) !== null) return null
  return dateOrNull(cancel_at) ?? (cancel_at_period_end === true ? periodEnd : null)
}

type Schedule = Stripe.SubscriptionSchedule | undefined

/** Where the schedule did not come with the subscription, it is asked for. */
async function scheduleOf(
  stripe: Stripe,
  { schedule }: Lean<Stripe.Subscription>,
): Promise<Schedule> {
  return typeof schedule === 'string'
    ? found<Stripe.SubscriptionSchedule>(stripe.subscriptionSchedules.retrieve(schedule))
    : (schedule ?? undefined)
}

/** The price of the schedule's phase after the present one. */
function scheduledPrice(schedule: Schedule): string | null {
  if (schedule === undefined) return null
  const end = schedule.current_phase?.end_date
  const next = schedule.phases.find(({ start_date }) => end !== undefined && start_date >= end)
  return idOf(next?.items[0]?.price)
}

/** `starts_at` is our own note: Stripe does not take a start within two days as a trial. */
function startsAtOf({ trial_end, metadata }: Lean<Stripe.Subscription>): Date | null {
  const noted = Number(metadata?.['starts_at'] ?? Number.NaN)
  return dateOrNull(trial_end) ?? (Number.isSafeInteger(noted) ? dateOf(noted) : null)
}

/** Our id. The subscription has it as a note; the checkout that made the subscription has it in any case. */
async function checkoutIdOf(
  stripe: Stripe,
  { id, metadata }: Lean<Stripe.Subscription> & { readonly id: string },
): Promise<string | null> {
  const noted = metadata?.['checkout_id']
  if (noted !== undefined) return noted
  const sessions = await found(stripe.checkout.sessions.list({ subscription: id, limit: 1 }))
  const session = sessions?.data.find(({ subscription }) => idOf(subscription) === id)
  return session?.client_reference_id ?? null
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

function cardOf({ default_payment_method: method }: Lean<Stripe.Subscription>) {
  return typeof method === 'string' ? undefined : method?.card
}

/** The last charge tells the card where the customer, and not the subscription, has a default. */
function cardOfCharge(charge: Payment | undefined): Card | undefined {
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
  bills: readonly Bill[],
  charges: readonly Payment[],
): Date | null {
  if (standing !== 'unpaid') return null
  const open = bills.find(
    ({ invoice: { status } }) => status === 'open' || status === 'uncollectible',
  )
  if (open === undefined) return null
  const failed = chargesOf(open, charges)
    .filter(({ status }) => status === 'failed')
    .map(({ created }) => created)
  const { status_transitions: moved }: Lean<Stripe.Invoice> = open.invoice
  return dateOf(Math.min(...failed, moved?.finalized_at ?? open.invoice.created))
}

/** Reads one subscription. @returns undefined: Stripe does not know it */
export async function readSubscription(
  stripe: Stripe,
  id: string,
  { readAt, disputeId }: ReadHints & { readonly readAt: Date },
): Promise<ReadSubscription | undefined> {
  const [subscription, bills] = await Promise.all([
    found(
      stripe.subscriptions.retrieve(id, {
        expand: ['default_payment_method', 'customer', 'schedule'],
      }),
    ),
    listBills(stripe, id),
  ])
  if (subscription === undefined) return undefined
  const [payments, schedule, checkoutId] = await Promise.all([
    listPaymentsOf(stripe, idOf(subscription.customer), { bills, disputeId }),
    scheduleOf(stripe, subscription),
    checkoutIdOf(stripe, subscription),
  ])
  return factsOf(subscription, { bills, payments, schedule, checkoutId, readAt })
}

interface Around {
  readonly bills: readonly Bill[]
  readonly payments: Payments
  readonly schedule: Schedule
  readonly checkoutId: string | null
  readonly readAt: Date
}

function factsOf(
  subscription: Stripe.Subscription,
  { bills, payments, schedule, checkoutId, readAt }: Around,
): ReadSubscription {
  const standing = STANDINGS[subscription.status] ?? 'incomplete'
  const own = bills.flatMap((bill) => chargesOf(bill, payments.charges))
  const paid = own.filter(({ status }) => status === 'succeeded')
  const card = cardOf(subscription)
  const isStarted = standing !== 'incomplete' && subscription.status !== 'incomplete_expired'
  const { start, end } = periodOf(subscription)
  const { start_date: startDate, ended_at: endedAt }: Lean<Stripe.Subscription> = subscription
  return {
    provider: 'stripe',
    providerId: subscription.id,
    readAt,
    customerId: idOf(subscription.customer),
    checkoutId,
    priceProviderId: onlyItem(subscription)?.price.id ?? null,
    nextPriceProviderId: scheduledPrice(schedule),
    standing,
    providerStatus: subscription.status,
    startedAt: isStarted ? dateOf(startDate ?? subscription.created) : null,
    startsAt: startsAtOf(subscription),
    periodStart: dateOrNull(start),
    periodEnd: dateOrNull(end),
    cancelAt: cancelAtOf(subscription, dateOrNull(end)),
    endedAt: dateOrNull(endedAt),
    firstFailedAt: firstFailureOf(standing, bills, payments.charges),
    payer: paid[0]?.payment_method_details?.card?.fingerprint ?? card?.fingerprint ?? null,
    ...shownCard(card ?? cardOfCharge(paid.at(-1))),
    billingDetails: payerOf(subscription.customer),
    invoices: bills.map((bill) => readInvoice(bill, payments, readAt)),
  }
}
