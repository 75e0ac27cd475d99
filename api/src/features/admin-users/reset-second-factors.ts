import {
  dropFactors,
  factorsChanged,
  isSecondFactorOn,
  lockFactors,
} from '../../credentials/second-factors.ts'
import { notifySecondFactor } from '../../credentials/notify-second-factor.ts'
import { Refusal } from '../../rules/errors.ts'
import type { CallerAccount } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import { getUser } from './user-list.ts'

/**
 * Takes away the second factors of somebody who lost them. All sessions of the account end, since one of
 * them may be of whoever found the factor, and the owner is told by mail. Where there is none, nothing
 * is done.
 *
 * Administrators turn off their own in the settings, where everybody does: this door asks nobody else,
 * and must not be a shorter way.
 *
 * @throws Refusal `not-found`, `conflict` for one's own
 */
export async function resetSecondFactors(
  services: Services,
  administrator: Pick<CallerAccount, 'id'>,
  userId: string,
): Promise<void> {
  if (administrator.id === userId) {
    throw new Refusal(
      'conflict',
      'You cannot reset your own second factors here. Turn them off in your settings, or ask another administrator.',
    )
  }
  const isReset = await services.knex.transaction(async (trx) => {
    await getUser(trx, userId)
    const before = await lockFactors(trx, userId)
    await dropFactors(trx, userId)
    if (!isSecondFactorOn(before)) return false
    await factorsChanged(trx, userId)
    await notifySecondFactor(services, trx, userId, 'second-factors-reset')
    return true
  })
  if (!isReset) return
  const who = { administratorId: administrator.id, userId }
  services.log.warn(who, 'an administrator removed the second factors of an account')
}
