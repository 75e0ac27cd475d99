/**
 * What a browser gave, checked: an attestation, which brings a new key, or an assertion, which is signed with
 * one that is known. The steps are those of WebAuthn §7.1 and §7.2; a library goes them, but for the counter,
 * which is compared where it is written.
 *
 * The library is loaded when somebody needs it: it takes as long as all the rest of the api. Its reader of
 * CBOR takes octets for the beginning of their memory, so it is only given copies.
 */
import type { PasskeyAssertion, PasskeyAttestation } from '@homing/openapi'
import type { Services } from '../../compose.ts'
import { ALGORITHMS, relyingParty } from './relying-party.ts'

type CeremonyServices = Pick<Services, 'config' | 'log'>

/** A new key, and what is known of what holds it. Octets are in hexadecimal. */
export interface NewCredential {
  readonly id: string
  readonly publicKey: string
  readonly signCount: number
  readonly aaguid: string
  readonly isSynced: boolean
  readonly isBackedUp: boolean
}

/** A key that is known. */
export interface KnownCredential {
  readonly credential_id: Buffer
  readonly public_key: Buffer
  readonly is_synced: boolean
}

/** What an authenticator signed of itself. */
export interface Assertion {
  readonly signCount: number
  readonly isBackedUp: boolean
}

/**
 * The challenge that a browser says it has answered; undefined for what is no such answer.
 *
 * It is read before all else, since it has to be used up first; that it was signed is found out afterwards.
 */
export function challengeOf(clientDataJSON: string): string | undefined {
  try {
    const said: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    const { challenge, crossOrigin } = said as { challenge?: unknown; crossOrigin?: unknown }
    // No page of ours is in somebody else's frame.
    if (crossOrigin === true) return undefined
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

const hexOf = (octets: Uint8Array) => Buffer.from(octets).toString('hex')

/** Runs a check. What a stranger wrote makes it fail in many ways, which all mean no. */
async function unless<T>(
  { log }: CeremonyServices,
  check: () => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    return await check()
  } catch (error) {
    log.debug({ err: error }, 'a passkey was refused')
    return undefined
  }
}

/**
 * Whether nobody vouches for a key but itself. Nothing else was asked for, and browsers leave nothing else
 * (WebAuthn §5.1.3): certificates are not looked into, since they name places that we would fetch from.
 */
async function isUnvouched(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const octets = Uint8Array.from(Buffer.from(attestationObject, 'base64url'))
  const decoded = decodeAttestationObject(octets)
  const format = decoded.get('fmt')
  return (
    format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
  )
}

/** Right in form for each of our algorithms, and of nothing: r = s = 1 (X.690). */
const NO_SIGNATURE = Uint8Array.from([0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01])

/**
 * Makes sure that a key can be read. Nobody has signed with it yet, so one that is broken would be found out
 * when its owner needs it.
 *
 * @throws Error when it cannot
 */
async function requireReadable(credentialPublicKey: Uint8Array<ArrayBuffer>): Promise<void> {
  const { verifySignature } = await import('@simplewebauthn/server/helpers')
  const data = new Uint8Array()
  await verifySignature({ signature: NO_SIGNATURE, data, credentialPublicKey })
}

/**
 * Checks what `navigator.credentials.create()` gave.
 *
 * @param challenge which was made for it, and is used up
 * @returns undefined when it is not right in any way
 */
export async function checkAttestation(
  services: CeremonyServices,
  challenge: string,
  { id, rawId, type, response }: PasskeyAttestation,
): Promise<NewCredential | undefined> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { id: rpId, origin } = relyingParty(services.config)
  return unless(services, async () => {
    const { clientDataJSON, attestationObject } = response
    if (!(await isUnvouched(attestationObject))) return undefined
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type,
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      // One that asks for no PIN is good enough beside a password.
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (registrationInfo === undefined) return undefined
    const { credential, aaguid, credentialDeviceType, credentialBackedUp } = registrationInfo
    await requireReadable(credential.publicKey)
    return {
      id: hexOf(Buffer.from(credential.id, 'base64url')),
      publicKey: hexOf(credential.publicKey),
      signCount: credential.counter,
      aaguid,
      isSynced: credentialDeviceType === 'multiDevice',
      isBackedUp: credentialBackedUp,
    }
  })
}

/**
 * Checks what `navigator.credentials.get()` gave, but for the counter.
 *
 * @param challenge which was made for it, and is used up
 * @param isVerified whether the authenticator has to have made sure who uses it
 * @returns undefined when it is not right in any way
 */
export async function checkAssertion(
  services: CeremonyServices,
  challenge: string,
  { id, rawId, type, response }: PasskeyAssertion,
  known: KnownCredential,
  isVerified: boolean,
): Promise<Assertion | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { id: rpId, origin } = relyingParty(services.config)
  return unless(services, async () => {
    const { clientDataJSON, authenticatorData, signature } = response
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: {
        id: known.credential_id.toString('base64url'),
        publicKey: Uint8Array.from(known.public_key),
        counter: 0,
      },
      requireUserVerification: isVerified,
    })
    if (!verified) return undefined
    const { newCounter, credentialDeviceType, credentialBackedUp } = authenticationInfo
    // Whether it can be on several devices never changes (WebAuthn §6.1.3).
    if ((credentialDeviceType === 'multiDevice') !== known.is_synced) return undefined
    return { signCount: newCounter, isBackedUp: credentialBackedUp }
  })
}
