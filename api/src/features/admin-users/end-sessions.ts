import { endAllCredentials } from '../../credentials/session.ts'
import { lockAccount } from '../../feed/lock-order.ts'
import type { SessionPrincipal } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import { requireProofFor } from './fresh-proof.ts'
import { noSuchAccount } from './user-list.ts'

/**
 * Signs an account out everywhere: its sessions, pending sign-ins and remembered passwords end. Keys and
 * tokens continue to work.
 *
 * @throws Refusal `not-found`, `step-up-required` for another administrator's account
 */
export async function endUserSessions(
  { knex, log, now }: Pick<Services, 'knex' | 'log' | 'now'>,
  administrator: SessionPrincipal,
  userId: string,
): Promise<void> {
  await knex.transaction(async (trx) => {
    const account = await lockAccount(trx, userId)
    if (account === undefined) throw noSuchAccount()
    requireProofFor(administrator, { account }, now())
    await endAllCredentials(trx, userId)
  })
  const who = { administratorId: administrator.account.id, userId }
  log.info(who, 'an administrator ended the sessions of an account')
}
