/** Signs in with a passkey: as the second factor after a right password, or with the passkey alone. */
import type { PasskeyRequest, PasskeySignIn } from '@homing/openapi'
import {
  type BegunSession,
  completeSignIn,
  noteFailedSignIn,
} from '../../credentials/complete-sign-in.ts'
import { findLoginToken, signInExpired, useLoginToken } from '../../credentials/login-token.ts'
import { Refusal } from '../../rules/errors.ts'
import { requireNetworkAllowance } from '../../limits/network-limits.ts'
import type { RequestSource } from '../../caller/request-source.ts'
import type { Services } from '../../compose.ts'
import { descriptorsOf } from './passkey-row.ts'
import { passkeyRequest } from './passkey-request.ts'
import { CopiedPasskey, noteUse, readShown, tellOfCopy } from './present-passkey.ts'

/** The same response for an unknown passkey, one of another account, and an invalid signature. */
const notAccepted = () =>
  new Refusal('wrong-credentials', 'The service could not verify this passkey. Please try again.')

/**
 * The options for the browser.
 *
 * @param loginToken proves a right password; without it, any passkey of this service is accepted if
 * the authenticator verifies the user
 * @throws Refusal `sign-in-expired`, `wrong-credentials`, `rate-limited`
 */
export async function startSignIn(
  services: Services,
  loginToken: string | undefined,
  { ip }: RequestSource,
): Promise<PasskeyRequest> {
  if (loginToken === undefined) {
    await requireNetworkAllowance(services, 'passkey-network', ip)
    const use = { purpose: 'sign_in' } as const
    return passkeyRequest(services, { use, allowCredentials: [], userVerification: 'required' })
  }
  const { userId } = await findLoginToken(services, loginToken)
  const allowCredentials = await descriptorsOf(services.knex, userId)
  // An empty list would allow any passkey.
  if (allowCredentials.length === 0) throw notAccepted()
  const use = { purpose: 'second_factor', loginToken } as const
  return passkeyRequest(services, { use, allowCredentials, userVerification: 'preferred' })
}

/**
 * Signs in with a passkey.
 *
 * @throws Refusal `wrong-credentials`, `sign-in-expired`; after a valid signature also the reasons that
 * keep an account from signing in: `email-not-verified`, `account-disabled`
 */
export async function signIn(
  services: Services,
  { login_token: loginToken, credential }: PasskeySignIn,
  source: RequestSource,
): Promise<BegunSession> {
  const proven = loginToken === undefined ? undefined : await findLoginToken(services, loginToken)
  const method = proven === undefined ? 'passkey' : 'password_passkey'
  const shown = await readShown(services, credential, {
    use:
      loginToken === undefined ? { purpose: 'sign_in' } : { purpose: 'second_factor', loginToken },
    ...(proven === undefined ? {} : { userId: proven.userId }),
  })
  if (shown === undefined) {
    if (proven !== undefined) noteFailedSignIn(services, { userId: proven.userId, method }, source)
    throw notAccepted()
  }
  const { user_id: userId, credential_version } = shown.passkey
  const credentialVersion = proven?.credentialVersion ?? credential_version
  try {
    const session = await completeSignIn(
      services,
      { userId, credentialVersion, method },
      source,
      async (trx) => {
        if (loginToken !== undefined) await useLoginToken(services, trx, loginToken)
        if (!(await noteUse(trx, shown, services.now()))) throw notAccepted()
      },
    )
    // The account's credentials changed meanwhile.
    if (session === undefined) throw loginToken === undefined ? notAccepted() : signInExpired()
    return session
  } catch (error) {
    if (error instanceof Refusal) noteFailedSignIn(services, { userId, method }, source)
    if (error instanceof CopiedPasskey) await tellOfCopy(services, shown)
    throw error
  }
}
