import type { GrantSource, PaidPlan } from '@homing/openapi/vocabulary'
import { bigint, nullable, textOf, timestamptz } from './columns.ts'
import { belongsTo, ownedBy, table } from './table.ts'
import { User } from './user.ts'

/** What a plan of an account comes from: at most one of each source. `users.account_type` is derived from it. */
export class PlanGrant extends table('plan_grants', {
  id: bigint,
  user_id: bigint,
  source: textOf<GrantSource>(),
  plan: textOf<PaidPlan>(),
  /** Null: it does not end by time. */
  until: nullable(timestamptz),
  granted_at: timestamptz,
  /** The administrator; null: the service. */
  granted_by: nullable(bigint),
}) {
  declare account?: User
  static override readonly relationMappings = { account: belongsTo(User, 'plan_grants.user_id') }
  static override readonly modifiers = { ownedBy }
}
