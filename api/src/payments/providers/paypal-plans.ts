/** The plan of a subscription at PayPal: the one that it shows, and the one that was paid. */
import { centsOf } from './paypal-amount.ts'
import type { PaypalCall } from './paypal-client.ts'
import { type PaypalPlan, type PaypalSubscription, pathId } from './paypal-objects.ts'
import { grossOf, type PaymentRead } from './paypal-payments.ts'
import { intervalOf } from './paypal-periods.ts'

const PAGE = 20
const MOST_PAGES = 20

export const planPath = (id: string) => `/v1/billing/plans/${pathId(id)}`

/** The plans of a product as PayPal lists them, page by page. A list need not have the prices and descriptions. */
export async function* planPages(
  call: PaypalCall,
  product: string,
): AsyncGenerator<readonly PaypalPlan[]> {
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const path = `/v1/billing/plans?product_id=${pathId(product)}&page_size=${PAGE}&page=${page}`
    const { plans = [] } = (await call.find<{ readonly plans?: readonly PaypalPlan[] }>(path)) ?? {}
    yield plans
    if (plans.length < PAGE) return
  }
}

/** The plan is asked for with the subscription; where that does not show it, it is read. */
export async function withPlan(
  call: PaypalCall,
  subscription: PaypalSubscription,
): Promise<PaypalSubscription> {
  const { plan, plan_id: planId } = subscription
  if (intervalOf(plan) !== undefined || planId === undefined) return subscription
  const read = await call.find<PaypalPlan>(planPath(planId))
  return read === undefined ? subscription : { ...subscription, plan: read }
}

/**
 * PayPal shows a revised plan before it is paid for. The plan that is granted is the one of the last payment, so it is
 * looked for when the amounts differ. Undefined: it is the one that PayPal shows. Null: none, because less was paid.
 */
export async function planThatWasPaid(
  call: PaypalCall,
  { plan, plan_id: planId }: PaypalSubscription,
  payments: readonly PaymentRead[],
): Promise<string | null | undefined> {
  const last = payments.at(-1)
  const price = fixedPriceOf(plan)
  if (last === undefined || price === undefined) return undefined
  const cents = grossOf(last.transaction)
  if (cents === centsOf(price)) return undefined
  const other = await planWithPrice(call, plan, { ...price, cents, except: planId })
  if (other !== undefined) return other
  // Nobody gets a plan for less. Later payments differ when the operator changed a price.
  return payments.length === 1 && cents < centsOf(price) ? null : undefined
}

interface WantedPrice {
  readonly cents: number
  readonly currency_code: string
  readonly except: string | undefined
}

/** Another plan of the product, with a price. */
async function planWithPrice(
  call: PaypalCall,
  plan: PaypalPlan | undefined,
  { cents, currency_code, except }: WantedPrice,
): Promise<string | undefined> {
  const product = plan?.product_id
  if (product === undefined) return undefined
  for await (const plans of planPages(call, product)) {
    for (const { id = '' } of plans.filter((each) => each.id !== except)) {
      const other = await call.find<PaypalPlan>(planPath(id))
      const fixed = fixedPriceOf(other)
      if (fixed?.currency_code === currency_code && centsOf(fixed) === cents) return id
    }
  }
  return undefined
}

const fixedPriceOf = (plan: PaypalPlan | undefined) =>
  plan?.billing_cycles?.[0]?.pricing_scheme?.fixed_price
