/** Locks: an administrator withholds a domain and everything below its name, or releases it. */
import { Refusal } from '../../rules/errors.ts'
import type { Actor } from '../../feed/address-change.ts'
import {
  addNameLock,
  followNameLock,
  holdNames,
  lockOver,
  removeNameLock,
} from '../../feed/name-locks.ts'
import type { Services } from '../../compose.ts'
import { type DomainRow, findAnyDomain } from './domain-list.ts'

/**
 * Locks a domain's name, or removes the lock. The domain, its wildcard and the domains below it follow: 500 in
 * this transaction and the rest in a job. Other reasons to withhold them remain in effect.
 *
 * @throws Refusal `not-found`; `conflict` for a wildcard, which follows its domain, and for unlocking a domain
 * below another locked name
 */
export async function setLocked(
  { knex, jobs }: Pick<Services, 'knex' | 'jobs'>,
  domainId: string,
  locked: boolean,
  actor: Actor,
): Promise<DomainRow> {
  return knex.transaction(async (trx) => {
    const { fqdn } = await findAnyDomain(trx, domainId)
    await holdNames(trx, fqdn)
    // Read again under the lock.
    const domain = await findAnyDomain(trx, domainId)
    if (domain.is_wildcard) {
      const verb = locked ? 'Lock' : 'Unlock'
      throw new Refusal(
        'conflict',
        `A wildcard follows its base domain. ${verb} the base domain instead.`,
      )
    }
    await (locked ? addNameLock(trx, domain, actor) : removeNameLock(trx, fqdn))
    const over = locked ? undefined : await lockOver(trx, fqdn)
    if (over !== undefined) {
      throw new Refusal(
        'conflict',
        `${fqdn} is below ${over}, which is locked. Unlock ${over} instead.`,
      )
    }
    await followNameLock(trx, jobs, fqdn, actor)
    return findAnyDomain(trx, domainId)
  })
}
