import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { seal, unseal } from './sealed.ts'

const KEY = Buffer.from('k'.repeat(32))
const PLACE = { purpose: 'totp', row: '7' } as const
const SECRET = Buffer.from('an authenticator’s secret')

const sealed = () => seal(KEY, PLACE, SECRET, randomBytes)

describe('a sealed secret', () => {
  test('opens at its place', () => {
    expect(unseal(KEY, PLACE, sealed())).toEqual(SECRET)
    expect(unseal(KEY, PLACE, seal(KEY, PLACE, Buffer.alloc(0), randomBytes))).toHaveLength(0)
  })

  test('says its version, and nothing of the secret', () => {
    expect(sealed()).toMatch(/^v1\.[\w-]+$/)
    expect(Buffer.from(sealed().slice(3), 'base64url').includes(SECRET)).toBe(false)
  })

  test('never reads the same twice', () => {
    expect(sealed()).not.toBe(sealed())
  })

  test('opens in no other row, and under no other key', () => {
    const text = sealed()
    expect(() => unseal(KEY, { ...PLACE, row: '8' }, text)).toThrow('does not open')
    expect(() => unseal(Buffer.from('l'.repeat(32)), PLACE, text)).toThrow('does not open')
  })

  test('does not open when one octet is another', () => {
    const octets = Buffer.from(sealed().slice(3), 'base64url')
    for (let n = 0; n < octets.length; n += 1) {
      const changed = Buffer.from(octets)
      changed.writeUInt8(changed.readUInt8(n) ^ 1, n)
      expect(() => unseal(KEY, PLACE, `v1.${changed.toString('base64url')}`)).toThrow(
        'does not open',
      )
    }
  })

  test.each(['', 'v1', 'v1.', 'v1.AAAA', 'v2.AAAA', 'plain text'])('%j is none', (text) => {
    expect(() => unseal(KEY, PLACE, text)).toThrow('not of the form v1')
  })
})
