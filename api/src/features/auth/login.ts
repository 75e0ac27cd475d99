import type { CaptchaTerms, Credentials, SecondFactorMethod } from '@homing/openapi'
import {
  type BegunSession,
  completeSignIn,
  maySignIn,
  noteFailedSignIn,
  type ProvenAccount,
} from '../../credentials/complete-sign-in.ts'
import { lacksCaptcha } from '../../credentials/guess-captcha.ts'
import { makeLoginToken, type NewLoginToken } from '../../credentials/login-token.ts'
import { authenticatePassword, type PasswordClaim } from '../../credentials/password.ts'
import { isSecondFactorOn, methodsOf, secondFactorsOf } from '../../credentials/second-factors.ts'
import { Refusal } from '../../rules/errors.ts'
import type { RequestSource } from '../../caller/request-source.ts'
import type { Services } from '../../compose.ts'
import { tooMany } from '../../limits/require-allowance.ts'
import { TEXTS } from './texts.ts'

/** A session, or the missing step before it. */
export type LoginOutcome =
  | ({ readonly kind: 'session' } & BegunSession)
  | { readonly kind: 'captcha'; readonly captcha: CaptchaTerms }
  | ({ readonly kind: 'second-factor'; readonly methods: SecondFactorMethod[] } & NewLoginToken)

/**
 * Signs in by user name or email address. Reasons that keep an account from signing in are shown only
 * after the right password.
 *
 * After several failures a CAPTCHA is required first, also for accounts that do not exist; without a
 * solution no password is tried.
 *
 * @throws Refusal `wrong-credentials`, `email-not-verified`, `account-disabled`, `rate-limited`,
 * `unavailable`
 */
export async function login(
  services: Services,
  { username_or_email: username, password, captcha_token: solved }: Credentials,
  source: RequestSource,
): Promise<LoginOutcome> {
  const claim = { username, password, ip: source.ip }
  const { captcha } = services
  if (captcha !== undefined && (await lacksCaptcha(services, captcha, claim, solved))) {
    return { kind: 'captcha', captcha: captcha.terms }
  }
  const outcome =
    (await proceedIfRight(services, claim, source, false)) ??
    // The password was changed since it was last right.
    (await proceedIfRight(services, claim, source, true))
  if (outcome === undefined) throw new Refusal('wrong-credentials', TEXTS.wrongCredentials)
  return outcome
}

/** Undefined when the account's credentials changed after the password was right. */
async function proceedIfRight(
  services: Services,
  claim: PasswordClaim,
  source: RequestSource,
  afresh: boolean,
): Promise<LoginOutcome | undefined> {
  const verdict = await authenticatePassword(services, claim, { afresh })
  if (verdict.kind === 'throttled') throw tooMany(verdict.retryAfterSeconds)
  if (verdict.kind === 'wrong') {
    const { userId } = verdict
    if (userId !== undefined) noteFailedSignIn(services, { userId, method: 'password' }, source)
    throw new Refusal('wrong-credentials', TEXTS.wrongCredentials)
  }
  try {
    return await proceed(services, verdict, source)
  } catch (error) {
    if (error instanceof Refusal) {
      noteFailedSignIn(services, { userId: verdict.userId, method: 'password' }, source)
    }
    throw error
  }
}

/**
 * Begins a session if the account requires only the password; otherwise returns the token for the
 * second step. Adding a factor meanwhile changes the version of the credentials.
 */
async function proceed(
  services: Services,
  proven: ProvenAccount,
  source: RequestSource,
): Promise<LoginOutcome | undefined> {
  const factors = await secondFactorsOf(services.knex, proven.userId)
  if (!isSecondFactorOn(factors)) {
    const session = await completeSignIn(services, { ...proven, method: 'password' }, source)
    return session && { kind: 'session', ...session }
  }
  if (!(await maySignIn(services.knex, proven, services.now()))) return undefined
  const methods = methodsOf(factors)
  return { kind: 'second-factor', methods, ...(await makeLoginToken(services, proven)) }
}
