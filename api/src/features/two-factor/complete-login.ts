import type { SecondFactorSignIn } from '@homing/openapi'
import {
  type BegunSession,
  completeSignIn,
  noteFailedSignIn,
  type ProvenAccount,
} from '../../credentials/complete-sign-in.ts'
import { findLoginToken, signInExpired, useLoginToken } from '../../credentials/login-token.ts'
import { type GivenCode, tryCode, useCode } from '../../credentials/second-factor-code.ts'
import { Refusal } from '../../rules/errors.ts'
import type { RequestSource } from '../../caller/request-source.ts'
import type { Services } from '../../compose.ts'
import { givenCode, WRONG_CODE } from './given-code.ts'

const METHODS = { totp: 'password_totp', recovery_code: 'password_recovery_code' } as const

/**
 * The second step of signing in, with a code. The token of the password step and the code are used up
 * in the transaction that begins the session: a wrong code leaves the token valid, and of two calls
 * with the same token or the same code one succeeds.
 *
 * @throws Refusal `validation-failed`, `sign-in-expired`, `wrong-credentials`, `rate-limited`,
 * `email-not-verified`, `account-disabled`
 */
export async function completeLogin(
  services: Services,
  { login_token: token, ...fields }: SecondFactorSignIn,
  source: RequestSource,
): Promise<BegunSession> {
  const given = givenCode(fields)
  const proven = await findLoginToken(services, token)
  return tryCode(services, proven.userId, given, async () => {
    try {
      return await beginSession(services, { token, proven, given, source })
    } catch (error) {
      if (error instanceof Refusal) {
        const method = METHODS[given.kind]
        noteFailedSignIn(services, { userId: proven.userId, method }, source)
      }
      throw error
    }
  })
}

interface SecondStep {
  readonly token: string
  readonly proven: ProvenAccount
  readonly given: GivenCode
  readonly source: RequestSource
}

async function beginSession(
  services: Services,
  { token, proven, given, source }: SecondStep,
): Promise<BegunSession> {
  const signIn = { ...proven, method: METHODS[given.kind] }
  const session = await completeSignIn(services, signIn, source, async (trx) => {
    await useLoginToken(services, trx, token)
    if (await useCode(services, trx, proven.userId, given)) return
    throw new Refusal('wrong-credentials', WRONG_CODE)
  })
  if (session === undefined) throw signInExpired()
  return session
}
