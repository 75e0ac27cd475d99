/** Checkout sessions of subscriptions: https://docs.stripe.com/api/checkout/sessions. */
import { type TestCard, attachCard, createCustomer } from './customers.ts'
import type { Params } from './form.ts'
import { planOf } from './lines.ts'
import type { CheckoutSession, Customer, Metadata, Price } from './objects.ts'
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
import { recurringPrice, startSubscription, trialEndOf } from './subscriptions.ts'
import { StripeTrouble, invalid, requiredParam } from './trouble.ts'
import type { StripeWorld } from './world.ts'

/** Without `payment_method_types`, which 2026-09-30.endive removed from the request. */
const CREATE_PARAMS = [
  'allow_promotion_codes',
  'allowed_payment_method_types',
  'automatic_tax',
  'billing_address_collection',
  'cancel_url',
  'client_reference_id',
  'consent_collection',
  'currency',
  'custom_text',
  'customer',
  'customer_creation',
  'customer_email',
  'customer_update',
  'expires_at',
  'line_items',
  'locale',
  'metadata',
  'mode',
  'payment_method_collection',
  'payment_method_options',
  'phone_number_collection',
  'saved_payment_method_options',
  'subscription_data',
  'success_url',
  'tax_id_collection',
  'ui_mode',
  'adaptive_pricing',
  'branding_settings',
]
const DATA_PARAMS = [
  'billing_mode',
  'description',
  'invoice_settings',
  'metadata',
  'proration_behavior',
  'trial_end',
  'trial_period_days',
  'trial_settings',
]
const DAY_SECONDS = 86_400
const LEAST_SECONDS = 30 * 60

interface Order {
  readonly price: Price
  readonly metadata: Metadata
  readonly description: string | null
  readonly trialEnd: number | undefined
}
const orders = new WeakMap<CheckoutSession, Order>()

function orderOf(world: StripeWorld, params: Params): Order {
  const [line, ...others] = groups(params, 'line_items') ?? []
  if (line === undefined) throw requiredParam('line_items')
  onlyParams(line, ['price', 'quantity'])
  if (others.length > 0) throw invalid('This server imitates checkouts of one line.', 'line_items')
  if ((whole(line, 'quantity') ?? 1) !== 1)
    throw invalid('This server imitates a quantity of one.', 'line_items[0][quantity]')
  const data = group(params, 'subscription_data') ?? {}
  onlyParams(data, DATA_PARAMS)
  const trialEnd = trialEndOf(world, data)
  // Checkout requires that a trial ends at least 48 hours in the future.
  if (
    whole(data, 'trial_end') !== undefined &&
    (trialEnd ?? 0) < world.clock.seconds() + 2 * DAY_SECONDS
  )
    throw invalid(
      'The `trial_end` date has to be at least 2 days in the future.',
      'subscription_data[trial_end]',
    )
  return {
    price: recurringPrice(world, requiredText(line, 'price'), 'line_items[0][price]'),
    metadata: metadataOf(data),
    description: text(data, 'description') ?? null,
    trialEnd,
  }
}

function expiryOf(world: StripeWorld, params: Params): number {
  const now = world.clock.seconds()
  const expires = whole(params, 'expires_at') ?? now + DAY_SECONDS
  if (expires < now + LEAST_SECONDS - 60 || expires > now + DAY_SECONDS + 60)
    throw invalid(
      'The `expires_at` timestamp must be between 30 minutes and 24 hours from now.',
      'expires_at',
    )
  return expires
}

function urlOf(params: Params, name: string, required: boolean): string | null {
  const url = required ? requiredText(params, name) : text(params, name)
  if (url === undefined) return null
  if (!/^https?:\/\//.test(url)) throw invalid('Not a valid URL', name, 'url_invalid')
  return url
}

export function createSession(world: StripeWorld, params: Params): CheckoutSession {
  onlyParams(params, CREATE_PARAMS)
  if (requiredText(params, 'mode') !== 'subscription')
    throw invalid('This server imitates the mode `subscription`.', 'mode')
  const reference = text(params, 'client_reference_id') ?? null
  if (reference !== null && reference.length > 200)
    throw invalid(
      'Invalid string: client_reference_id is longer than 200 characters',
      'client_reference_id',
    )
  const customerId = text(params, 'customer')
  if (customerId !== undefined && params['customer_email'] !== undefined)
    throw invalid(
      'You may only specify one of these parameters: customer, customer_email.',
      undefined,
      'parameters_exclusive',
    )
  const customer =
    customerId === undefined ? undefined : world.need('customer', customerId, 'customer')
  const order = orderOf(world, params)
  const id = world.idFor('checkout.session')
  const total = order.trialEnd === undefined ? order.price.unit_amount : 0
  const session = world.put('checkout.session', {
    id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: text(params, 'billing_address_collection') ?? null,
    cancel_url: urlOf(params, 'cancel_url', false),
    client_reference_id: reference,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: world.clock.seconds(),
    currency: order.price.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: customer?.id ?? null,
    customer_account: null,
    customer_creation: customer === undefined ? 'always' : null,
    customer_details: null,
    customer_email: text(params, 'customer_email') ?? null,
    discounts: [],
    expires_at: expiryOf(world, params),
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: oneOf(params, 'locale', ['auto', 'en']) ?? null,
    managed_payments: null,
    metadata: metadataOf(params),
    mode: 'subscription',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'always',
    payment_method_configuration_details: null,
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: urlOf(params, 'success_url', true),
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${world.origin}/c/pay/${id}`,
    wallet_options: null,
  })
  orders.set(session, order)
  world.clock.at(session.expires_at * 1000, () => {
    if (session.status === 'open') expireSession(world, session)
  })
  return session
}

/** @throws StripeTrouble unless it is open. */
export function expireSession(world: StripeWorld, session: CheckoutSession): CheckoutSession {
  if (session.status !== 'open')
    throw invalid(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
    )
  Object.assign(session, { status: 'expired', url: null })
  world.emit('checkout.session.expired', session)
  return session
}

/** The lines of a session, which answers have when they are expanded. */
export function sessionLines(session: CheckoutSession): Record<string, unknown>[] {
  const order = orders.get(session)
  if (order === undefined) return []
  const { price } = order
  return [
    {
      id: `li_${session.id.slice(-12)}`,
      object: 'item',
      adjustable_quantity: null,
      amount_discount: 0,
      amount_subtotal: session['amount_subtotal'],
      amount_tax: 0,
      amount_total: session['amount_total'],
      currency: price.currency,
      description: price['nickname'] ?? price.product,
      metadata: {},
      price: { ...price, plan: planOf(price) },
      quantity: 1,
    },
  ]
}

function payer(world: StripeWorld, session: CheckoutSession): Customer {
  if (session.customer !== null) return world.need('customer', session.customer)
  return createCustomer(world, { ...(session.customer_email && { email: session.customer_email }) })
}

/**
 * Pays on the page of the session. A declined card changes nothing: the customer can try another.
 *
 * @throws StripeTrouble when the session is over, 402 when the card declines
 */
export function paySession(
  world: StripeWorld,
  session: CheckoutSession,
  card: TestCard,
): CheckoutSession {
  if (session.status !== 'open') throw invalid(`This Checkout Session is ${session.status}.`)
  if (card.conduct === 'declines')
    throw new StripeTrouble(402, 'Your card was declined.', {
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'generic_decline',
    })
  const order = orders.get(session)
  if (order === undefined) throw new Error('The session has no order.')
  const customer = payer(world, session)
  session.customer = customer.id
  const method = attachCard(world, customer, card)
  const subscription = startSubscription(
    world,
    {
      customer: customer.id,
      price: order.price,
      methodId: method.id,
      metadata: order.metadata,
      trialEnd: order.trialEnd,
      description: order.description,
    },
    true,
  )
  Object.assign(session, {
    status: 'complete',
    payment_status: order.trialEnd === undefined ? 'paid' : 'no_payment_required',
    subscription: subscription.id,
    invoice: subscription.latest_invoice,
    url: null,
    customer_details: {
      address: customer.address,
      business_name: null,
      email: customer.email,
      individual_name: null,
      name: customer.name,
      phone: null,
      tax_exempt: 'none',
      tax_ids: [],
    },
  })
  world.emit('checkout.session.completed', session)
  return session
}

/** Where the browser goes after payment. */
export const successUrl = (session: CheckoutSession) =>
  (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id)
