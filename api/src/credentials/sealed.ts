/**
 * Secrets that the service itself has to read again, and so cannot keep as digests: AES-256-GCM
 * (NIST SP 800-38D) under a key that HKDF (RFC 5869) derives from `SECRET_KEY`, one for each purpose.
 *
 * The form is `v1.` and base64url of 12 octets of nonce, 16 of tag and the sealed text. Purpose and row
 * are authenticated with it: what is copied to another row or column opens nowhere else. Nonces are
 * random; 2^32 secrets of one purpose would be too many for that, and accounts are fewer.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { derivedKey } from '../domain/derived-key.ts'

const VERSION = 'v1'
const CIPHER = 'aes-256-gcm'
const NONCE_OCTETS = 12
const TAG_OCTETS = 16

/** Where a sealed secret is kept. */
export interface SealedPlace {
  /** What it is for: a secret of one purpose is of no use for another. */
  readonly purpose: 'totp'
  /** The id of its row. */
  readonly row: string
}

const keyOf = (secretKey: Buffer, { purpose }: SealedPlace) =>
  derivedKey(secretKey, `sealed ${VERSION} ${purpose}`)

const boundTo = ({ purpose, row }: SealedPlace) => Buffer.from(`${VERSION} ${purpose} ${row}`)

/** Seals a secret for its place. @param randomBytes gives unpredictable octets */
export function seal(
  secretKey: Buffer,
  place: SealedPlace,
  secret: Uint8Array,
  randomBytes: (count: number) => Buffer,
): string {
  const nonce = randomBytes(NONCE_OCTETS)
  const cipher = createCipheriv(CIPHER, keyOf(secretKey, place), nonce, {
    authTagLength: TAG_OCTETS,
  })
  cipher.setAAD(boundTo(place))
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()])
  const octets = Buffer.concat([nonce, cipher.getAuthTag(), sealed])
  return `${VERSION}.${octets.toString('base64url')}`
}

/**
 * The secret of a place.
 *
 * @throws Error when it was sealed for another place or under another `SECRET_KEY`, or was changed
 */
export function unseal(secretKey: Buffer, place: SealedPlace, text: string): Buffer {
  const [version, encoded = ''] = text.split('.', 2)
  const octets = Buffer.from(encoded, 'base64url')
  if (version !== VERSION || octets.length < NONCE_OCTETS + TAG_OCTETS) {
    throw new Error(`a sealed ${place.purpose} is not of the form ${VERSION}`)
  }
  const decipher = createDecipheriv(
    CIPHER,
    keyOf(secretKey, place),
    octets.subarray(0, NONCE_OCTETS),
    { authTagLength: TAG_OCTETS },
  )
  decipher.setAAD(boundTo(place))
  decipher.setAuthTag(octets.subarray(NONCE_OCTETS, NONCE_OCTETS + TAG_OCTETS))
  try {
    return Buffer.concat([
      decipher.update(octets.subarray(NONCE_OCTETS + TAG_OCTETS)),
      decipher.final(),
    ])
  } catch (cause) {
    const why = 'SECRET_KEY was changed, or the row was'
    throw new Error(`a sealed ${place.purpose} does not open: ${why}`, { cause })
  }
}
