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
 * Removes the second factors of a user who lost them. All sessions of the account end, because somebody
 * who found the factor may own one of them, and the owner is notified by mail. If there is no second
 * factor, nothing happens.
 *
 * Administrators turn off their own factors in the settings, like every user: this operation asks for no
 * code, and must not be a way around that.
 *
 * @throws Refusal `not-found`, `conflict` for the caller's own account
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
