import { hkdfSync } from 'node:crypto'

const KEY_OCTETS = 32

/** The service's key, and the one that it replaces. */
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
 * A key for one use, derived from the service's (HKDF, RFC 5869): what is signed or sealed with it is good
 * for nothing else.
 *
 * @param use names it for good: another name is another key
 */
export function derivedKey(secretKey: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', `homing ${use}`, KEY_OCTETS))
}
