/** Lines of invoices: periods and prorations: https://docs.stripe.com/billing/subscriptions/prorations. */
import type { InvoiceLine, Price, Subscription, SubscriptionItem } from './objects.ts'
import type { StripeWorld } from './world.ts'

/** The end of a period that begins at a time, in seconds. A day that the month lacks becomes its last day. */
export function periodEnd(start: number, price: Price, anchor = start): number {
  const { interval, interval_count: count } = price.recurring ?? {
    interval: 'month',
    interval_count: 1,
  }
  if (interval === 'day' || interval === 'week')
    return start + count * (interval === 'day' ? 1 : 7) * 86_400
  const from = new Date(start * 1000)
  const months = count * (interval === 'year' ? 12 : 1)
  const day = new Date(anchor * 1000).getUTCDate()
  const lastDay = new Date(
    Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months + 1, 0),
  ).getUTCDate()
  const clockTime = start % 86_400
  const midnight = Date.UTC(
    from.getUTCFullYear(),
    from.getUTCMonth() + months,
    Math.min(day, lastDay),
  )
  return midnight / 1000 + clockTime
}

interface Draft {
  readonly amount: number
  readonly description: string
  readonly start: number
  readonly end: number
  readonly item: SubscriptionItem
  readonly price: Price
  readonly proration: boolean
}

function lineOf(world: StripeWorld, draft: Draft): InvoiceLine {
  const { amount, description, item, price, proration } = draft
  return {
    id: world.newId('il'),
    object: 'line_item',
    created: world.clock.seconds(),
    amount,
    currency: price.currency,
    description,
    discount_amounts: [],
    discountable: !proration,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: {},
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: proration ? world.newId('ii') : null,
        proration,
        proration_details: proration ? { credited_items: null } : null,
        subscription: item.subscription,
        subscription_item: item.id,
      },
      type: 'subscription_item_details',
    },
    period: { start: draft.start, end: draft.end },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: price.id, product: price.product },
      type: 'price_details',
      unit_amount_decimal: price['unit_amount_decimal'],
    },
    quantity: item.quantity,
    quantity_decimal: String(item.quantity),
    subscription: item.subscription,
    subtotal: amount,
    taxes: [],
  }
}

function nameOf(world: StripeWorld, price: Price): string {
  return world.find('product', price.product)?.name ?? price.product
}

/** The line of a whole period. */
export function periodLine(
  world: StripeWorld,
  item: SubscriptionItem,
  price: Price,
  start: number,
  end: number,
): InvoiceLine {
  const every = price.recurring?.interval ?? 'month'
  const amount = price.unit_amount * item.quantity
  const description = `${item.quantity} × ${nameOf(world, price)} (at $${(price.unit_amount / 100).toFixed(2)} / ${every})`
  return lineOf(world, { amount, description, start, end, item, price, proration: false })
}

const share = (amount: number, part: number, whole: number) =>
  Math.round((amount * part) / Math.max(1, whole))

/** The items of a subscription after a change of price, and the lines that the change costs. */
export interface Change {
  readonly items: SubscriptionItem[]
  readonly lines: InvoiceLine[]
}

function creditLine(world: StripeWorld, item: SubscriptionItem, at: number): InvoiceLine {
  const { current_period_start: start, current_period_end: end } = item
  const amount = -share(item.price.unit_amount * item.quantity, end - at, end - start)
  const description = `Unused time on ${nameOf(world, item.price)}`
  return lineOf(world, {
    amount,
    description,
    start: at,
    end,
    item,
    price: item.price,
    proration: true,
  })
}

/**
 * Changes the price of the one item. The same interval keeps the period; another interval begins a new period now,
 * whose price is due at once.
 */
export function changePrice(
  world: StripeWorld,
  item: SubscriptionItem,
  price: Price,
  options: { readonly at: number; readonly prorates: boolean; readonly restarts?: boolean },
): Change {
  const { at, prorates } = options
  const sameInterval =
    price.recurring?.interval === item.price.recurring?.interval &&
    price.recurring?.interval_count === item.price.recurring?.interval_count
  const restarts = options.restarts === true || !sameInterval
  const changed: SubscriptionItem = {
    ...structuredClone(item),
    price: structuredClone(price),
    plan: planOf(price),
  }
  const lines = prorates ? [creditLine(world, item, at)] : []
  if (restarts) {
    changed.current_period_start = at
    changed.current_period_end = periodEnd(at, price)
    lines.push(periodLine(world, changed, price, at, changed.current_period_end))
  } else if (prorates) {
    const { current_period_start: start, current_period_end: end } = item
    const amount = share(price.unit_amount * item.quantity, end - at, end - start)
    const description = `Remaining time on ${nameOf(world, price)}`
    lines.push(
      lineOf(world, { amount, description, start: at, end, item: changed, price, proration: true }),
    )
  }
  return { items: [changed], lines }
}

/** The old name of a price, which items still carry. */
export function planOf(price: Price): Record<string, unknown> {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price['unit_amount_decimal'],
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval,
    interval_count: price.recurring?.interval_count,
    livemode: false,
    metadata: price['metadata'],
    meter: null,
    nickname: price['nickname'],
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }
}

/** The one item of a subscription of ours. */
export function itemOf(subscription: Subscription): SubscriptionItem {
  const [item] = subscription.items.data
  if (item === undefined) throw new Error(`${subscription.id} has no item.`)
  return item
}
