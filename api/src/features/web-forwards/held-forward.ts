/** Locks what a change of a web forward needs: the account, its plan, the domain with its wildcard, and the forward. */
import type { Knex } from 'knex'
import { accountDisabled } from '../../credentials/account-row.ts'
import { holdDomain } from '../../feed/change-domain.ts'
import { holdPlans, lockAccount } from '../../feed/lock-order.ts'
import type { DomainRow } from '../../feed/rows.ts'
import { Plan } from '../../models/plan.ts'
import { WebForward, type WebForwardRow } from '../../models/web-forward.ts'
import { forwardDisabled, notFound } from '../../rules/errors.ts'
import type { Reach } from '../../rules/key-scope.ts'
import { isBlocked, requireAbility } from '../../rules/plans.ts'
import { requireForwardable, WEB_FORWARDS } from './find-forward.ts'

/** What happens to a forward. Every plan can delete one: what a smaller plan no longer includes must not be stuck. */
type Purpose = 'save' | 'delete'

/**
 * The domain, locked after its account.
 *
 * @throws Refusal `not-found`, `account-disabled`, `domain-locked`, `plan-required`
 */
export async function heldDomain(
  trx: Knex.Transaction,
  reach: Reach,
  domainId: string,
  purpose: Purpose,
): Promise<DomainRow> {
  const account = await lockAccount(trx, reach.userId)
  if (account === undefined || isBlocked(account)) throw accountDisabled()
  await holdPlans(trx, [account.account_type])
  if (purpose === 'save') {
    const plan = await Plan.query(trx).findById(account.account_type)
    requireAbility({ abilities: new Set(plan?.abilities) }, 'web_forward', WEB_FORWARDS)
  }
  const base = await holdDomain(trx, domainId)
  if (base === undefined || base.user_id !== reach.userId) throw notFound('domain')
  requireForwardable(reach, base)
  return base
}

/**
 * The domain and its forward, as they are now.
 *
 * @throws Refusal as `heldDomain`, `forward-disabled`
 */
export async function heldForward(
  trx: Knex.Transaction,
  reach: Reach,
  { id, domain_id }: Pick<WebForwardRow, 'id' | 'domain_id'>,
  purpose: Purpose,
): Promise<{ readonly base: DomainRow; readonly forward: WebForwardRow }> {
  const base = await heldDomain(trx, reach, domain_id, purpose)
  const [forward] = await WebForward.query(trx).where({ id }).toKnexQuery<WebForwardRow>()
  if (forward === undefined) throw notFound('web forward')
  if (forward.disabled_reason !== null) throw forwardDisabled(base.fqdn, forward.disabled_reason)
  return { base, forward }
}
