/** What an account must have to claim or prove a domain. */
import type { Knex } from 'knex'
import { accountDisabled } from '../../credentials/account-row.ts'
import type { LockedAccount } from '../../feed/rows.ts'
import { Plan } from '../../models/plan.ts'
import { Refusal } from '../../rules/errors.ts'
import { type Abilities, isBlocked, planAllows } from '../../rules/plans.ts'

/** Why the feature is not available. */
export const PLAN_MESSAGE = 'This feature requires an Elite subscription.'

/** @throws Refusal `plan-required` */
export function requireOwnZones(plan: Abilities): void {
  if (!planAllows(plan, 'vanity_ns')) throw new Refusal('plan-required', PLAN_MESSAGE)
}

/** Whether the locked account can have own zones now. */
export async function canHaveZones(
  trx: Knex.Transaction,
  account: LockedAccount | undefined,
): Promise<boolean> {
  if (account === undefined || isBlocked(account)) return false
  const plan = await Plan.query(trx).findById(account.account_type)
  return plan?.abilities.includes('vanity_ns') === true
}

/** @throws Refusal `account-disabled`, `plan-required` */
export async function requireZonesNow(
  trx: Knex.Transaction,
  account: LockedAccount | undefined,
): Promise<void> {
  if (account === undefined || isBlocked(account)) throw accountDisabled()
  if (!(await canHaveZones(trx, account))) throw new Refusal('plan-required', PLAN_MESSAGE)
}
