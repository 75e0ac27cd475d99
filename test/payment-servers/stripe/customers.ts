/** Customers and their cards: https://docs.stripe.com/api/customers, https://docs.stripe.com/api/payment_methods. */
import type { Params } from './form.ts'
import type { Customer, PaymentMethod } from './objects.ts'
import { group, metadataOf, onlyParams, text } from './params.ts'
import type { CardConduct, StripeWorld } from './world.ts'

const CUSTOMER_PARAMS = [
  'address',
  'balance',
  'description',
  'email',
  'invoice_settings',
  'metadata',
  'name',
  'phone',
  'preferred_locales',
  'shipping',
  'tax',
  'tax_exempt',
  'payment_method',
  'business_name',
  'individual_name',
]
const ADDRESS = ['city', 'country', 'line1', 'line2', 'postal_code', 'state']

function addressOf(params: Params): Record<string, unknown> | null | undefined {
  if (params['address'] === undefined) return undefined
  const address = group(params, 'address')
  if (address === undefined) return null
  onlyParams(address, ADDRESS)
  return Object.fromEntries(ADDRESS.map((part) => [part, text(address, part) ?? null]))
}

export function createCustomer(world: StripeWorld, params: Params): Customer {
  onlyParams(params, CUSTOMER_PARAMS)
  const customer = world.put('customer', {
    id: world.idFor('customer'),
    object: 'customer',
    address: addressOf(params) ?? null,
    balance: 0,
    created: world.clock.seconds(),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: text(params, 'description') ?? null,
    discount: null,
    email: text(params, 'email') ?? null,
    invoice_prefix: world.newId('P').slice(-8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: metadataOf(params),
    name: text(params, 'name') ?? null,
    next_invoice_sequence: 1,
    phone: text(params, 'phone') ?? null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  })
  world.emit('customer.created', customer)
  return customer
}

export function updateCustomer(world: StripeWorld, customer: Customer, params: Params): Customer {
  onlyParams(params, CUSTOMER_PARAMS)
  for (const name of ['description', 'email', 'name', 'phone'] as const)
    if (params[name] !== undefined)
      (customer as Record<string, unknown>)[name] = text(params, name) || null
  const address = addressOf(params)
  if (address !== undefined) customer.address = address
  customer.metadata = metadataOf(params, customer.metadata)
  const chosen = text(group(params, 'invoice_settings') ?? {}, 'default_payment_method')
  if (chosen !== undefined)
    customer.invoice_settings.default_payment_method =
      chosen === ''
        ? null
        : world.need('payment_method', chosen, 'invoice_settings[default_payment_method]').id
  world.emit('customer.updated', customer)
  return customer
}

/** Deletes the customer and ends their subscriptions, as Stripe does. The end is the caller's. */
export function deletedCustomer(customer: Customer): Record<string, unknown> {
  return { id: customer.id, object: 'customer', deleted: true }
}

export interface TestCard {
  readonly number: string
  readonly expMonth: number
  readonly expYear: number
  readonly conduct: CardConduct
}

const soon = (world: StripeWorld) => world.clock.date().getUTCFullYear() + 3

/** Stripe's test cards: https://docs.stripe.com/testing. */
export const CARDS = {
  pays: (world: StripeWorld): TestCard => ({
    number: '4242424242424242',
    expMonth: 12,
    expYear: soon(world),
    conduct: 'pays',
  }),
  declines: (world: StripeWorld): TestCard => ({
    number: '4000000000000341',
    expMonth: 12,
    expYear: soon(world),
    conduct: 'declines',
  }),
  authenticates: (world: StripeWorld): TestCard => ({
    number: '4000002760003184',
    expMonth: 12,
    expYear: soon(world),
    conduct: 'authenticates',
  }),
  mastercard: (world: StripeWorld): TestCard => ({
    number: '5555555555554444',
    expMonth: 11,
    expYear: soon(world),
    conduct: 'pays',
  }),
} as const

/** The same number has the same fingerprint, for whomever it is saved. */
const fingerprintOf = (number: string) =>
  Buffer.from(number.slice(4)).toString('base64url').slice(0, 16)

/** Saves a card for a customer. */
export function attachCard(world: StripeWorld, customer: Customer, card: TestCard): PaymentMethod {
  const brand = card.number.startsWith('5') ? 'mastercard' : 'visa'
  const method = world.put('payment_method', {
    id: world.idFor('payment_method'),
    object: 'payment_method',
    allow_redisplay: 'limited',
    billing_details: {
      address: customer.address,
      email: customer.email,
      name: customer.name,
      phone: null,
      tax_id: null,
    },
    card: {
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: brand,
      exp_month: card.expMonth,
      exp_year: card.expYear,
      fingerprint: fingerprintOf(card.number),
      funding: 'credit',
      generated_from: null,
      last4: card.number.slice(-4),
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: world.clock.seconds(),
    customer: customer.id,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  })
  world.cards.set(method.id, card.conduct)
  world.emit('payment_method.attached', method)
  return method
}

export function detachCard(world: StripeWorld, method: PaymentMethod): PaymentMethod {
  method.customer = null
  world.emit('payment_method.detached', method)
  return method
}
