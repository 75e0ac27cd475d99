import { describe, expect, test } from 'vitest'
import { firstWay, otherCodes, type Way } from './second-factor-ways.ts'

describe('firstWay', () => {
  test.each<[Way[], boolean, Way]>([
    [['totp', 'passkey', 'recovery_code'], true, 'totp'],
    [['passkey', 'recovery_code'], true, 'passkey'],
    [['passkey', 'recovery_code'], false, 'recovery_code'],
    [['passkey'], false, 'passkey'],
  ])('of %j, with passkeys %j: %s', (methods, takesPasskeys, way) => {
    expect(firstWay(methods, takesPasskeys)).toBe(way)
  })
})

describe('otherCodes', () => {
  test.each<[Way[], Way, Way[]]>([
    [['totp', 'passkey', 'recovery_code'], 'totp', ['recovery_code']],
    [['totp', 'passkey', 'recovery_code'], 'recovery_code', ['totp']],
    [['passkey', 'recovery_code'], 'passkey', ['recovery_code']],
    [['passkey'], 'passkey', []],
  ])('of %j, beside %s: %j', (methods, asked, codes) => {
    expect(otherCodes(methods, asked)).toEqual(codes)
  })
})
