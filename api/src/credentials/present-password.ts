/** Asks a signed-in user for the password again, because somebody else may have the session. */
import { invalid } from '../rules/errors.ts'
import { tooMany } from '../limits/require-allowance.ts'
import { User } from '../models/user.ts'
import type { CallerAccount } from '../caller/principal.ts'
import { authenticatePassword } from './password.ts'
import type { CredentialServices } from './services.ts'

/** A password that the user entered, and the input field. */
export interface GivenPassword {
  readonly account: CallerAccount
  readonly password: string
  readonly ip: string
  /** The input field of the password. */
  readonly field: string
}

/** Not a 401: the session is valid, and clients discard their session on a 401. */
export const wrongPassword = (field: string) =>
  invalid({ field, message: 'This is not your current password.' })

/**
 * Requires the account's present password. A wrong password counts as an attempt, so a stolen
 * session cannot guess faster than any other caller.
 *
 * @returns the version of the account's credentials for which the password is right
 * @throws Refusal `validation-failed`, `rate-limited`
 */
export async function requirePresentPassword(
  services: CredentialServices,
  { account, password, ip, field }: GivenPassword,
): Promise<number> {
  const claim = { username: account.username, password, ip }
  // The second pass is for a password that was changed since it was last right.
  for (const afresh of [false, true]) {
    const verdict = await authenticatePassword(services, claim, { afresh })
    if (verdict.kind === 'throttled') throw tooMany(verdict.retryAfterSeconds)
    if (verdict.kind === 'wrong' || verdict.userId !== account.id) throw wrongPassword(field)
    const { credentialVersion } = verdict
    const current = await User.query(services.knex)
      .select('id')
      .findOne({ id: account.id, credential_version: credentialVersion })
    if (current) return credentialVersion
  }
  throw wrongPassword(field)
}
