import { hkdfSync } from 'node:crypto'

const KEY_OCTETS = 32

/** The service's key, and the previous key that it replaces. */
export interface SecretKeys {
  /** Signs and encrypts new values. */
  readonly secretKey: Buffer
  /** Reads older values only; undefined when no key is being replaced. */
  readonly previousSecretKey: Buffer | undefined
}

/** The keys to try on a stored or received value, the likeliest first. */
export function readingKeys({ secretKey, previousSecretKey }: SecretKeys): Buffer[] {
  return previousSecretKey === undefined ? [secretKey] : [secretKey, previousSecretKey]
}

/**
 * Derives a key for one use from the service's key (HKDF, RFC 5869). Values that it signs or seals are
 * valid for that use only.
 *
 * @param use name of the use. Do not change it: another name gives another key
 */
export function derivedKey(secretKey: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', `homing ${use}`, KEY_OCTETS))
}
