import type { Credentials } from '@homing/openapi'
import {
  type BegunSession,
  completeSignIn,
  noteFailedSignIn,
} from '../../credentials/complete-sign-in.ts'
import { authenticatePassword, type PasswordClaim } from '../../credentials/password.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Origin } from '../../plugins/contract.ts'
import type { Services } from '../../services.ts'
import { tooMany } from '../../integrations/allowance.ts'
import { TEXTS } from './texts.ts'

/**
 * Signs in by user name or e-mail address. What keeps an account from signing in is told to
 * whoever has its password, and to nobody else.
 *
 * @throws Refusal `wrong-credentials`, `email-not-verified`, `account-disabled`, `rate-limited`
 */
export async function login(
  services: Services,
  { username_or_email: username, password }: Credentials,
  origin: Origin,
): Promise<BegunSession> {
  const claim = { username, password, ip: origin.ip }
  const session =
    (await beginIfRight(services, claim, origin, false)) ??
    // The password was changed since it was last right.
    (await beginIfRight(services, claim, origin, true))
  if (session === undefined) throw new Refusal('wrong-credentials', TEXTS.wrongCredentials)
  return session
}

/** Undefined when the account's credentials changed after the password was found right. */
async function beginIfRight(
  services: Services,
  claim: PasswordClaim,
  origin: Origin,
  afresh: boolean,
): Promise<BegunSession | undefined> {
  const verdict = await authenticatePassword(services, claim, { afresh })
  if (verdict.kind === 'throttled') throw tooMany(verdict.retryAfterSeconds)
  if (verdict.kind === 'wrong') {
    if (verdict.userId !== undefined) noteFailedSignIn(services, verdict.userId, origin)
    throw new Refusal('wrong-credentials', TEXTS.wrongCredentials)
  }
  try {
    return await completeSignIn(services, verdict, origin)
  } catch (error) {
    if (error instanceof Refusal) noteFailedSignIn(services, verdict.userId, origin)
    throw error
  }
}
