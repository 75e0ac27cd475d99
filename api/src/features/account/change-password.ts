import type { PasswordChange, WorkingCredentials } from '@homing/openapi'
import type { Knex } from 'knex'
import { forgetNetworks } from '../../credentials/known-networks.ts'
import { requireGoodPassword } from '../../credentials/new-password.ts'
import { requirePresentPassword, wrongPassword } from '../../credentials/present-password.ts'
import { factorsChanged } from '../../credentials/second-factors.ts'
import { endSessionsBut } from '../../credentials/session.ts'
import { settleNewPassword } from '../../credentials/settle-new-password.ts'
import {
  countWorkingCredentials,
  revokeCredentials,
} from '../../credentials/working-credentials.ts'
import { NEXT_CREDENTIAL_VERSION, User } from '../../models/user.ts'
import type { RequestSource } from '../../caller/request-source.ts'
import type { SessionPrincipal } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'

/**
 * Revokes the credentials other than the password. The user has proved the second factor, if the account has one, so it
 * may be revoked too: after the last passkey of an account without an app, signing in requires only the password.
 *
 * @returns the credentials that worked before
 */
async function revoke(
  { now }: Pick<Services, 'now'>,
  trx: Knex.Transaction,
  { account, sessionId }: SessionPrincipal,
): Promise<WorkingCredentials> {
  const before = await countWorkingCredentials(trx, account.id, now())
  await revokeCredentials(trx, account.id)
  if (before.passkeys > 0) await factorsChanged(trx, account.id, sessionId)
  return before
}

/**
 * Sets a new password. All other sessions, links that set a password or an address, and remembered passwords end;
 * with `revoke_credentials` all other credentials end too. The owner is notified by mail.
 *
 * @returns the credentials other than the password that still work
 * @throws Refusal `validation-failed`, `rate-limited`
 */
export async function changePassword(
  services: Services,
  principal: SessionPrincipal,
  change: PasswordChange,
  { ip }: RequestSource,
): Promise<WorkingCredentials> {
  const { account, sessionId } = principal
  const { current_password: password, new_password: next } = change
  const field = 'current_password'
  const version = await requirePresentPassword(services, { account, password, ip, field })
  const wanted = { password: next, field: 'new_password', names: [account.username] }
  await requireGoodPassword(services.config, wanted)
  const passwordHash = await services.passwords.hash(next)
  return services.knex.transaction(async (trx) => {
    const changed = await User.query(trx)
      .patch({ password_hash: passwordHash, credential_version: NEXT_CREDENTIAL_VERSION })
      .where({ id: account.id, credential_version: version })
    // Another call changed the password at the same time.
    if (changed === 0) throw wrongPassword(field)
    await endSessionsBut(trx, account.id, sessionId)
    await forgetNetworks(trx, account.id, ip)
    const revoked =
      change.revoke_credentials === true ? await revoke(services, trx, principal) : undefined
    return settleNewPassword(services, trx, account.id, revoked)
  })
}
