/** Deletes a domain. */
import type { Knex } from 'knex'
import { domainLocked } from '../../rules/errors.ts'
import type { Reach } from '../../rules/key-scope.ts'
import type { Actor } from '../../feed/address-change.ts'
import { recordEvents } from '../../feed/domain-events.ts'
import type { ZoneOwners } from '../../feed/change-set.ts'
import { planDifference, settleDifference } from '../../feed/account-plan.ts'
import { settleForwardFlags } from '../../feed/forward-flags.ts'
import { holdPlans, lockAccount, lockDomains } from '../../feed/lock-order.ts'
import { requireServedTypes } from '../../feed/served-types.ts'
import { ownersOfDomains, publish } from '../../feed/publish.ts'
import { Domain, type OwnedDomain } from '../../models/domain.ts'
import type { Services } from '../../compose.ts'
import { keepDeleted } from './deleted-rows.ts'
import { disabledForwards, keptByForward } from './disabled-forwards.ts'
import { type DomainKey, findDomain } from './find-domain.ts'
import { reserveNames } from './name-claims.ts'

/**
 * A deletion frees one place. More domains differ only while a job applies a plan to the whole account, and that
 * job does the rest.
 */
const RESTORED_LIMIT = 10

/** Domains that are deleted. */
interface Leaving {
  readonly userId: string
  readonly domains: readonly Pick<OwnedDomain, 'fqdn' | 'is_wildcard'>[]
  /** Their ids, and those of their wildcards. */
  readonly leaving: readonly string[]
}

/** The domain and, for a base, its wildcard. */
async function idsWith(trx: Knex.Transaction, domain: OwnedDomain): Promise<string[]> {
  const wildcards = await Domain.query(trx).select('id').where('base_id', domain.id)
  return [domain.id, ...wildcards.map(({ id }) => id)]
}

/**
 * Deletes locked domains with their wildcards, keeps them for a restoration, and reserves their names for their owner.
 *
 * @returns what the caller publishes
 */
export async function removeDomains(
  trx: Knex.Transaction,
  { userId, domains, leaving }: Leaving,
  actor: Actor,
): Promise<ZoneOwners[]> {
  if (leaving.length === 0) return []
  const gone = await ownersOfDomains(trx, leaving)
  await keepDeleted(trx, leaving)
  await recordEvents(trx, 'deleted', leaving, actor)
  // A trigger records the owner of the deleted domains; their history is found by it.
  await Domain.query(trx).delete().whereIn('id', leaving)
  // Only the owner of the base can create a wildcard, so its name needs no reservation.
  const bases = domains.filter((domain) => !domain.is_wildcard).map(({ fqdn }) => fqdn)
  await reserveNames(trx, bases, userId)
  // Their web forwards are gone too: other forwards get the flags of the plan that these had.
  const flags = await settleForwardFlags(trx, [userId])
  return [...gone, ...flags.owners]
}

/**
 * Deletes a domain and its wildcard, keeps them for a restoration, reserves the name for its owner, and gives the freed place to the oldest
 * domain that the plan had withheld: all in one change set.
 *
 * A locked domain cannot be deleted: otherwise its owner could remove the lock with it. Nor can a domain whose web forward is
 * disabled.
 *
 * @throws Refusal `not-found`, `domain-locked`, `forward-disabled`, and `key-scope` for a domain with records that the key may not
 * remove
 */
export async function deleteDomain(
  { knex }: Services,
  reach: Reach,
  key: DomainKey,
  actor: Actor,
): Promise<void> {
  const { userId } = reach
  await knex.transaction(async (trx) => {
    const account = await lockAccount(trx, userId)
    await holdPlans(trx, account ? [account.account_type] : [])
    const domain = await findDomain(trx, reach, key)
    const leaving = await idsWith(trx, domain)
    await requireServedTypes(trx, reach, domain.id)
    const difference = await planDifference(trx, [userId], { leaving, basesLimit: RESTORED_LIMIT })
    const rows = await lockDomains(trx, [...leaving, ...difference.rows.map(({ id }) => id)])
    if (rows.some(({ id, locked }) => locked && leaving.includes(id))) {
      throw domainLocked(domain.fqdn, 'it cannot be deleted')
    }
    const disabled = (await disabledForwards(trx, leaving)).get(domain.id)
    if (disabled !== undefined) throw keptByForward(domain.fqdn, disabled)
    const gone = await removeDomains(trx, { userId, domains: [domain], leaving }, actor)
    const restored = await settleDifference(trx, difference)
    await publish(trx, [...gone, ...restored])
  })
}
