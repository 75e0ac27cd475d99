/** Checks and locks what a change of a monitor needs: the account, its plan, and the domain. */
import type { Knex } from 'knex'
import { accountDisabled } from '../../credentials/account-row.ts'
import { holdDomain } from '../../feed/change-domain.ts'
import { holdPlans, lockAccount } from '../../feed/lock-order.ts'
import type { DomainRow } from '../../feed/rows.ts'
import { findOwnedDomain, type OwnedDomain } from '../../models/domain.ts'
import { Plan } from '../../models/plan.ts'
import { notFound } from '../../rules/errors.ts'
import type { Reach } from '../../rules/key-scope.ts'
import { requireMonitorable, UPTIME } from '../../rules/monitorable.ts'
import { isBlocked, requireAbility } from '../../rules/plans.ts'

/**
 * The caller's domain.
 *
 * @throws Refusal `not-found`, `conflict` for a wildcard, `domain-locked`
 */
export async function monitorableDomain(db: Knex, reach: Reach, id: string): Promise<OwnedDomain> {
  const domain = await findOwnedDomain(db, reach, { id })
  if (domain === undefined) throw notFound('domain')
  requireMonitorable(domain)
  return domain
}

/** A locked domain, and the shortest interval of the account's plan in seconds. */
export interface HeldDomain {
  readonly domain: DomainRow
  readonly minInterval: number
}

/** What happens to the monitor. Every plan can turn one off: what a smaller plan no longer includes must not be stuck. */
type Purpose = 'use' | 'end'

/**
 * The domain, locked after its account and its plan.
 *
 * @throws Refusal `not-found`, `conflict`, `domain-locked`, `account-disabled`, `plan-required`
 */
export async function heldDomain(
  trx: Knex.Transaction,
  reach: Reach,
  domainId: string,
  purpose: Purpose,
): Promise<HeldDomain> {
  const account = await lockAccount(trx, reach.userId)
  if (account === undefined || isBlocked(account)) throw accountDisabled()
  await holdPlans(trx, [account.account_type])
  const plan = await Plan.query(trx).findById(account.account_type)
  if (purpose === 'use') requireAbility({ abilities: new Set(plan?.abilities) }, 'uptime', UPTIME)
  const domain = await holdDomain(trx, domainId)
  if (domain === undefined || domain.user_id !== reach.userId) throw notFound('domain')
  requireMonitorable(domain)
  return { domain, minInterval: plan?.monitor_interval ?? 0 }
}
