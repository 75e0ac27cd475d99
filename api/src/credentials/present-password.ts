/** What asks a signed-in person for the password once more: a session may be somebody else's by now. */
import { invalid } from '../rules/errors.ts'
import { tooMany } from '../limits/require-allowance.ts'
import { User } from '../models/user.ts'
import type { CallerAccount } from '../caller/principal.ts'
import { authenticatePassword } from './password.ts'
import type { CredentialServices } from './services.ts'

/** A password that was given, and where. */
export interface GivenPassword {
  readonly account: CallerAccount
  readonly password: string
  readonly ip: string
  /** The field that it was given in. */
  readonly field: string
}

/** No 401: the session is right, and clients forget it at one. */
export const wrongPassword = (field: string) =>
  invalid({ field, message: 'This is not your current password.' })

/**
 * Makes sure that it is the account's. A wrong one counts as a try, so a stolen session guesses no
 * faster than anybody else.
 *
 * @returns the version of the account's credentials that it is right for
 * @throws Refusal `validation-failed`, `rate-limited`
 */
export async function requirePresentPassword(
  services: CredentialServices,
  { account, password, ip, field }: GivenPassword,
): Promise<number> {
  const claim = { username: account.username, password, ip }
  // Once more when the password was changed since it was last right.
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
