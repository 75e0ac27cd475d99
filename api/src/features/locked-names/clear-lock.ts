import { Refusal } from '../../rules/errors.ts'
import type { Actor } from '../../feed/address-change.ts'
import { followNameLock, holdNames, removeNameLock } from '../../feed/name-locks.ts'
import { LockedName } from '../../models/locked-name.ts'
import type { Services } from '../../compose.ts'

/**
 * Clears the lock of a name, whether or not there is a domain with this name. The lock and the flag of
 * the domain belong together, so a domain is unlocked and published in the same transaction.
 *
 * @throws Refusal `not-found`
 */
export async function clearLock(
  { knex, jobs, log }: Pick<Services, 'knex' | 'jobs' | 'log'>,
  lockId: string,
  actor: Actor,
): Promise<void> {
  const fqdn = await knex.transaction(async (trx) => {
    const lock = await LockedName.query(trx).findById(lockId)
    if (lock === undefined) {
      throw new Refusal('not-found', 'A locked name with this id does not exist.')
    }
    await holdNames(trx, lock.fqdn)
    await removeNameLock(trx, lock.fqdn)
    await followNameLock(trx, jobs, lock.fqdn, actor)
    return lock.fqdn
  })
  // A name without a domain has no history that could record who cleared its lock.
  log.info({ administratorId: actor.id, fqdn }, 'an administrator cleared the lock on a name')
}
