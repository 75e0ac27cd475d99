/** The prices of ours that a subscription has by a read of it. */
import { PAID_PLANS } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import type { ReadSubscription } from './provider.ts'
import { type CheckoutRow, type Price, priceAt, priceById, type SubscriptionRow } from './rows.ts'

export interface ReadPrices {
  /** It decides the plan. */
  readonly price: Price
  /** The price that begins with the next payment; undefined: the same. */
  readonly nextPrice: Price | undefined
}

interface Bought {
  readonly read: ReadSubscription
  readonly checkout: CheckoutRow | undefined
  readonly before: SubscriptionRow | undefined
  /** The other subscriptions of the account. */
  readonly others: readonly SubscriptionRow[]
  /** Of the provider. */
  readonly realm: string
}

/** It was bought to begin later, and its first payment was not made. */
const isUnpaid = ({ startsAt, invoices }: ReadSubscription) =>
  startsAt !== null && invoices.every(({ paidCents }) => paidCents <= 0)

/**
 * The prices of a subscription. The first payment begins the plan that it is for: nobody has a larger plan on the credit
 * of a smaller one.
 *
 * @returns undefined: its price is unknown, which is never granted
 */
export async function pricesOf(db: Knex, bought: Bought): Promise<ReadPrices | undefined> {
  const { read, before, realm } = bought
  const at = { provider: read.provider, realm }
  const shown = await priceAt(db, at, read.priceProviderId)
  if (shown === undefined) {
    // What has ended grants nothing, and must end here, too.
    if (before === undefined || read.standing !== 'ended') return undefined
    return { price: await priceById(db, before.price_id), nextPrice: undefined }
  }
  const price = isUnpaid(read) ? await unpaidPrice(db, bought, shown) : shown
  return price.id === shown.id
    ? { price, nextPrice: await priceAt(db, at, read.nextPriceProviderId) }
    : { price, nextPrice: shown }
}

const rankOf = ({ plan }: Price) => PAID_PLANS.indexOf(plan)

/**
 * The price until the first payment: the one that was bought, because PayPal shows another one as soon as the payer has
 * approved it. If the payment of one that follows another fails, the time of grace is for the plan that was paid before,
 * unless that is larger.
 */
async function unpaidPrice(
  db: Knex,
  { read, checkout, before, others }: Bought,
  shown: Price,
): Promise<Price> {
  const price = await priceById(db, before?.price_id ?? checkout?.price_id ?? shown.id)
  const follows = checkout?.purpose === 'switch' ? checkout.replaces_id : null
  const former = others.find(({ id }) => id === follows)
  if (read.standing !== 'unpaid' || former === undefined) return price
  const paid = await priceById(db, former.price_id)
  return rankOf(paid) < rankOf(price) ? paid : price
}
