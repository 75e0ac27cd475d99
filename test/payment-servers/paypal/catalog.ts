/** Products and plans: https://developer.paypal.com/docs/api/catalog-products/v1/, …/subscriptions/v1/#plans. */
import type { Body, Cycle, Plan, Product } from './objects.ts'
import { invalid, refused } from './trouble.ts'
import { type PayPalWorld, centsOf, iso, money } from './world.ts'

export function textOf(body: Body, field: string, longest = 127): string | undefined {
  const value = body[field]
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value === '' || value.length > longest) throw invalid(field)
  return value
}

export function requiredText(body: Body, field: string, longest = 127): string {
  const value = textOf(body, field, longest)
  if (value === undefined)
    throw invalid(field, 'MISSING_REQUIRED_PARAMETER', 'A required field is missing.')
  return value
}

export const groupOf = (body: Body, field: string): Body => {
  const value = body[field] ?? {}
  if (typeof value !== 'object' || Array.isArray(value)) throw invalid(field)
  return value as Body
}

const TYPES = ['PHYSICAL', 'DIGITAL', 'SERVICE']

export function createProduct(world: PayPalWorld, body: Body): Product {
  const type = requiredText(body, 'type')
  if (!TYPES.includes(type)) throw invalid('type')
  const id = textOf(body, 'id', 50) ?? world.newId('PROD-')
  if (world.products.has(id))
    throw refused('DUPLICATE_RESOURCE_IDENTIFIER', 'A product with this id exists.')
  const now = iso(world.clock.now())
  const product: Product = {
    id,
    name: requiredText(body, 'name'),
    ...(body['description'] !== undefined && { description: body['description'] }),
    type,
    ...(body['category'] !== undefined && { category: body['category'] }),
    create_time: now,
    update_time: now,
    links: [world.link(`/v1/catalogs/products/${id}`)],
  }
  world.products.set(id, product)
  world.emit('CATALOG.PRODUCT.CREATED', 'product', 'A product was created.', product)
  return product
}

const UNITS = ['DAY', 'WEEK', 'MONTH', 'YEAR']

function cycleOf(given: unknown, index: number): Cycle {
  const cycle = given as Body
  const at = `billing_cycles[${index}]`
  const frequency = groupOf(cycle, 'frequency')
  const unit = requiredText(frequency, 'interval_unit')
  if (!UNITS.includes(unit)) throw invalid(`${at}.frequency.interval_unit`)
  if (cycle['tenure_type'] !== 'REGULAR') throw invalid(`${at}.tenure_type`)
  const price = groupOf(groupOf(cycle, 'pricing_scheme'), 'fixed_price')
  const currency = requiredText(price, 'currency_code', 3)
  return {
    tenure_type: 'REGULAR',
    sequence: Number(cycle['sequence'] ?? index + 1),
    total_cycles: Number(cycle['total_cycles'] ?? 1),
    frequency: { interval_unit: unit, interval_count: Number(frequency['interval_count'] ?? 1) },
    pricing_scheme: {
      fixed_price: money(centsOf(price, `${at}.pricing_scheme.fixed_price`), currency),
      version: 1,
    },
  }
}

function preferencesOf(
  body: Body,
  before?: Plan['payment_preferences'],
): Plan['payment_preferences'] {
  const given = groupOf(body, 'payment_preferences')
  const fee =
    given['setup_fee'] === undefined
      ? before?.setup_fee
      : money(centsOf(given['setup_fee'], 'payment_preferences.setup_fee'))
  return {
    auto_bill_outstanding:
      (given['auto_bill_outstanding'] ?? before?.auto_bill_outstanding ?? true) === true,
    setup_fee: fee ?? money(0),
    setup_fee_failure_action:
      textOf(given, 'setup_fee_failure_action') ?? before?.setup_fee_failure_action ?? 'CANCEL',
    payment_failure_threshold: Number(
      given['payment_failure_threshold'] ?? before?.payment_failure_threshold ?? 0,
    ),
  }
}

export function createPlan(world: PayPalWorld, body: Body): Plan {
  const productId = requiredText(body, 'product_id', 50)
  if (!world.products.has(productId))
    throw refused('INVALID_PRODUCT_ID', 'The product does not exist.')
  const cycles = body['billing_cycles']
  if (!Array.isArray(cycles) || cycles.length !== 1)
    throw invalid(
      'billing_cycles',
      'INVALID_ARRAY_LENGTH',
      'This server imitates plans with one regular cycle.',
    )
  const id = world.newId('P-')
  const now = iso(world.clock.now())
  const plan: Plan = {
    id,
    product_id: productId,
    name: requiredText(body, 'name'),
    status: textOf(body, 'status') ?? 'ACTIVE',
    ...(body['description'] !== undefined && { description: body['description'] }),
    usage_type: 'LICENSED',
    billing_cycles: cycles.map(cycleOf),
    payment_preferences: preferencesOf(body),
    quantity_supported: false,
    create_time: now,
    update_time: now,
    links: [world.link(`/v1/billing/plans/${id}`)],
  }
  world.plans.set(id, plan)
  world.emit('BILLING.PLAN.CREATED', 'plan', 'A billing plan was created.', plan)
  return plan
}

export function setPlanStatus(world: PayPalWorld, plan: Plan, status: 'ACTIVE' | 'INACTIVE'): void {
  if (plan.status === status)
    throw refused('PLAN_STATUS_INVALID', 'The plan has this status already.')
  plan.status = status
  world.emit(
    status === 'ACTIVE' ? 'BILLING.PLAN.ACTIVATED' : 'BILLING.PLAN.DEACTIVATED',
    'plan',
    'A billing plan changed.',
    plan,
  )
}

/** A plan as a subscription changes it for itself: price, number of cycles, set-up fee. */
export function overriddenPlan(plan: Plan, override: Body): Plan {
  const copy = structuredClone(plan)
  const cycles = override['billing_cycles']
  if (Array.isArray(cycles))
    copy.billing_cycles = copy.billing_cycles.map((cycle) => {
      const wish = cycles.find((each: Body) => each['sequence'] === cycle.sequence) as
        | Body
        | undefined
      if (wish === undefined) return cycle
      const scheme = groupOf(wish, 'pricing_scheme')
      const price = scheme['fixed_price']
      return {
        ...cycle,
        total_cycles: Number(wish['total_cycles'] ?? cycle.total_cycles),
        ...(price !== undefined && {
          pricing_scheme: {
            fixed_price: money(centsOf(price, 'plan.billing_cycles.fixed_price')),
            version: 1,
          },
        }),
      }
    })
  copy.payment_preferences = preferencesOf(override, plan.payment_preferences)
  return copy
}

/** Pages of ten, with `total_items` when asked for. */
export function listed(
  all: readonly unknown[],
  query: URLSearchParams,
  name: string,
  links: unknown[],
): Record<string, unknown> {
  const [size, page] = [Number(query.get('page_size') ?? 10), Number(query.get('page') ?? 1)]
  if (!(size >= 1 && size <= 20 && page >= 1)) throw invalid('page_size')
  const total = query.get('total_required') === 'true' && {
    total_items: all.length,
    total_pages: Math.ceil(all.length / size),
  }
  return { ...total, [name]: all.slice((page - 1) * size, page * size), links }
}
