/** The subscription of an account as its owner sees it. */
import type { BillingCycle, PaidPlan } from '@homing/openapi/vocabulary'
import type { SubscriptionStatus } from '@homing/openapi'
import type { Knex } from 'knex'
import { firstSubscription, liveSubscription } from './live-subscription.ts'
import { priceById, type SubscriptionRow } from './rows.ts'

const NOTHING: SubscriptionStatus = {
  hasSubscription: false,
  plan: null,
  interval: null,
  status: null,
  endsAt: null,
  nextPaymentDue: null,
  isInGracePeriod: null,
}

/** The one that gives a plan now; otherwise the newest one that waits for its first payment. Undefined: none. */
export async function shownSubscription(
  db: Knex,
  userId: string,
): Promise<SubscriptionRow | undefined> {
  const live = await liveSubscription(db, userId)
  return live ?? firstSubscription(db, userId, `state = 'incomplete'`, 'id desc')
}

function statusOf(
  row: SubscriptionRow,
  { plan, billing }: { readonly plan: PaidPlan; readonly billing: BillingCycle },
): SubscriptionStatus {
  const due = row.state === 'active' ? (row.period_end ?? row.paid_until) : null
  return {
    hasSubscription: true,
    plan,
    interval: billing,
    status: row.state,
    endsAt: row.ends_at?.toISOString() ?? null,
    nextPaymentDue: due?.toISOString() ?? null,
    isInGracePeriod: row.state === 'past_due',
  }
}

/** All fields are always there. */
export async function subscriptionStatus(db: Knex, userId: string): Promise<SubscriptionStatus> {
  const row = await shownSubscription(db, userId)
  return row === undefined ? NOTHING : statusOf(row, await priceById(db, row.price_id))
}
