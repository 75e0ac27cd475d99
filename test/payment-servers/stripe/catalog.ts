/** Products and prices: https://docs.stripe.com/api/products, https://docs.stripe.com/api/prices. */
import type { Params } from './form.ts'
import type { Price, Product } from './objects.ts'
import { flag, group, metadataOf, onlyParams, requiredText, text, texts, whole } from './params.ts'
import { invalid, requiredParam } from './trouble.ts'
import type { StripeWorld } from './world.ts'

export function createProduct(world: StripeWorld, params: Params): Product {
  onlyParams(params, [
    'id',
    'name',
    'active',
    'description',
    'metadata',
    'tax_code',
    'statement_descriptor',
    'url',
    'unit_label',
  ])
  const id = text(params, 'id') ?? world.idFor('product')
  if (world.find('product', id) !== undefined)
    throw invalid(`Product already exists.`, 'id', 'resource_already_exists')
  const now = world.clock.seconds()
  const product = world.put('product', {
    id,
    object: 'product',
    active: flag(params, 'active') ?? true,
    created: now,
    default_price: null,
    description: text(params, 'description') ?? null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: metadataOf(params),
    name: requiredText(params, 'name'),
    package_dimensions: null,
    shippable: null,
    statement_descriptor: text(params, 'statement_descriptor') ?? null,
    tax_code: text(params, 'tax_code') ?? null,
    tax_details: null,
    type: 'service',
    unit_label: text(params, 'unit_label') ?? null,
    updated: now,
    url: text(params, 'url') ?? null,
  })
  world.emit('product.created', product)
  return product
}

export function updateProduct(world: StripeWorld, product: Product, params: Params): Product {
  onlyParams(params, [
    'name',
    'active',
    'description',
    'metadata',
    'tax_code',
    'statement_descriptor',
    'url',
    'unit_label',
    'default_price',
  ])
  for (const name of [
    'name',
    'description',
    'tax_code',
    'statement_descriptor',
    'url',
    'unit_label',
    'default_price',
  ])
    if (params[name] !== undefined) product[name] = text(params, name)
  product.active = flag(params, 'active') ?? product.active
  product.metadata = metadataOf(params, product.metadata)
  product['updated'] = world.clock.seconds()
  world.emit('product.updated', product)
  return product
}

const PRICE_PARAMS = [
  'currency',
  'active',
  'billing_scheme',
  'currency_options',
  'lookup_key',
  'metadata',
  'nickname',
  'product',
  'product_data',
  'recurring',
  'tax_behavior',
  'transfer_lookup_key',
  'unit_amount',
  'unit_amount_decimal',
]

/** One active price has a lookup key: it moves with `transfer_lookup_key`, else the second is refused. */
function takeLookupKey(world: StripeWorld, key: string | undefined, params: Params): void {
  if (key === undefined || key === '') return
  const holder = world.all('price').find((price) => price.lookup_key === key)
  if (holder === undefined) return
  if (flag(params, 'transfer_lookup_key') !== true)
    throw invalid(
      `A price (\`${holder.id}\`) already uses that lookup key. To transfer the lookup key from the existing price to this price, set \`transfer_lookup_key=true\`.`,
      'lookup_key',
    )
  holder.lookup_key = null
  world.emit('price.updated', holder, { lookup_key: key })
}

function recurringOf(params: Params): Price['recurring'] {
  const recurring = group(params, 'recurring')
  if (recurring === undefined) return null
  const interval = requiredText(recurring, 'interval')
  if (!['day', 'week', 'month', 'year'].includes(interval))
    throw invalid(
      'Invalid interval: must be one of day, month, week, or year',
      'recurring[interval]',
    )
  const shape = { meter: null, trial_period_days: null, usage_type: 'licensed' }
  return { ...shape, interval, interval_count: whole(recurring, 'interval_count') ?? 1 }
}

export function createPrice(world: StripeWorld, params: Params): Price {
  onlyParams(params, PRICE_PARAMS)
  const currency = requiredText(params, 'currency').toLowerCase()
  const unitAmount = whole(params, 'unit_amount')
  if (unitAmount === undefined) throw requiredParam('unit_amount')
  if (unitAmount < 0) throw invalid('Invalid non-negative integer', 'unit_amount')
  const data = group(params, 'product_data')
  const product = data ? createProduct(world, data).id : requiredText(params, 'product')
  world.need('product', product, 'product')
  const key = text(params, 'lookup_key')
  takeLookupKey(world, key, params)
  const recurring = recurringOf(params)
  const price = world.put('price', {
    id: world.idFor('price'),
    object: 'price',
    active: flag(params, 'active') ?? true,
    billing_scheme: 'per_unit',
    created: world.clock.seconds(),
    currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: key ?? null,
    metadata: metadataOf(params),
    nickname: text(params, 'nickname') ?? null,
    product,
    recurring,
    tax_behavior: text(params, 'tax_behavior') ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: recurring === null ? 'one_time' : 'recurring',
    unit_amount: unitAmount,
    unit_amount_decimal: String(unitAmount),
  })
  world.emit('price.created', price)
  return price
}

/** The amount of a price can never change. */
export function updatePrice(world: StripeWorld, price: Price, params: Params): Price {
  onlyParams(params, [
    'active',
    'lookup_key',
    'metadata',
    'nickname',
    'tax_behavior',
    'transfer_lookup_key',
  ])
  const key = text(params, 'lookup_key')
  if (key !== price.lookup_key) takeLookupKey(world, key, params)
  if (key !== undefined) price.lookup_key = key === '' ? null : key
  price.active = flag(params, 'active') ?? price.active
  price.metadata = metadataOf(params, price.metadata)
  if (params['nickname'] !== undefined) price['nickname'] = text(params, 'nickname')
  world.emit('price.updated', price)
  return price
}

export function pricesLike(world: StripeWorld, params: Params): Price[] {
  const keys = texts(params, 'lookup_keys')
  if (keys !== undefined && keys.length > 10)
    throw invalid('You may only specify up to 10 lookup_keys.', 'lookup_keys')
  const [active, product, currency, type] = [
    flag(params, 'active'),
    text(params, 'product'),
    text(params, 'currency'),
    text(params, 'type'),
  ]
  return world
    .all('price')
    .filter(
      (price) =>
        (keys === undefined || (price.lookup_key !== null && keys.includes(price.lookup_key))) &&
        (active === undefined || price.active === active) &&
        (product === undefined || price.product === product) &&
        (currency === undefined || price.currency === currency) &&
        (type === undefined || price['type'] === type),
    )
}
