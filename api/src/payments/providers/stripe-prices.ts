/**
 * Products and prices at Stripe, found by their lookup keys. A price there that differs from ours is never sold: Stripe
 * prices cannot be changed, so the operator must move its lookup key or correct ours.
 */
import type { Stripe } from 'stripe'
import { PRICE_DIFFERS, type SetUpPrice, type WantedPrice } from '../provider.ts'
import { found, idOf, refused } from './stripe-client.ts'
import { stripeLibrary } from './stripe-library.ts'
import type { Lean } from './stripe-fields.ts'

const INTERVALS = { monthly: 'month', annual: 'year' } as const

/** `price_pro_monthly`: the newest version has the key. */
const lookupKeyOf = ({ plan, billing }: Pick<WantedPrice, 'plan' | 'billing'>): string =>
  `price_${plan}_${billing}`

const productIdOf = ({ plan }: Pick<WantedPrice, 'plan'>) => `homing_${plan}`
const planName = (plan: string) => plan.charAt(0).toUpperCase() + plan.slice(1)

/** Whether a price at Stripe is the wanted one. What is not said has the default of Stripe. */
function isSame(price: Lean<Stripe.Price>, wanted: WantedPrice): boolean {
  const recurring: Lean<Stripe.Price.Recurring> = price.recurring ?? {}
  return (
    price.unit_amount === wanted.amountCents &&
    price.currency?.toUpperCase() === wanted.currency &&
    (price.type ?? 'recurring') === 'recurring' &&
    recurring.interval === INTERVALS[wanted.billing] &&
    (recurring.interval_count ?? 1) === 1 &&
    (recurring.usage_type ?? 'licensed') === 'licensed' &&
    (price.billing_scheme ?? 'per_unit') === 'per_unit'
  )
}

const isArchived = ({ active }: Lean<Stripe.Price>) => active === false

/** Whether we created it for an earlier version of our price. */
const isEarlier = ({ metadata }: Lean<Stripe.Price>, { version }: WantedPrice) =>
  Number(metadata?.['homing_version'] ?? Number.NaN) < version

/** Undefined: products cannot be made on their own, so the price makes its product. */
async function productOf(stripe: Stripe, wanted: WantedPrice): Promise<string | undefined> {
  const id = productIdOf(wanted)
  const product = await found(stripe.products.retrieve(id))
  if (product === undefined) {
    const created = await found(stripe.products.create({ id, name: planName(wanted.plan) }))
    return created?.id
  }
  if (!product.active) await stripe.products.update(id, { active: true })
  return id
}

async function priceFor(
  stripe: Stripe,
  wanted: WantedPrice,
  existing: Stripe.Price | undefined,
): Promise<SetUpPrice> {
  const { id, amountCents, currency, billing, version } = wanted
  if (existing !== undefined && isSame(existing, wanted)) {
    if (isArchived(existing)) await stripe.prices.update(existing.id, { active: true })
    return { id, providerId: existing.id, productId: idOf(existing.product) ?? '' }
  }
  const key = lookupKeyOf(wanted)
  if (existing !== undefined && !isEarlier(existing, wanted)) {
    throw refused(
      `The price ${key} at Stripe differs from ours (${amountCents} ${currency} in cents, ${billing}). Remove its lookup key at Stripe, then run payments:setup.`,
      PRICE_DIFFERS,
    )
  }
  const product = await productOf(stripe, wanted)
  const created = await stripe.prices.create({
    ...(product === undefined ? { product_data: { name: planName(wanted.plan) } } : { product }),
    currency: currency.toLowerCase(),
    unit_amount: amountCents,
    recurring: { interval: INTERVALS[billing] },
    lookup_key: key,
    // Of two that are created at the same time, one fails: both would be sold, and only one be known.
    ...(existing !== undefined && { transfer_lookup_key: true }),
    tax_behavior: 'inclusive',
    metadata: { homing_price: id, homing_version: String(version) },
  })
  return { id, providerId: created.id, productId: product ?? idOf(created.product) ?? '' }
}

async function setUpOnce(
  stripe: Stripe,
  wanted: readonly WantedPrice[],
): Promise<readonly SetUpPrice[]> {
  const { data } = await stripe.prices.list({
    lookup_keys: wanted.map(lookupKeyOf),
    limit: 100,
  })
  const known = new Map(data.map((price) => [price.lookup_key, price]))
  const done: SetUpPrice[] = []
  for (const each of wanted) done.push(await priceFor(stripe, each, known.get(lookupKeyOf(each))))
  return done
}

/** Whether another call created the product or the price meanwhile. */
const isTaken = (error: unknown) =>
  error instanceof stripeLibrary().errors.StripeInvalidRequestError &&
  (error.code === 'resource_already_exists' || error.param === 'lookup_key')

/** Finds or creates all, one after the other: two prices can need the same new product. */
export async function setUpPrices(
  stripe: Stripe,
  wanted: readonly WantedPrice[],
): Promise<readonly SetUpPrice[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await setUpOnce(stripe, wanted)
    } catch (error) {
      if (!isTaken(error) || attempt > wanted.length + 1) throw error
    }
  }
}
