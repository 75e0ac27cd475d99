import { hkdfSync } from 'node:crypto'

const KEY_OCTETS = 32

/**
 * A key of its own for one use, derived from the service's (HKDF, RFC 5869): what is signed or sealed with it is good
 * for nothing else.
 *
 * @param use names it for good: another name is another key
 */
export function derivedKey(secretKey: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', `homing ${use}`, KEY_OCTETS))
}
