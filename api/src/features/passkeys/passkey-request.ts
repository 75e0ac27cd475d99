import type { PasskeyRequest } from '@homing/openapi'
import type { Services } from '../../compose.ts'
import { CHALLENGE_LIFETIME_MS, type ChallengeUse, makeChallenge } from './challenges.ts'
import type { CredentialDescriptor } from './passkey-row.ts'
import { relyingParty } from './relying-party.ts'

interface Question {
  readonly use: ChallengeUse
  /** Empty: any passkey of this service. */
  readonly allowCredentials: CredentialDescriptor[]
  readonly userVerification: 'required' | 'preferred'
}

/** The options with which a browser asks an authenticator for a signature. */
export async function passkeyRequest(
  services: Services,
  { use, allowCredentials, userVerification }: Question,
): Promise<PasskeyRequest> {
  const challenge = await makeChallenge(services, use)
  return {
    challenge,
    rpId: relyingParty(services.config).id,
    timeout: CHALLENGE_LIFETIME_MS,
    userVerification,
    allowCredentials,
  }
}
