/** Products and prices of our plans at one provider. */
import type { Knex } from 'knex'
import { currentPrices, storePrices, wantedPrice } from './prices.ts'
import type { PaymentProvider } from './provider.ts'

/**
 * Finds or creates everything that is sold at a provider, and stores it.
 *
 * @returns a line for each price
 * @throws ProviderTrouble when a price there differs from ours
 */
export async function setUpProvider(knex: Knex, provider: PaymentProvider): Promise<string[]> {
  const prices = await currentPrices(knex)
  const found = await provider.setUpPrices(prices.map(wantedPrice))
  await storePrices(knex, provider, found)
  const mode = provider.isTest ? 'test' : 'live'
  return prices.map(({ id, plan, billing, amount_cents, currency }) => {
    const there = found.find((each) => each.id === id)?.providerId ?? '-'
    return `${provider.name} ${mode} ${plan} ${billing} ${amount_cents} ${currency} ${there}`
  })
}
