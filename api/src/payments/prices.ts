/** The prices that are sold now, and their ids at the providers. */
import type { BillingCycle, PaidPlan } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { Refusal } from '../rules/errors.ts'
import {
  type PaymentProvider,
  PRICE_DIFFERS,
  ProviderTrouble,
  type SetUpPrice,
  type WantedPrice,
} from './provider.ts'
import type { Price } from './rows.ts'

const CURRENT = `
  select id, plan, billing, amount_cents, currency, version from plan_prices where is_current order by amount_cents`

/** All prices that are sold now. */
export const currentPrices = async (db: Knex): Promise<Price[]> => query<Price>(db, CURRENT)

/** The price of a plan now. */
export async function currentPrice(
  db: Knex,
  { plan, billing }: { readonly plan: PaidPlan; readonly billing: BillingCycle },
): Promise<Price> {
  const price = (await currentPrices(db)).find(
    (each) => each.plan === plan && each.billing === billing,
  )
  if (price === undefined) {
    throw new Refusal('payments-unavailable', 'This plan is not for sale at the moment.')
  }
  return price
}

export const wantedPrice = ({ amount_cents: amountCents, ...price }: Price): WantedPrice => ({
  ...price,
  amountCents,
})

const STORE = `
  insert into provider_prices as p (provider, realm, price_id, provider_id, product_id) values (?, ?, ?, ?, ?)
  on conflict (provider, realm, price_id) do update
  set former_ids = array_append(array_remove(p.former_ids, excluded.provider_id), p.provider_id),
      provider_id = excluded.provider_id, product_id = excluded.product_id
  where (p.provider_id, p.product_id) is distinct from (excluded.provider_id, excluded.product_id)`

/** Stores what stands for our prices at a provider. Subscriptions keep a price that is replaced. */
export async function storePrices(
  db: Knex,
  { name, realm }: Pick<PaymentProvider, 'name' | 'realm'>,
  prices: readonly SetUpPrice[],
): Promise<void> {
  for (const { id, providerId, productId } of prices) {
    await query(db, STORE, [name, realm, id, providerId, productId])
  }
}

/**
 * What stands for a price of ours at a provider. It is looked for there each time, and created if it is missing, so that
 * a price that differs from ours is never sold.
 *
 * @throws Refusal `payments-unavailable` when the provider has no such price; ProviderTrouble when it does not answer
 */
export async function priceToSell(
  db: Knex,
  provider: PaymentProvider,
  price: Price,
): Promise<string> {
  try {
    const found = await provider.setUpPrices([wantedPrice(price)])
    await storePrices(db, provider, found)
    const [one] = found
    if (one !== undefined) return one.providerId
  } catch (error) {
    if (!(error instanceof ProviderTrouble) || error.kind !== 'refused') throw error
    if (error.code === PRICE_DIFFERS) {
      throw notSold(`The price of this plan at ${provider.name} differs from ours`)
    }
  }
  throw notSold(`${provider.name} does not accept the price of this plan`)
}

const notSold = (cause: string) =>
  new Refusal(
    'payments-unavailable',
    `${cause}, so it is not sold. The operator must run \`npm run payments:setup\`, which shows the reason.`,
  )
