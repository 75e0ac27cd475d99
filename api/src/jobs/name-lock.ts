/** The job `name-lock`: applies the lock of a name to the domains at and below it, at most 500 per transaction. */
import type { Knex } from 'knex'
import { applyNameLock, holdNames } from '../feed/name-locks.ts'

/** Each step finds the remaining domains itself, so an interrupted job continues where it stopped. */
export async function settleNameLock(knex: Knex, fqdn: string): Promise<void> {
  for (;;) {
    const { isWhole } = await knex.transaction(async (trx) => {
      await holdNames(trx, fqdn)
      return applyNameLock(trx, fqdn)
    })
    if (isWhole) return
  }
}
