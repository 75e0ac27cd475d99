/**
 * Secrets that the service must read again, and so cannot store as digests. They are encrypted with
 * AES-256-GCM (NIST SP 800-38D) under keys that HKDF (RFC 5869) derives from `SECRET_KEY`, one per
 * purpose.
 *
 * The form is `v1.` and base64url of a 12-octet nonce, a 16-octet tag and the ciphertext. Purpose and
 * row are authenticated, so a secret that is copied to another row or column cannot be decrypted there.
 * Nonces are random; that is safe for fewer than 2^32 secrets per purpose, and there are far fewer
 * accounts.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { derivedKey, readingKeys, type SecretKeys } from '../rules/derived-key.ts'

const VERSION = 'v1'
const CIPHER = 'aes-256-gcm'
const NONCE_OCTETS = 12
const TAG_OCTETS = 16

/** Where an encrypted secret is stored. */
export interface SecretPlace {
  /** A secret of one purpose cannot be decrypted for another. */
  readonly purpose: 'totp'
  /** The id of its row. */
  readonly row: string
}

const keyOf = (secretKey: Buffer, { purpose }: SecretPlace) =>
  derivedKey(secretKey, `sealed ${VERSION} ${purpose}`)

const boundTo = ({ purpose, row }: SecretPlace) => Buffer.from(`${VERSION} ${purpose} ${row}`)

/** Encrypts a secret for its place. @param randomBytes gives unpredictable octets */
export function encryptSecret(
  secretKey: Buffer,
  place: SecretPlace,
  secret: Uint8Array,
  randomBytes: (count: number) => Buffer,
): string {
  const nonce = randomBytes(NONCE_OCTETS)
  const cipher = createCipheriv(CIPHER, keyOf(secretKey, place), nonce, {
    authTagLength: TAG_OCTETS,
  })
  cipher.setAAD(boundTo(place))
  const ciphertext = Buffer.concat([cipher.update(secret), cipher.final()])
  const octets = Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
  return `${VERSION}.${octets.toString('base64url')}`
}

/** Decrypts a secret; undefined when it was encrypted with another key or for another place, or was changed. */
function openWith(secretKey: Buffer, place: SecretPlace, octets: Buffer): Buffer | undefined {
  const nonce = octets.subarray(0, NONCE_OCTETS)
  const decipher = createDecipheriv(CIPHER, keyOf(secretKey, place), nonce, {
    authTagLength: TAG_OCTETS,
  })
  decipher.setAAD(boundTo(place))
  decipher.setAuthTag(octets.subarray(NONCE_OCTETS, NONCE_OCTETS + TAG_OCTETS))
  const ciphertext = octets.subarray(NONCE_OCTETS + TAG_OCTETS)
  try {
    return Buffer.concat([decipher.update(ciphertext), decipher.final()])
  } catch {
    return undefined
  }
}

/**
 * Decrypts the secret of a place.
 *
 * @returns the secret, and whether `SECRET_KEY_PREVIOUS` decrypted it
 * @throws Error when no key decrypts it: it was encrypted with another key or for another place, or was
 * changed
 */
function open(
  keys: SecretKeys,
  place: SecretPlace,
  text: string,
): { readonly secret: Buffer; readonly isPrevious: boolean } {
  const [version, encoded = ''] = text.split('.', 2)
  const octets = Buffer.from(encoded, 'base64url')
  if (version !== VERSION || octets.length < NONCE_OCTETS + TAG_OCTETS) {
    throw new Error(`the encrypted ${place.purpose} does not have the format ${VERSION}`)
  }
  for (const key of readingKeys(keys)) {
    const secret = openWith(key, place, octets)
    if (secret !== undefined) return { secret, isPrevious: key !== keys.secretKey }
  }
  const why = 'it was encrypted with another SECRET_KEY, or the row was changed'
  throw new Error(`the encrypted ${place.purpose} cannot be decrypted: ${why}`)
}

/** Decrypts the secret of a place. @throws Error as `open` */
export function decryptSecret(keys: SecretKeys, place: SecretPlace, text: string): Buffer {
  return open(keys, place, text).secret
}

/**
 * The same secret, encrypted with `SECRET_KEY`; undefined when it already is.
 *
 * @param randomBytes gives unpredictable octets
 * @throws Error when no key decrypts it
 */
export function reencryptSecret(
  keys: SecretKeys,
  place: SecretPlace,
  text: string,
  randomBytes: (count: number) => Buffer,
): string | undefined {
  const { secret, isPrevious } = open(keys, place, text)
  return isPrevious ? encryptSecret(keys.secretKey, place, secret, randomBytes) : undefined
}
