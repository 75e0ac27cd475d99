import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { decryptSecret, encryptSecret, reencryptSecret } from './encrypted-secret.ts'

const KEY = Buffer.from('k'.repeat(32))
const KEYS = { secretKey: KEY, previousSecretKey: undefined }
const NEW_KEY = Buffer.from('l'.repeat(32))
const PLACE = { purpose: 'totp', row: '7' } as const
const SECRET = Buffer.from('an authenticator’s secret')

const encrypted = () => encryptSecret(KEY, PLACE, SECRET, randomBytes)

describe('a sealed secret', () => {
  test('is decrypted in its own row', () => {
    expect(decryptSecret(KEYS, PLACE, encrypted())).toEqual(SECRET)
    expect(
      decryptSecret(KEYS, PLACE, encryptSecret(KEY, PLACE, Buffer.alloc(0), randomBytes)),
    ).toHaveLength(0)
  })

  test('contains its version, and nothing of the secret', () => {
    expect(encrypted()).toMatch(/^v1\.[\w-]+$/)
    expect(Buffer.from(encrypted().slice(3), 'base64url').includes(SECRET)).toBe(false)
  })

  test('differs each time', () => {
    expect(encrypted()).not.toBe(encrypted())
  })

  test('is not decrypted in another row or with another key', () => {
    const text = encrypted()
    expect(() => decryptSecret(KEYS, { ...PLACE, row: '8' }, text)).toThrow('cannot be decrypted')
    expect(() => decryptSecret({ ...KEYS, secretKey: NEW_KEY }, PLACE, text)).toThrow(
      'cannot be decrypted',
    )
  })

  test('is not decrypted when one octet is changed', () => {
    const octets = Buffer.from(encrypted().slice(3), 'base64url')
    for (let n = 0; n < octets.length; n += 1) {
      const changed = Buffer.from(octets)
      changed.writeUInt8(changed.readUInt8(n) ^ 1, n)
      expect(() => decryptSecret(KEYS, PLACE, `v1.${changed.toString('base64url')}`)).toThrow(
        'cannot be decrypted',
      )
    }
  })

  test('is decrypted with the previous key, and encrypted again with the current one', () => {
    const [old, both] = [encrypted(), { secretKey: NEW_KEY, previousSecretKey: KEY }]
    expect(decryptSecret(both, PLACE, old)).toEqual(SECRET)
    const anew = reencryptSecret(both, PLACE, old, randomBytes) ?? ''
    expect(
      decryptSecret({ secretKey: NEW_KEY, previousSecretKey: undefined }, PLACE, anew),
    ).toEqual(SECRET)
    expect(reencryptSecret(both, PLACE, anew, randomBytes)).toBeUndefined()
    expect(() => reencryptSecret(both, { ...PLACE, row: '8' }, old, randomBytes)).toThrow(
      'cannot be decrypted',
    )
  })

  test.each(['', 'v1', 'v1.', 'v1.AAAA', 'v2.AAAA', 'plain text'])(
    '%j is not an encrypted secret',
    (text) => {
      expect(() => decryptSecret(KEYS, PLACE, text)).toThrow('does not have the format v1')
    },
  )
})
