import { endAllCredentials } from '../../credentials/session.ts'
import { lockAccount } from '../../feed/lock-order.ts'
import type { CallerAccount } from '../../principal.ts'
import type { Services } from '../../services.ts'
import { noSuchAccount } from './user-list.ts'

/**
 * Signs an account out everywhere: its sessions end, as do sign-ins that are under way and passwords that are
 * remembered. Keys and tokens go on.
 *
 * @throws Refusal `not-found`
 */
export async function endUserSessions(
  { knex, log }: Services,
  administrator: Pick<CallerAccount, 'id'>,
  userId: string,
): Promise<void> {
  await knex.transaction(async (trx) => {
    if ((await lockAccount(trx, userId)) === undefined) throw noSuchAccount()
    await endAllCredentials(trx, userId)
  })
  log.info({ administratorId: administrator.id, userId }, 'an administrator signed an account out')
}
