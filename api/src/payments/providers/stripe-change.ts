/**
 * Changes of a subscription at Stripe.
 *
 * A larger price applies at once with `pending_if_incomplete`: the subscription keeps its old price until the difference
 * is paid. A smaller one waits in a subscription schedule, which Stripe applies at the end of the period: it needs no
 * call of ours at the moment of the renewal. Stripe refuses changes of the cancellation while a schedule has a
 * subscription, so each other change releases the schedule first.
 */
import type { Stripe } from 'stripe'
import type { PriceChange, PriceChangePreview, PriceChangeResult } from '../provider.ts'
import { dateOf, found, idOf, refused } from './stripe-client.ts'
import { type Lean, type Period, periodOf, subscriptionOfInvoice } from './stripe-fields.ts'
import { onlyItem } from './stripe-read.ts'

const isOver = ({ status }: Stripe.Subscription) =>
  status === 'canceled' || status === 'incomplete_expired'

/** Whether it ends by itself at a time that was set. */
const hasEnd = ({ cancel_at }: Lean<Stripe.Subscription>) => typeof cancel_at === 'number'

async function release(stripe: Stripe, { schedule }: Stripe.Subscription): Promise<void> {
  const id = idOf(schedule)
  if (id === null) return
  const present = await stripe.subscriptionSchedules.retrieve(id)
  if (present.status !== 'active' && present.status !== 'not_started') return
  await stripe.subscriptionSchedules.release(id)
}

/** Stops the renewal. Setting it again changes nothing, so it needs no key: Stripe keeps an answer 500 with its key. */
export async function cancelAtPeriodEnd(stripe: Stripe, id: string): Promise<void> {
  const subscription = await found(stripe.subscriptions.retrieve(id))
  if (subscription === undefined || isOver(subscription)) return
  if (subscription.cancel_at_period_end || hasEnd(subscription)) return
  await release(stripe, subscription)
  await stripe.subscriptions.update(id, { cancel_at_period_end: true })
}

export async function resume(stripe: Stripe, id: string): Promise<void> {
  const subscription = await stripe.subscriptions.retrieve(id)
  if (isOver(subscription)) throw refused('The subscription has ended at Stripe')
  if (subscription.cancel_at_period_end) {
    await release(stripe, subscription)
    await stripe.subscriptions.update(id, { cancel_at_period_end: false })
  } else if (hasEnd(subscription)) {
    await release(stripe, subscription)
    await stripe.subscriptions.update(id, { cancel_at: '' })
  }
}

/** Ends it at once, and voids what is open: also when an earlier attempt got only half of that done. */
export async function endNow(stripe: Stripe, id: string): Promise<void> {
  const subscription = await found(stripe.subscriptions.retrieve(id))
  if (subscription === undefined) return
  if (!isOver(subscription)) {
    await stripe.subscriptions.cancel(id, { prorate: false, invoice_now: false })
  }
  const open = await stripe.invoices
    .list({ subscription: id, status: 'open', limit: 100 })
    .autoPagingToArray({ limit: 100 })
  for (const invoice of open) {
    const isOwn = (subscriptionOfInvoice(invoice) ?? id) === id
    if (isOwn && invoice.status === 'open') await stripe.invoices.voidInvoice(invoice.id)
  }
}

function secondsIn(time: Period['end']): number {
  if (time === null) throw refused('The subscription has no period at Stripe')
  return time
}

async function itemOf(stripe: Stripe, id: string) {
  const subscription = await stripe.subscriptions.retrieve(id)
  const item = onlyItem(subscription)
  if (item === undefined) throw refused('The subscription does not have exactly one price')
  const period = periodOf(subscription)
  return { subscription, item, start: secondsIn(period.start), end: secondsIn(period.end) }
}

/** What a change would cost, by Stripe's own calculation. */
export async function previewChange(
  stripe: Stripe,
  { subscriptionId, priceProviderId, when }: PriceChange,
): Promise<PriceChangePreview> {
  const [{ item, start, end }, price] = await Promise.all([
    itemOf(stripe, subscriptionId),
    stripe.prices.retrieve(priceProviderId),
  ])
  const next = { nextPaymentCents: price.unit_amount ?? 0, currency: price.currency.toUpperCase() }
  if (when === 'period-end') {
    const nextPaymentAt = dateOf(end)
    return { dueNowCents: 0, creditCents: 0, nextPaymentAt, ...next }
  }
  const invoice = await stripe.invoices.createPreview({
    subscription: subscriptionId,
    subscription_details: {
      items: [{ id: item.id, price: priceProviderId }],
      proration_behavior: 'always_invoice',
    },
  })
  const lines = invoice.lines.data
  const credit = lines.reduce((sum, { amount }) => sum + Math.min(0, amount), 0)
  return {
    dueNowCents: Math.max(0, invoice.amount_due),
    creditCents: Math.abs(credit),
    nextPaymentAt: dateOf(
      Math.max(
        start,
        ...lines.map(({ period }: Lean<Stripe.InvoiceLineItem>) => period?.end ?? end),
      ),
    ),
    ...next,
  }
}

/** Changes the price. @param key a key that is new for each wish of the owner */
export async function changePrice(
  stripe: Stripe,
  change: PriceChange,
  key: string,
): Promise<PriceChangeResult> {
  const { subscriptionId, priceProviderId, when } = change
  const present = await itemOf(stripe, subscriptionId)
  const { subscription, item } = present
  await release(stripe, subscription)
  if (when === 'period-end') {
    if (item.price.id !== priceProviderId) await schedule(stripe, present, change)
    return { confirmUrl: null }
  }
  const changed = await stripe.subscriptions.update(
    subscriptionId,
    {
      items: [{ id: item.id, price: priceProviderId }],
      proration_behavior: 'always_invoice',
      payment_behavior: 'pending_if_incomplete',
      expand: ['latest_invoice'],
    },
    { idempotencyKey: `${key}-update` },
  )
  const { pending_update: waiting }: Lean<Stripe.Subscription> = changed
  if (!waiting) return { confirmUrl: null }
  const { latest_invoice: latest }: Lean<Stripe.Subscription> = changed
  const invoice = typeof latest === 'string' ? await stripe.invoices.retrieve(latest) : latest
  const page = invoice?.hosted_invoice_url
  if (!page) throw refused('The change waits for a payment, and Stripe has no page for it')
  return { confirmUrl: page }
}

/** Two steps: a schedule that continues the subscription as it is, and then its next phase. */
async function schedule(
  stripe: Stripe,
  { item, start, end }: Awaited<ReturnType<typeof itemOf>>,
  { subscriptionId, priceProviderId }: PriceChange,
): Promise<void> {
  const { recurring } = await stripe.prices.retrieve(priceProviderId)
  if (recurring === null) throw refused('The price does not recur')
  const { id } = await stripe.subscriptionSchedules.create({ from_subscription: subscriptionId })
  await stripe.subscriptionSchedules.update(id, {
    end_behavior: 'release',
    proration_behavior: 'none',
    phases: [
      {
        items: [{ price: item.price.id, quantity: 1 }],
        start_date: start,
        end_date: end,
        proration_behavior: 'none',
      },
      {
        items: [{ price: priceProviderId, quantity: 1 }],
        start_date: end,
        duration: { interval: recurring.interval, interval_count: recurring.interval_count },
        proration_behavior: 'none',
      },
    ],
  })
}

/** Forgets a change that would begin with the next period. */
export async function forgetChange(stripe: Stripe, id: string): Promise<PriceChangeResult> {
  const subscription = await found(stripe.subscriptions.retrieve(id))
  if (subscription !== undefined) await release(stripe, subscription)
  return { confirmUrl: null }
}
