/** The grant that follows from the subscriptions of an account. */
import type { PaidPlan } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { changeGrants, standingOf } from '../feed/account-grants.ts'
import type { JobQueue } from '../queue/job-queue.ts'
import { GRANTING } from './state/subscription.ts'

const LIVE_PLAN = `
  select p.plan from subscriptions s join plan_prices p on p.id = s.price_id
  where s.user_id = ? and not s.is_surplus and s.state = any (?::text[]) order by s.id limit 1`

/**
 * Grants the plan of the live subscription, or takes the grant of payments away. The caller has locked the account, and
 * does nothing with names after this.
 */
export async function settlePaidPlan(
  trx: Knex.Transaction,
  { jobs }: { readonly jobs: JobQueue },
  userId: string,
  now: Date,
): Promise<void> {
  const [live] = await query<{ plan: PaidPlan }>(trx, LIVE_PLAN, [userId, [...GRANTING]])
  const standing = await standingOf(trx, userId)
  if (standing === undefined) return
  const granted = standing.grants.find(({ source }) => source === 'payment')
  if (granted?.plan === live?.plan) return
  const payment = live === undefined ? null : { plan: live.plan, until: null }
  await changeGrants(trx, { jobs }, { userId, change: { grants: { payment } }, now })
}
