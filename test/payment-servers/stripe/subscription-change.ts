/** Updates of subscriptions, with prorations and pending updates, and previews of their invoices. */
import { collect, expirePendingUpdate } from './collect.ts'
import type { Params } from './form.ts'
import { buildInvoice, createInvoice } from './invoices.ts'
import { type Change, changePrice, itemOf, periodEnd, periodLine } from './lines.ts'
import type { Invoice, Subscription, SubscriptionItem } from './objects.ts'
import {
  group,
  groups,
  metadataOf,
  oneOf,
  onlyParams,
  requiredText,
  text,
  whole,
} from './params.ts'
import { planRenewal } from './renewals.ts'
import { changeCard, changeEnd, recurringPrice } from './subscriptions.ts'
import { StripeTrouble, invalid } from './trouble.ts'
import type { StripeWorld } from './world.ts'

const UPDATE_PARAMS = [
  'billing_cycle_anchor',
  'cancel_at',
  'cancel_at_period_end',
  'cancellation_details',
  'default_payment_method',
  'description',
  'items',
  'metadata',
  'off_session',
  'payment_behavior',
  'payment_settings',
  'proration_behavior',
  'proration_date',
  'trial_end',
]
/** https://docs.stripe.com/billing/subscriptions/pending-updates-reference; metadata and cancel_at_period_end since 2026. */
const PENDING_PARAMS = [
  'billing_cycle_anchor',
  'cancel_at_period_end',
  'items',
  'metadata',
  'off_session',
  'payment_behavior',
  'proration_behavior',
  'proration_date',
  'trial_end',
]
const PENDING_SECONDS = 23 * 3600

const PRORATIONS = ['always_invoice', 'create_prorations', 'none'] as const
const BEHAVIORS = [
  'allow_incomplete',
  'default_incomplete',
  'error_if_incomplete',
  'pending_if_incomplete',
] as const

/** What a change of items would do. Undefined: the request changes no price. */
function changeOf(
  world: StripeWorld,
  subscription: Subscription,
  params: Params,
): Change | undefined {
  const [wish, ...others] = groups(params, 'items') ?? []
  const restarts = text(params, 'billing_cycle_anchor') === 'now'
  if (wish === undefined && !restarts) return undefined
  if (others.length > 0) throw invalid('This server imitates subscriptions with one item.', 'items')
  const item = itemOf(subscription)
  const itemId = wish === undefined ? item.id : text(wish, 'id')
  if (itemId === undefined)
    throw invalid(
      'A second item for one subscription is not imitated: name the item with items[0][id].',
      'items[0][id]',
    )
  if (itemId !== item.id)
    throw new StripeTrouble(400, `No such subscription item: '${itemId}'`, {
      code: 'resource_missing',
      param: 'items[0][id]',
    })
  const priceId = wish === undefined ? undefined : text(wish, 'price')
  const price =
    priceId === undefined
      ? item.price
      : recurringPrice(world, requiredText(wish ?? {}, 'price'), 'items[0][price]')
  if (price.id === item.price.id && !restarts) return undefined
  const now = world.clock.seconds()
  const at = whole(params, 'proration_date') ?? now
  if (at < item.current_period_start || at > item.current_period_end)
    throw invalid('proration_date must be within the current period', 'proration_date')
  const behavior = oneOf(params, 'proration_behavior', PRORATIONS) ?? 'create_prorations'
  return changePrice(world, item, price, {
    at,
    prorates: behavior !== 'none' && subscription.status !== 'trialing',
    restarts,
  })
}

const beginsPeriod = (subscription: Subscription, change: Change) =>
  change.items[0]?.current_period_start !== itemOf(subscription).current_period_start

function adopt(world: StripeWorld, subscription: Subscription, items: SubscriptionItem[]): void {
  const began = items[0]?.current_period_start !== itemOf(subscription).current_period_start
  subscription.items.data = items
  if (!began) return
  subscription.billing_cycle_anchor = itemOf(subscription).current_period_start
  planRenewal(world, subscription)
}

function keepPending(world: StripeWorld, subscription: Subscription, change: Change): void {
  const expires = world.clock.seconds() + PENDING_SECONDS
  const pending = {
    billing_cycle_anchor: null,
    cancel_at_period_end: null,
    discount: null,
    discounts: null,
    expires_at: expires,
    metadata: null,
    subscription_items: change.items,
    trial_end: null,
    trial_from_plan: null,
  }
  subscription.pending_update = pending
  world.clock.at(expires * 1000, () => {
    if (subscription.pending_update === pending) expirePendingUpdate(world, subscription)
  })
}

/** Invoices a change at once. @returns whether the change holds now. */
function chargeChange(
  world: StripeWorld,
  subscription: Subscription,
  change: Change,
  behavior: string,
): boolean {
  const before = subscription.latest_invoice
  const waiting = world.pendingLines.get(subscription.id) ?? []
  world.pendingLines.delete(subscription.id)
  const invoice = createInvoice(world, subscription, {
    reason: 'subscription_update',
    lines: [...waiting, ...change.lines],
  })
  const outcome = collect(world, invoice, { asksCustomer: behavior !== 'default_incomplete' })
  if (outcome === 'paid') return true
  if (behavior === 'pending_if_incomplete') {
    keepPending(world, subscription, change)
    return false
  }
  if (behavior !== 'error_if_incomplete') return true
  subscription.latest_invoice = before
  throw new StripeTrouble(
    402,
    outcome === 'action'
      ? 'This payment requires additional user action before it can be completed successfully.'
      : 'Your card was declined.',
    {
      type: 'card_error',
      code: outcome === 'action' ? 'subscription_payment_intent_requires_action' : 'card_declined',
      ...(outcome === 'failed' && { decline_code: 'generic_decline' }),
    },
  )
}

function changeItems(
  world: StripeWorld,
  subscription: Subscription,
  params: Params,
): Record<string, unknown> {
  const change = changeOf(world, subscription, params)
  if (change === undefined) return {}
  const behavior = oneOf(params, 'payment_behavior', BEHAVIORS) ?? 'allow_incomplete'
  const before = { items: { data: structuredClone(subscription.items.data) } }
  expirePendingUpdate(world, subscription)
  const prorates = oneOf(params, 'proration_behavior', PRORATIONS)
  const invoicesNow = prorates === 'always_invoice' || beginsPeriod(subscription, change)
  if (!invoicesNow) {
    const waiting = world.pendingLines.get(subscription.id) ?? []
    world.pendingLines.set(subscription.id, [...waiting, ...change.lines])
  } else if (!chargeChange(world, subscription, change, behavior)) return { pending_update: null }
  adopt(world, subscription, change.items)
  return before
}

/** https://docs.stripe.com/api/subscriptions/update */
export function updateSubscription(
  world: StripeWorld,
  subscription: Subscription,
  params: Params,
): Subscription {
  onlyParams(params, UPDATE_PARAMS)
  if (['canceled', 'incomplete_expired'].includes(subscription.status)) {
    onlyParams(params, ['metadata', 'cancellation_details'])
  }
  if (text(params, 'payment_behavior') === 'pending_if_incomplete') {
    const unfit = Object.keys(params).find(
      (name) => name !== 'expand' && !PENDING_PARAMS.includes(name),
    )
    if (unfit !== undefined)
      throw invalid(
        `When specifying payment_behavior=pending_if_incomplete, you can only pass the following parameters: ${PENDING_PARAMS.join(', ')}. You cannot pass ${unfit}.`,
        unfit,
      )
  }
  const previous: Record<string, unknown> = {}
  if (params['metadata'] !== undefined) {
    previous['metadata'] = subscription.metadata
    subscription.metadata = metadataOf(params, subscription.metadata)
  }
  if (text(params, 'trial_end') === 'now' && subscription.status === 'trialing') {
    itemOf(subscription).current_period_end = world.clock.seconds()
    planRenewal(world, subscription)
  }
  changeCard(world, subscription, params)
  Object.assign(
    previous,
    changeEnd(world, subscription, params),
    changeItems(world, subscription, params),
  )
  world.emit('customer.subscription.updated', subscription, previous)
  return subscription
}

/** The invoice that a change or the next renewal would make: https://docs.stripe.com/api/invoices/create_preview. */
export function previewInvoice(world: StripeWorld, params: Params): Invoice {
  onlyParams(params, [
    'customer',
    'subscription',
    'subscription_details',
    'preview_mode',
    'currency',
    'schedule',
    'automatic_tax',
  ])
  const subscription = world.need(
    'subscription',
    requiredText(params, 'subscription'),
    'subscription',
  )
  const details = group(params, 'subscription_details') ?? {}
  const change = changeOf(world, subscription, details)
  const ending =
    subscription.cancel_at_period_end ||
    subscription.cancel_at !== null ||
    text(details, 'cancel_at_period_end') === 'true'
  const invoicesNow =
    change !== undefined &&
    (text(details, 'proration_behavior') === 'always_invoice' || beginsPeriod(subscription, change))
  if (subscription.status === 'canceled' || (ending && !invoicesNow))
    throw new StripeTrouble(404, 'No upcoming invoices for customer: the subscription ends.', {
      code: 'invoice_upcoming_none',
    })
  const item = change?.items[0] ?? itemOf(subscription)
  const waiting = world.pendingLines.get(subscription.id) ?? []
  const { current_period_start: start, current_period_end: end } = item
  const renewal = invoicesNow
    ? []
    : [
        periodLine(
          world,
          item,
          item.price,
          end,
          periodEnd(end, item.price, subscription.billing_cycle_anchor),
        ),
      ]
  const lines = [...waiting, ...(change?.lines ?? []), ...renewal]
  const reason = invoicesNow ? 'subscription_update' : 'upcoming'
  const preview = buildInvoice(world, subscription, { reason, lines, period: { start, end } })
  preview.id = `upcoming_${preview.id}`
  preview['next_payment_attempt'] = invoicesNow ? world.clock.seconds() : end + 3600
  return preview
}
