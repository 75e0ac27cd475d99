/**
 * Our prices at PayPal: one product with a fixed id, and a plan for each price. PayPal gives plans their ids, so a plan is
 * found by its description, which has our key and the version of the price.
 */
import { PRICE_DIFFERS, type SetUpPrice, type WantedPrice } from '../provider.ts'
import { centsOf, moneyOf } from './paypal-amount.ts'
import type { PaypalCall } from './paypal-client.ts'
import type { PaypalPlan } from './paypal-objects.ts'
import { planPages, planPath } from './paypal-plans.ts'
import { refused } from './paypal-trouble.ts'

const PRODUCT = 'HOMING-PLANS'
const UNITS = { monthly: 'MONTH', annual: 'YEAR' } as const

const keyOf = ({ plan, billing, version }: WantedPrice) => `price_${plan}_${billing} v${version}`
const nameOf = ({ plan, billing }: WantedPrice) =>
  `${plan.slice(0, 1).toUpperCase()}${plan.slice(1)}, ${billing}`

async function requireProduct(call: PaypalCall): Promise<void> {
  if ((await call.find(`/v1/catalogs/products/${PRODUCT}`)) !== undefined) return
  await call.send({
    method: 'POST',
    path: '/v1/catalogs/products',
    key: `product-${PRODUCT}`,
    body: { id: PRODUCT, name: 'Homing', type: 'SERVICE', category: 'SOFTWARE' },
  })
}

/** A list need not have the descriptions. */
async function whole(call: PaypalCall, listed: PaypalPlan): Promise<PaypalPlan> {
  const { id, description } = listed
  if (id === undefined || description !== undefined) return listed
  return (await call.find<PaypalPlan>(planPath(id))) ?? listed
}

async function wholePlans(call: PaypalCall): Promise<PaypalPlan[]> {
  const plans: PaypalPlan[] = []
  for await (const page of planPages(call, PRODUCT)) {
    plans.push(...(await Promise.all(page.map(async (each) => whole(call, each)))))
  }
  return plans
}

function planBody(price: WantedPrice) {
  const { billing, amountCents, currency } = price
  return {
    product_id: PRODUCT,
    name: nameOf(price),
    description: keyOf(price),
    status: 'ACTIVE',
    billing_cycles: [
      {
        tenure_type: 'REGULAR',
        sequence: 1,
        // It renews until it is cancelled.
        total_cycles: 0,
        frequency: { interval_unit: UNITS[billing], interval_count: 1 },
        pricing_scheme: { fixed_price: moneyOf(amountCents, currency) },
      },
    ],
    payment_preferences: {
      auto_bill_outstanding: true,
      setup_fee: moneyOf(0, currency),
      setup_fee_failure_action: 'CANCEL',
      // PayPal never suspends it for missing payments: the time of grace is ours, and a suspension means a stop.
      payment_failure_threshold: 0,
    },
  }
}

/** @throws ProviderTrouble `refused` for a plan that differs from our price */
function requireSame(plan: PaypalPlan, price: WantedPrice): void {
  const [cycle, ...others] = plan.billing_cycles ?? []
  const fixed = cycle?.pricing_scheme?.fixed_price
  const fee = plan.payment_preferences?.setup_fee
  const isSame =
    others.length === 0 &&
    fixed?.currency_code === price.currency &&
    centsOf(fixed) === price.amountCents &&
    (fee === undefined || centsOf(fee) === 0) &&
    cycle?.total_cycles === 0 &&
    cycle.frequency?.interval_unit === UNITS[price.billing] &&
    (cycle.frequency.interval_count ?? 1) === 1
  if (isSame && plan.status === 'ACTIVE') return
  throw refused(
    `The plan ${plan.id} at PayPal (${keyOf(price)}) is not active or differs from our price. Correct or deactivate it there, change its description, and run payments:setup again.`,
    PRICE_DIFFERS,
  )
}

async function setUpPlan(
  call: PaypalCall,
  price: WantedPrice,
  plans: readonly PaypalPlan[],
): Promise<SetUpPrice> {
  const listed = plans.find(({ description }) => description === keyOf(price))
  const created =
    listed === undefined
      ? await call.send<PaypalPlan>({
          method: 'POST',
          path: '/v1/billing/plans',
          key: `plan-${keyOf(price).replace(' ', '-')}-${price.amountCents}`,
          body: planBody(price),
          wantsAll: true,
        })
      : undefined
  const id = listed?.id ?? created?.id
  if (id === undefined) throw refused('PayPal gave the plan no id')
  const isWhole = created?.billing_cycles !== undefined && created.status !== undefined
  const plan = isWhole ? created : await call.find<PaypalPlan>(planPath(id))
  if (plan === undefined) throw refused(`PayPal does not have the plan ${id}`)
  requireSame(plan, price)
  return { id: price.id, providerId: id, productId: PRODUCT }
}

/** Finds or creates the product and the plans. A second run changes nothing. */
export async function setUpPrices(
  call: PaypalCall,
  prices: readonly WantedPrice[],
): Promise<SetUpPrice[]> {
  await requireProduct(call)
  const plans = await wholePlans(call)
  const done: SetUpPrice[] = []
  for (const price of prices) done.push(await setUpPlan(call, price, plans))
  return done
}
