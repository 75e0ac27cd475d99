/** The job `name-lock`: brings the domains at and below a name to its lock, at most 500 in a transaction. */
import type { Knex } from 'knex'
import { applyNameLock, holdNames } from '../feed/name-locks.ts'

/** Each step finds what is left by itself, so a job that was interrupted continues where it stopped. */
export async function settleNameLock(knex: Knex, fqdn: string): Promise<void> {
  for (;;) {
    const { isWhole } = await knex.transaction(async (trx) => {
      await holdNames(trx, fqdn)
      return applyNameLock(trx, fqdn)
    })
    if (isWhole) return
  }
}
