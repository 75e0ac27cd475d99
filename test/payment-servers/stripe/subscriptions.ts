/** Subscriptions: https://docs.stripe.com/api/subscriptions. The server knows those with one item. */
import { collect, endSubscription } from './collect.ts'
import type { Params } from './form.ts'
import { createInvoice } from './invoices.ts'
import { itemOf, periodEnd, periodLine, planOf } from './lines.ts'
import type { Metadata, Price, Subscription, SubscriptionItem } from './objects.ts'
import { flag, group, groups, metadataOf, onlyParams, requiredText, text, whole } from './params.ts'
import { planEnd, planRenewal } from './renewals.ts'
import { StripeTrouble, invalid, requiredParam } from './trouble.ts'
import type { StripeWorld } from './world.ts'

const INCOMPLETE_SECONDS = 23 * 3600

export interface NewSubscription {
  readonly customer: string
  readonly price: Price
  readonly methodId: string | null
  readonly metadata: Metadata
  /** In seconds. */
  readonly trialEnd?: number | undefined
  readonly description?: string | null
}

function newItem(
  world: StripeWorld,
  subscription: string,
  price: Price,
  start: number,
  end: number,
): SubscriptionItem {
  return {
    id: world.newId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: start,
    current_period_end: end,
    current_period_start: start,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price: structuredClone(price),
    quantity: 1,
    subscription,
    tax_rates: [],
  }
}

function build(world: StripeWorld, given: NewSubscription): Subscription {
  const id = world.idFor('subscription')
  const now = world.clock.seconds()
  const end = given.trialEnd ?? periodEnd(now, given.price)
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: given.trialEnd ?? now,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: now,
    currency: given.price.currency,
    customer: given.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: given.methodId,
    default_source: null,
    default_tax_rates: [],
    description: given.description ?? null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: {
      object: 'list',
      data: [newItem(world, id, given.price, now, end)],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: given.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: given.trialEnd === undefined ? 'incomplete' : 'trialing',
    test_clock: null,
    transfer_data: null,
    trial_end: given.trialEnd ?? null,
    trial_settings: { end_behavior: { missing_payment_method: 'create_invoice' } },
    trial_start: given.trialEnd === undefined ? null : now,
  }
}

/** Starts a subscription and collects its first invoice. An unpaid one expires after 23 hours. */
export function startSubscription(
  world: StripeWorld,
  given: NewSubscription,
  authenticated: boolean,
): Subscription {
  const subscription = world.put('subscription', build(world, given))
  const item = itemOf(subscription)
  const line = periodLine(
    world,
    item,
    item.price,
    item.current_period_start,
    item.current_period_end,
  )
  if (given.trialEnd !== undefined)
    Object.assign(line, { amount: 0, subtotal: 0, description: 'Trial period' })
  const invoice = createInvoice(world, subscription, {
    reason: 'subscription_create',
    lines: [line],
  })
  world.emit('customer.subscription.created', subscription)
  collect(world, invoice, { asksCustomer: true, authenticated })
  planRenewal(world, subscription)
  if (subscription.status === 'incomplete')
    world.clock.at((subscription.created + INCOMPLETE_SECONDS) * 1000, () => {
      if (subscription.status !== 'incomplete') return
      subscription.status = 'incomplete_expired'
      subscription.ended_at = world.clock.seconds()
      world.emit('customer.subscription.updated', subscription, { status: 'incomplete' })
    })
  return subscription
}

const CREATE_PARAMS = [
  'customer',
  'items',
  'metadata',
  'default_payment_method',
  'trial_end',
  'trial_period_days',
  'payment_behavior',
  'description',
  'off_session',
  'proration_behavior',
  'collection_method',
  'payment_settings',
  'currency',
  'billing_mode',
]

export function trialEndOf(world: StripeWorld, params: Params): number | undefined {
  const days = whole(params, 'trial_period_days')
  if (days !== undefined) return world.clock.seconds() + days * 86_400
  const end = whole(params, 'trial_end')
  if (end !== undefined && end <= world.clock.seconds())
    throw invalid('Invalid timestamp: must be an integer Unix timestamp in the future', 'trial_end')
  return end
}

export function recurringPrice(world: StripeWorld, id: string, param: string): Price {
  const price = world.need('price', id, param)
  if (!price.active)
    throw invalid('The price specified is inactive. This field only accepts active prices.', param)
  if (price.recurring === null)
    throw invalid(
      'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
      param,
    )
  return price
}

export function createSubscription(world: StripeWorld, params: Params): Subscription {
  onlyParams(params, CREATE_PARAMS)
  const customer = world.need('customer', requiredText(params, 'customer'), 'customer')
  const [first, ...others] = groups(params, 'items') ?? []
  if (first === undefined) throw requiredParam('items')
  if (others.length > 0) throw invalid('This server imitates subscriptions with one item.', 'items')
  const methodId = text(params, 'default_payment_method') ?? null
  if (methodId !== null) world.need('payment_method', methodId, 'default_payment_method')
  if (methodId === null && customer.invoice_settings.default_payment_method === null)
    throw invalid(
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
      undefined,
      'resource_missing',
    )
  const given = {
    customer: customer.id,
    price: recurringPrice(world, requiredText(first, 'price'), 'items[0][price]'),
    methodId,
    metadata: metadataOf(params),
    trialEnd: trialEndOf(world, params),
    description: text(params, 'description') ?? null,
  }
  return startSubscription(world, given, false)
}

/** Cancels at once: https://docs.stripe.com/api/subscriptions/cancel. */
export function cancelSubscription(
  world: StripeWorld,
  subscription: Subscription,
  params: Params,
): Subscription {
  onlyParams(params, ['cancellation_details', 'invoice_now', 'prorate'])
  if (flag(params, 'prorate') === true || flag(params, 'invoice_now') === true)
    throw invalid('This server imitates a cancellation without proration.', 'prorate')
  if (subscription.status === 'canceled')
    throw new StripeTrouble(404, `No such subscription: '${subscription.id}'`, {
      code: 'resource_missing',
      param: 'id',
    })
  endSubscription(world, subscription, 'cancellation_requested')
  return subscription
}

/** Sets or removes the end of a subscription. @throws while a schedule manages it. */
export function changeEnd(
  world: StripeWorld,
  subscription: Subscription,
  params: Params,
): Record<string, unknown> {
  const atEnd = flag(params, 'cancel_at_period_end')
  const at = params['cancel_at']
  if (atEnd === undefined && at === undefined) return {}
  if (subscription.schedule !== null)
    throw invalid(
      `The subscription is managed by the subscription schedule \`${subscription.schedule}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
      'cancel_at_period_end',
    )
  if (atEnd !== undefined && at !== undefined && at !== '')
    throw invalid(
      'You may only specify one of these parameters: cancel_at, cancel_at_period_end.',
      undefined,
      'parameters_exclusive',
    )
  const before = {
    cancel_at: subscription.cancel_at,
    cancel_at_period_end: subscription.cancel_at_period_end,
    canceled_at: subscription.canceled_at,
  }
  const end = itemOf(subscription).current_period_end
  const named = at === 'min_period_end' || at === 'max_period_end'
  const chosen =
    atEnd === true || named
      ? end
      : at === undefined || at === ''
        ? null
        : (whole(params, 'cancel_at') ?? null)
  subscription.cancel_at_period_end = atEnd === true
  subscription.cancel_at = chosen
  subscription.canceled_at = chosen === null ? null : world.clock.seconds()
  const details = group(params, 'cancellation_details')
  if (details !== undefined) onlyParams(details, ['comment', 'feedback', 'feedback_option'])
  subscription.cancellation_details.reason = chosen === null ? null : 'cancellation_requested'
  planEnd(world, subscription)
  return before
}

/** The customer's own wish of a card, kept on the subscription. */
export function changeCard(world: StripeWorld, subscription: Subscription, params: Params): void {
  const id = text(params, 'default_payment_method')
  if (id === undefined) return
  subscription.default_payment_method =
    id === '' ? null : world.need('payment_method', id, 'default_payment_method').id
}
