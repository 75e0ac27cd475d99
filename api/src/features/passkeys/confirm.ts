/** Confirms the identity of a signed-in user with a passkey. */
import type { PasskeyAssertion, PasskeyRequest } from '@homing/openapi'
import { renewSession } from '../../credentials/session.ts'
import { invalid, Refusal } from '../../rules/errors.ts'
import type { SessionPrincipal } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import { passkeyRequest } from './passkey-request.ts'
import { descriptorsOf } from './passkey-row.ts'
import { CopiedPasskey, noteUse, readShown, tellOfCopy } from './present-passkey.ts'

/** Not a 401: the session is valid, and clients discard their session on a 401. */
const notAccepted = (message = 'The service could not verify this passkey. Please try again.') =>
  invalid({ field: 'credential', message })

/** The options for the browser. @throws Refusal `conflict` for an account without passkeys */
export async function startConfirmation(
  services: Services,
  { account, sessionId }: SessionPrincipal,
): Promise<PasskeyRequest> {
  const allowCredentials = await descriptorsOf(services.knex, account.id)
  // An empty list would allow any passkey.
  if (allowCredentials.length === 0) {
    throw new Refusal(
      'conflict',
      'Your account has no passkey. Please confirm your identity in another way.',
    )
  }
  const use = { purpose: 'confirm', sessionId } as const
  return passkeyRequest(services, { use, allowCredentials, userVerification: 'preferred' })
}

/**
 * Records that the user of a session proved their identity. User presence is sufficient, because there is
 * a session already.
 *
 * @returns the session's new token
 * @throws Refusal `validation-failed`, `conflict`
 */
export async function confirmByPasskey(
  services: Services,
  principal: SessionPrincipal,
  credential: PasskeyAssertion,
): Promise<string> {
  const { account, sessionId } = principal
  const use = { purpose: 'confirm', sessionId } as const
  const shown = await readShown(services, credential, { use, userId: account.id })
  if (shown === undefined) throw notAccepted()
  try {
    return await services.knex.transaction(async (trx) => {
      if (!(await noteUse(trx, shown, services.now()))) throw notAccepted()
      return renewSession(services, trx, principal)
    })
  } catch (error) {
    if (!(error instanceof CopiedPasskey)) throw error
    await tellOfCopy(services, shown)
    throw notAccepted(error.message)
  }
}
