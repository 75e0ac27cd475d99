/**
 * Verifies what a browser sent: an attestation, which contains a new key, or an assertion, which a known key
 * signed. A library takes the steps of WebAuthn §7.1 and §7.2, except for the counter, which is compared when
 * it is written.
 *
 * The library is loaded on first use, because loading it takes as long as all the rest of the api. Its CBOR
 * decoder ignores the offset of an octet array in its buffer, so it is only given copies.
 */
import type { PasskeyAssertion, PasskeyAttestation } from '@homing/openapi'
import type { Services } from '../../compose.ts'
import { ALGORITHMS, relyingParty } from './relying-party.ts'

type CeremonyServices = Pick<Services, 'config' | 'log'>

/** A new key, and what is known about its authenticator. Octets are in hexadecimal. */
export interface NewCredential {
  readonly id: string
  readonly publicKey: string
  readonly signCount: number
  readonly aaguid: string
  readonly isSynced: boolean
  readonly isBackedUp: boolean
}

/** A stored key. */
export interface KnownCredential {
  readonly credential_id: Buffer
  readonly public_key: Buffer
  readonly is_synced: boolean
}

/** The signed data of an authenticator. */
export interface Assertion {
  readonly signCount: number
  readonly isBackedUp: boolean
}

/**
 * The challenge in the browser's response; undefined for an invalid response.
 *
 * It is read first, because the challenge must be used up before anything else; the signature over it is
 * verified later.
 */
export function challengeOf(clientDataJSON: string): string | undefined {
  try {
    const said: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    const { challenge, crossOrigin } = said as { challenge?: unknown; crossOrigin?: unknown }
    // Our pages are never framed by another site.
    if (crossOrigin === true) return undefined
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

const hexOf = (octets: Uint8Array) => Buffer.from(octets).toString('hex')

/** Runs a check. Untrusted input can make it fail in many ways, which all mean that the input is invalid. */
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
 * Whether an attestation contains no certificate. The service requests no attestation, and browsers then
 * send none (WebAuthn §5.1.3). Certificates are not verified, because they name URLs that the verification
 * would fetch.
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

/** A signature of valid form for each of our algorithms that matches no data: r = s = 1 (X.690). */
const NO_SIGNATURE = Uint8Array.from([0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01])

/**
 * Requires that a public key can be parsed. Nothing was signed with it yet, so a broken key would only be
 * noticed when its owner needs it.
 *
 * @throws Error when it cannot be parsed
 */
async function requireReadable(credentialPublicKey: Uint8Array<ArrayBuffer>): Promise<void> {
  const { verifySignature } = await import('@simplewebauthn/server/helpers')
  const data = new Uint8Array()
  await verifySignature({ signature: NO_SIGNATURE, data, credentialPublicKey })
}

/**
 * Verifies the result of `navigator.credentials.create()`.
 *
 * @param challenge the challenge of this ceremony, already used up
 * @returns undefined when anything is invalid
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
      // A passkey that asks for no PIN is sufficient beside a password.
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
 * Verifies the result of `navigator.credentials.get()`, except for the counter.
 *
 * @param challenge the challenge of this ceremony, already used up
 * @param isVerified whether the authenticator must have verified the user
 * @returns undefined when anything is invalid
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
    // Whether a passkey can be on several devices never changes (WebAuthn §6.1.3).
    if ((credentialDeviceType === 'multiDevice') !== known.is_synced) return undefined
    return { signCount: newCounter, isBackedUp: credentialBackedUp }
  })
}
