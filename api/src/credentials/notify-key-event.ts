import type { Knex } from 'knex'
import type { KeyNotice } from '../queue/notices.ts'
import type { CredentialServices } from './services.ts'

/** The caller's address and client. */
interface Source {
  readonly ip: string
  readonly userAgent: string | null
}

/**
 * Notifies the owner of an account by mail of a new credential, of one that may do more, or of a policy that issues
 * credentials, so that the thief of a session cannot leave one behind unseen. The mail is sent when the transaction is committed.
 */
export async function notifyKeyEvent(
  { jobs, now, countryOf }: Pick<CredentialServices, 'jobs' | 'now' | 'countryOf'>,
  trx: Knex.Transaction,
  what: { readonly userId: string } & Pick<KeyNotice, 'event' | 'name' | 'mark'>,
  { ip, userAgent }: Source,
): Promise<void> {
  const source = { ip, cc: await countryOf(ip), client: userAgent }
  await jobs.enqueue(trx, 'mail', {
    kind: 'key-notice',
    ...what,
    at: now().toISOString(),
    ...source,
  })
}
