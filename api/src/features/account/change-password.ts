import type { PasswordChange } from '@homing/openapi'
import { dropLinks } from '../../credentials/mail-link.ts'
import { authenticatePassword } from '../../credentials/password.ts'
import { endSessionsBut } from '../../credentials/session.ts'
import { invalid } from '../../domain/errors.ts'
import { tooMany } from '../../integrations/allowance.ts'
import type { Origin } from '../../plugins/contract.ts'
import type { SessionPrincipal } from '../../principal.ts'
import type { Services } from '../../services.ts'
import { query } from '../../sql.ts'

/** No 401: the session is right, and clients forget it at one. */
const wrongPassword = () =>
  invalid({ field: 'current_password', message: 'This is not your present password.' })

/**
 * Sets another password. All other sessions, links that set a password and remembered passwords are
 * worth nothing from then on, and the owner is told by mail. A wrong present password counts as a
 * try, so a stolen session guesses no faster than anybody else.
 *
 * @throws Refusal `validation-failed`, `rate-limited`
 */
export async function changePassword(
  services: Services,
  caller: SessionPrincipal,
  change: PasswordChange,
  origin: Origin,
): Promise<void> {
  const isChanged =
    (await changeIfRight(services, caller, change, origin, false)) ||
    // The password was changed since it was last right.
    (await changeIfRight(services, caller, change, origin, true))
  if (!isChanged) throw wrongPassword()
}

/** False when the account's credentials changed after the password was found right. */
async function changeIfRight(
  services: Services,
  { account, sessionId }: SessionPrincipal,
  { current_password: password, new_password: next }: PasswordChange,
  { ip }: Origin,
  afresh: boolean,
): Promise<boolean> {
  const claim = { username: account.username, password, ip }
  const verdict = await authenticatePassword(services, claim, { afresh })
  if (verdict.kind === 'throttled') throw tooMany(verdict.retryAfterSeconds)
  if (verdict.kind === 'wrong' || verdict.userId !== account.id) throw wrongPassword()
  const passwordHash = await services.passwords.hash(next)
  return services.knex.transaction(async (trx) => {
    const changed = await query(
      trx,
      `update users set password_hash = ?, credential_version = credential_version + 1
       where id = ? and credential_version = ? returning id`,
      [passwordHash, account.id, verdict.credentialVersion],
    )
    if (changed.length === 0) return false
    await endSessionsBut(trx, account.id, sessionId)
    await dropLinks(trx, account.id, 'reset_password')
    const at = services.now().toISOString()
    await services.jobs.enqueue(trx, 'mail', { kind: 'password-changed', userId: account.id, at })
    return true
  })
}
