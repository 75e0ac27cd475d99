import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  canonicalName,
  compareNames,
  isSubdomain,
  isWildcard,
  NameError,
  nameFromText,
  nameKey,
  nameLengthAt,
  nameToText,
  ROOT_NAME,
} from './index.ts'
import { allowing, codeOf, wireName } from './test-support.ts'

const name = (text: string): Buffer => nameFromText(text, ROOT_NAME)

describe('RFC 1035 §3.1: names in wire form', () => {
  test('nameLengthAt measures a name anywhere in a buffer', () => {
    expect(nameLengthAt(Buffer.from('\x03www\0rest', 'latin1'))).toBe(5)
    expect(nameLengthAt(Buffer.from('xx\x01a\0', 'latin1'), 2)).toBe(3)
  })

  test.each([
    ['nothing at all', Buffer.alloc(0), 'malformed-wire'],
    ['no root', Buffer.from('\x03www', 'latin1'), 'malformed-wire'],
    ['a label past the end', Buffer.from('\x09www\0', 'latin1'), 'malformed-wire'],
    ['a compression pointer', Buffer.from([0xc0, 0x0c]), 'malformed-wire'],
    [
      'a label of 64 octets',
      Buffer.concat([Buffer.from([64]), Buffer.alloc(65)]),
      'malformed-wire',
    ],
    [
      '256 octets',
      Buffer.concat([Buffer.alloc(255, '\x04abcd', 'latin1'), Buffer.from([0])]),
      'name-too-long',
    ],
  ])('nameLengthAt refuses %s', (_, wire, code) => {
    expect(codeOf(() => nameLengthAt(wire))).toBe(code)
    expect(codeOf(() => nameToText(wire))).toBe(code)
  })

  test('nameLengthAt takes 255 octets, the limit', () => {
    const longest = Buffer.concat([
      Buffer.alloc(254, '\x7fb', 'latin1').fill('\x01a', 'latin1'),
      Buffer.from([0]),
    ])
    expect(nameLengthAt(longest)).toBe(255)
  })

  test('nameLengthAt throws NameError or nothing on any octets', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(310), (octets, offset) => {
        const length = allowing([NameError], () => nameLengthAt(octets, offset))
        expect(length ?? 0).toBeLessThanOrEqual(255)
      }),
    )
  })
})

describe('RFC 4343 §3: only A to Z fold', () => {
  const everyOctet = Buffer.concat([
    ...Array.from({ length: 8 }, (_, row) =>
      Buffer.from([32, ...Array.from({ length: 32 }, (__, column) => row * 32 + column)]),
    ).slice(0, 7),
    Buffer.from([0]),
  ])

  test('canonicalName leaves every other octet as it is', () => {
    const expected = Buffer.from(everyOctet)
    for (const [at, octet] of everyOctet.entries()) {
      if (octet >= 65 && octet <= 90) expected[at] = octet + 32
    }
    expect(canonicalName(everyOctet)).toEqual(expected)
  })

  test.each([
    ['WWW.Example', 'www.eXAMPLE', true],
    [String.raw`a\095b`, String.raw`a\127b`, false],
    ['[', '{', false],
    [String.raw`\192`, String.raw`\224`, false],
    [String.raw`a\.b`, 'a.b', false],
  ])('%s and %s: one key is %s', (a, b, same) => {
    expect(nameKey(name(a)) === nameKey(name(b))).toBe(same)
  })

  test('nameKey does not depend on the kind of array nor on what lies around it', () => {
    const around = Buffer.from('junk\x01A\0junk', 'latin1')
    expect(nameKey(around.subarray(4, 7))).toBe('\x01a\0')
    expect(nameKey(new Uint8Array(around).subarray(4, 7))).toBe('\x01a\0')
    expect(nameKey(new Uint8Array([1, 97, 0]))).toBe('\x01a\0')
  })

  test('canonicalName leaves its argument alone', () => {
    const given = name('ABC')
    canonicalName(given)
    expect(given).toEqual(name('ABC'))
  })

  test('keys are equal exactly when canonical names are', () => {
    fc.assert(
      fc.property(wireName(), wireName(), (a, b) => {
        expect(nameKey(a) === nameKey(b)).toBe(canonicalName(a).equals(canonicalName(b)))
        expect(nameKey(a)).toBe(nameKey(canonicalName(a)))
      }),
    )
  })
})

describe('RFC 9499 §7: subdomain', () => {
  test.each([
    ['example', 'example', true],
    ['a.example', 'example', true],
    ['a.b.EXAMPLE', 'b.example', true],
    ['aexample', 'example', false],
    ['example', 'a.example', false],
    ['b.example', 'a.example', false],
    [String.raw`a\.example`, 'example', false],
    ['anything', '.', true],
    ['.', '.', true],
    ['.', 'example', false],
  ])('%s below %s: %s', (below, ancestor, expected) => {
    expect(isSubdomain(name(below), name(ancestor))).toBe(expected)
  })

  test('a label that holds the octets of the ancestor is not below it', () => {
    // One label of 9 octets: 'x', then the octets of "7example" without the root.
    const trick = Buffer.from('\x09x\x07example\0', 'latin1')
    expect(isSubdomain(trick, name('example'))).toBe(false)
  })

  test('a name is below what is left of it without its first labels, and that is not below it', () => {
    fc.assert(
      fc.property(wireName(), (given) => {
        for (let at = 0; at < given.length - 1;) {
          at += 1 + (given[at] ?? 0)
          const ancestor = given.subarray(at)
          expect(isSubdomain(given, ancestor)).toBe(true)
          expect(isSubdomain(ancestor, given)).toBe(false)
        }
      }),
    )
  })
})

describe('RFC 4592 §2.1.1: wildcard names', () => {
  test.each([
    ['*.example', true],
    ['*', true],
    ['a.*.example', false],
    ['**.example', false],
    ['x*.example', false],
    ['.', false],
  ])('%s: %s', (text, expected) => {
    expect(isWildcard(name(text))).toBe(expected)
  })
})

describe('RFC 4034 §6.1: canonical order', () => {
  const ordered = [
    'example',
    'a.example',
    'yljkjljk.a.example',
    'Z.a.example',
    'zABC.a.EXAMPLE',
    'z.example',
    String.raw`\001.z.example`,
    '*.z.example',
    String.raw`\200.z.example`,
  ].map(name)

  test('is that of the example in the RFC', () => {
    expect(ordered.toReversed().sort(compareNames)).toEqual(ordered)
  })

  test('puts the root first and a shorter label before a longer one that begins with it', () => {
    expect(compareNames(ROOT_NAME, name('a'))).toBeLessThan(0)
    expect(compareNames(name('a'), name('ab'))).toBeLessThan(0)
    expect(compareNames(name('A'), name('a'))).toBe(0)
  })

  test('is a total order that agrees with equality', () => {
    fc.assert(
      fc.property(wireName(), wireName(), wireName(), (a, b, c) => {
        expect(Math.sign(compareNames(a, b))).toBe(0 - Math.sign(compareNames(b, a)))
        expect(compareNames(a, b) === 0).toBe(nameKey(a) === nameKey(b))
        const [x, y, z] = [a, b, c].sort(compareNames)
        expect(compareNames(x ?? a, z ?? a)).toBeLessThanOrEqual(0)
        expect(compareNames(x ?? a, y ?? a)).toBeLessThanOrEqual(0)
      }),
    )
  })
})
