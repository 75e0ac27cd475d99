/** Everything that ends after a while: rows, mails about monitors that were never accepted, accounts that are due. */
import type { JobServices } from '../compose.ts'
import { removeDueAccounts } from '../features/account/remove-accounts.ts'
import { expire } from './expire.ts'
import { giveUpMonitorMails } from './notices/monitors.ts'

/** What expiry needs. */
export interface ExpiryServices extends Pick<JobServices, 'knex' | 'log' | 'now'> {
  readonly config: Pick<JobServices['config'], 'nameservers'>
}

/** Deletes everything that is due. @throws AggregateError with the failures; one does not stop the others */
export async function runExpiry(services: ExpiryServices): Promise<void> {
  const faults: unknown[] = []
  for (const work of [expireRows, giveUpMonitorMails, removeAccounts]) {
    try {
      await work(services)
    } catch (error) {
      // The log shows one level of errors.
      if (error instanceof AggregateError) faults.push(...error.errors)
      else faults.push(error)
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, 'parts of the expiry failed')
}

async function expireRows({ knex, log, now }: ExpiryServices): Promise<void> {
  log.debug(await expire(knex, now()), 'expired')
}

async function removeAccounts({ knex, log, now, config }: ExpiryServices): Promise<void> {
  const removed = await removeDueAccounts({ knex, nameservers: config.nameservers }, now())
  if (removed > 0) log.info({ removed }, 'accounts removed')
}
