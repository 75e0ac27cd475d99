/**
 * A software authenticator and the browser in front of it: what `navigator.credentials` returns, as JSON (WebAuthn
 * Level 3 §5.1). A test can make one part of a response invalid.
 */
import type { PasskeyAssertion, PasskeyAttestation } from '@homing/openapi'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** Flags of authenticator data (WebAuthn §6.1). */
const PRESENT = 0x01
const VERIFIED = 0x04
const SYNCED = 0x08
const BACKED_UP = 0x10
const HAS_CREDENTIAL = 0x40

/** The invalid parts of a response. */
export interface Oddity {
  /** The page that the browser shows. */
  readonly origin?: string
  /** The name that the authenticator signs for. */
  readonly rpId?: string
  readonly challenge?: string
  /** The kind of ceremony that the browser reports. */
  readonly type?: string
  readonly crossOrigin?: boolean
  /** false: the user was not verified by a PIN or finger. */
  readonly isVerified?: boolean
  /** false: the user did not touch it. */
  readonly isPresent?: boolean
  /** The signature counter, instead of the next value. */
  readonly signCount?: number
  readonly userHandle?: string | null
  /** The attestation as CBOR: its format and statement. */
  readonly attestation?: readonly [format: string, statement: Map<string, unknown>]
}

const sha256 = (octets: string | Uint8Array) => createHash('sha256').update(octets).digest()
const text = (octets: Uint8Array) => Buffer.from(octets).toString('base64url')

function uint(octets: 2 | 4, value: number): Buffer {
  const written = Buffer.alloc(octets)
  written.writeUIntBE(value, 0, octets)
  return written
}

/** A P-256 key as COSE_Key (RFC 9053 §7.1.1). */
function coseKey(publicKey: KeyObject): Uint8Array {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const octets = (coordinate: string) => Uint8Array.from(Buffer.from(coordinate, 'base64url'))
  return isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, octets(x)],
      [-3, octets(y)],
    ]),
  )
}

export interface AuthenticatorKind {
  /** A password manager, whose passkeys are on several devices and have no counter. */
  readonly isSynced?: boolean
  readonly aaguid?: string
}

/** One passkey and its authenticator. */
export class Authenticator {
  readonly id = randomBytes(16).toString('base64url')
  readonly #kind: AuthenticatorKind
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  #origin: string
  #rpId = ''
  #userHandle = ''
  signCount = 0

  /** @param origin of the pages that use it */
  constructor(origin: string, kind: AuthenticatorKind = {}) {
    this.#origin = origin
    this.#kind = kind
  }

  /** As `navigator.credentials.create()`. */
  create(
    options: { challenge: string; rp: { id: string }; user: { id: string } },
    odd: Oddity = {},
  ): PasskeyAttestation {
    this.#rpId = options.rp.id
    this.#userHandle = options.user.id
    const aaguid = Buffer.from((this.#kind.aaguid ?? '').replaceAll('-', '').padEnd(32, '0'), 'hex')
    const id = Buffer.from(this.id, 'base64url')
    const key = coseKey(this.#keys.publicKey)
    const attested = Buffer.concat([aaguid, uint(2, id.length), id, key])
    const authData = Buffer.concat([this.#authData(HAS_CREDENTIAL, odd), attested])
    const [format, statement] = odd.attestation ?? ['none', new Map()]
    const attestation = new Map<string, never>([
      ['fmt', format as never],
      ['attStmt', statement as never],
      ['authData', Uint8Array.from(authData) as never],
    ])
    const clientData = this.#clientData('webauthn.create', options.challenge, odd)
    return {
      ...this.#common(),
      response: {
        clientDataJSON: text(clientData),
        attestationObject: text(isoCBOR.encode(attestation)),
        transports: this.#kind.isSynced ? ['internal', 'hybrid'] : ['usb'],
      },
    }
  }

  /** As `navigator.credentials.get()`. */
  get(options: { challenge: string; rpId: string }, odd: Oddity = {}): PasskeyAssertion {
    this.#rpId = options.rpId
    const authData = this.#authData(0, odd)
    const clientData = this.#clientData('webauthn.get', options.challenge, odd)
    const signature = sign(
      'sha256',
      Buffer.concat([authData, sha256(clientData)]),
      this.#keys.privateKey,
    )
    return {
      ...this.#common(),
      response: {
        clientDataJSON: text(clientData),
        authenticatorData: text(authData),
        signature: text(signature),
        userHandle: odd.userHandle === undefined ? this.#userHandle : odd.userHandle,
      },
    }
  }

  #common() {
    // Browsers send additional fields, and newer ones send more.
    const besides = { clientExtensionResults: {}, authenticatorAttachment: 'cross-platform' }
    return { id: this.id, rawId: this.id, type: 'public-key' as const, ...besides }
  }

  #clientData(type: string, challenge: string, odd: Oddity): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: odd.type ?? type,
        challenge: odd.challenge ?? challenge,
        origin: odd.origin ?? this.#origin,
        crossOrigin: odd.crossOrigin ?? false,
      }),
    )
  }

  #authData(flags: number, odd: Oddity): Buffer {
    if (this.#kind.isSynced !== true) this.signCount += 1
    const all =
      flags |
      (odd.isPresent === false ? 0 : PRESENT) |
      (odd.isVerified === false ? 0 : VERIFIED) |
      (this.#kind.isSynced === true ? SYNCED | BACKED_UP : 0)
    const signCount = odd.signCount ?? this.signCount
    return Buffer.concat([sha256(odd.rpId ?? this.#rpId), Buffer.from([all]), uint(4, signCount)])
  }
}
