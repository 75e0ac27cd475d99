import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextSerial, serialGreater, soaSerial } from './index.ts'

const TOP = 0xffff_ffff

describe('RFC 1982 §3.2: comparing serials', () => {
  test.each([
    [1, 0, true],
    [0, 1, false],
    [7, 7, false],
    [0, TOP, true],
    [TOP, 0, false],
    [44, 0, true],
    [100, TOP - 100, true],
    [0x7fff_ffff, 0, true],
    [0x8000_0001, 0, false],
    [1, 0x8000_0002, true],
  ])('%i > %i is %s', (a, b, expected) => {
    expect(serialGreater(a, b)).toBe(expected)
  })

  test('serials 2³¹ apart are undefined: neither is greater', () => {
    expect(serialGreater(0x8000_0000, 0)).toBe(false)
    expect(serialGreater(0, 0x8000_0000)).toBe(false)
  })

  test('§3.1: a serial is less than itself plus 1 to 2³¹ - 1', () => {
    fc.assert(
      fc.property(fc.nat(TOP), fc.integer({ min: 1, max: 2 ** 31 - 1 }), (serial, added) => {
        const sum = (serial + added) % 2 ** 32
        expect(serialGreater(sum, serial)).toBe(true)
        expect(serialGreater(serial, sum)).toBe(false)
      }),
    )
  })
})

describe('feed serials', () => {
  test.each([
    [1n, 1],
    [BigInt(TOP), TOP],
    [2n ** 32n + 5n, 5],
    [2n ** 63n - 1n, TOP],
  ])('%i has the SOA serial %i', (serial, expected) => {
    expect(soaSerial(serial)).toBe(expected)
  })

  test.each([
    [0n, 1n],
    [41n, 42n],
    [2n ** 32n - 2n, 2n ** 32n - 1n],
    [2n ** 32n - 1n, 2n ** 32n + 1n],
    [2n ** 33n - 1n, 2n ** 33n + 1n],
  ])('after %i comes %i', (serial, expected) => {
    expect(nextSerial(serial)).toBe(expected)
  })

  test('the next serial is newer for a secondary, and its SOA serial is never 0', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 62n }), (serial) => {
        const next = nextSerial(serial)
        expect(next).toBeGreaterThan(serial)
        expect(soaSerial(next)).not.toBe(0)
        expect(serialGreater(soaSerial(next), soaSerial(serial))).toBe(true)
      }),
    )
  })
})
