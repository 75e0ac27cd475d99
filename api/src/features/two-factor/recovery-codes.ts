import { makeRecoveryCodes } from '../../credentials/recovery-codes.ts'
import { isSecondFactorOn, lockFactors } from '../../credentials/second-factors.ts'
import { notifySecondFactor } from '../../credentials/notify-second-factor.ts'
import { requireLiveSession } from '../../credentials/session.ts'
import { Refusal } from '../../rules/errors.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import type { SessionPrincipal } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'

/**
 * Creates new recovery codes for an account. The old ones become invalid, and the owner is notified by mail.
 *
 * @throws Refusal `conflict` for an account without a second factor, which has nothing to recover; `rate-limited`,
 * `unauthenticated`
 */
export async function renewRecoveryCodes(
  services: Services,
  principal: SessionPrincipal,
): Promise<string[]> {
  const { account } = principal
  await requireAllowance(services, 'notices-account', account.id)
  return services.knex.transaction(async (trx) => {
    const factors = await lockFactors(trx, account.id)
    await requireLiveSession(trx, principal)
    if (!isSecondFactorOn(factors)) {
      throw new Refusal('conflict', 'Your account has no second factor. Add one first.')
    }
    const codes = await makeRecoveryCodes(services, trx, account.id)
    await notifySecondFactor(services, trx, account.id, 'recovery-codes-made')
    return codes
  })
}
