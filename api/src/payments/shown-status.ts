/** The subscription of an account as its owner sees it. */
import type { BillingCycle, PaidPlan } from '@homing/openapi/vocabulary'
import type { SubscriptionStatus } from '@homing/openapi'
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { liveSubscription } from './live-subscription.ts'
import { COLUMNS, priceById, type SubscriptionRow } from './rows.ts'

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
  if (live !== undefined) return live
  const [waiting] = await query<SubscriptionRow>(
    db,
    `select ${COLUMNS} from subscriptions
     where user_id = ? and state = 'incomplete' and not is_surplus order by id desc limit 1`,
    [userId],
  )
  return waiting
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
