/**
 * The credit of an upgrade at PayPal, which does not prorate: the new subscription gives its plan at once, and takes its
 * first payment when the unused time of the old one is used up. Until then, the payment for the old one pays for it. So
 * the credit is gone when that payment goes back.
 */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { isLive } from './live-subscription.ts'
import type { ReadSubscription } from './provider.ts'
import type { CheckoutRow, SubscriptionRow } from './rows.ts'
import { takenBack } from './state/next.ts'

/** What was read, and what is known of the account. */
interface Bought {
  readonly read: ReadSubscription
  readonly checkout: CheckoutRow | undefined
  readonly before: SubscriptionRow | undefined
  /** The other subscriptions of the account. */
  readonly others: readonly SubscriptionRow[]
  /** Payments whose refund ends no plan. */
  readonly goodwill: ReadonlySet<string>
}

/**
 * When a subscription begins that does not begin at once: one that follows another, one whose credit was gone before it
 * was approved, and one that nothing was paid for.
 */
export function beginOf({ read, checkout, before, others }: Bought): Date | null {
  if (checkout?.purpose === 'switch') return read.startsAt
  if (before !== undefined && before.state !== 'incomplete') return null
  const source =
    checkout?.purpose === 'change'
      ? others.find(({ id }) => id === checkout.replaces_id)
      : undefined
  return source === undefined || source.state === 'ended' ? read.startsAt : null
}

const PAID_SINCE = `
  select 1 from invoice_accounts a join subscriptions s on s.id = a.subscription_id join invoices i on i.id = a.invoice_id
  where s.user_id = ? and s.id > ? and not s.is_surplus and i.kind = 'invoice' and i.paid_at is not null limit 1`

/**
 * The subscription that lives on a payment of another one, if that payment went back; and why it ends.
 *
 * @param row the subscription that was read
 */
export async function livesOnCredit(
  trx: Knex.Transaction,
  row: SubscriptionRow,
  { read, others, goodwill }: Bought,
): Promise<
  { readonly row: SubscriptionRow; readonly reason: 'disputed' | 'refunded' } | undefined
> {
  const back = takenBack(read, goodwill)
  const live = others.find(isLive)
  if (back === undefined || live === undefined || row.end_reason !== 'replaced') return undefined
  if (row.provider !== 'paypal' || live.provider !== 'paypal') return undefined
  const paid = await query(trx, PAID_SINCE, [live.user_id, row.id])
  return paid.length > 0 ? undefined : { row: live, reason: back.reason }
}
