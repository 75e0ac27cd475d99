import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NameError, nameFromText, nameToText, ROOT_NAME } from './index.ts'
import { allowing, codeOf, wireName } from './test-support.ts'

const wire = (octets: string): Buffer => Buffer.from(octets, 'latin1')
const origin = wire('\x07example\0')
const label63 = 'a'.repeat(63)
// 63 + 1 + 63 + 1 + 63 + 1 + 61 = 253 characters, 255 octets on the wire.
const longest = `${label63}.${label63}.${label63}.${'b'.repeat(61)}`

describe('RFC 1035 §5.1: names from text', () => {
  test.each([
    ['www.example.', '\x03www\x07example\0'],
    ['www', '\x03www\x07example\0'],
    ['WwW', '\x03WwW\x07example\0'],
    ['@', '\x07example\0'],
    ['.', '\0'],
    [String.raw`\@`, '\x01@\x07example\0'],
    ['a@b.', '\x03a@b\0'],
    [String.raw`a\.b.`, '\x03a.b\0'],
    [String.raw`\097\000\255.`, '\x03a\0\xff\0'],
    [String.raw`\\.`, '\x01\\\0'],
    [String.raw`\1234.`, '\x02{4\0'],
    [String.raw`a\ b.`, '\x03a b\0'],
    ['*.a.', '\x01*\x01a\0'],
    ['_acme-challenge.a.', '\x0f_acme-challenge\x01a\0'],
    ['-a-.', '\x03-a-\0'],
    [`${label63}.`, `\x3f${label63}\0`],
    [`${String.raw`\065`.repeat(63)}.`, `\x3f${'A'.repeat(63)}\0`],
  ])('%s', (text, expected) => {
    expect(nameFromText(text, origin)).toEqual(wire(expected))
  })

  test('RFC 1035 §2.3.4: 255 octets pass, one more does not', () => {
    expect(nameFromText(longest, ROOT_NAME)).toHaveLength(255)
    expect(nameFromText(`${longest}.`)).toHaveLength(255)
    expect(codeOf(() => nameFromText(`${longest}c`, ROOT_NAME))).toBe('name-too-long')
    expect(codeOf(() => nameFromText(`${longest}c.`))).toBe('name-too-long')
    expect(codeOf(() => nameFromText(`${longest}.c.`))).toBe('name-too-long')
    expect(codeOf(() => nameFromText(longest, origin))).toBe('name-too-long')
  })

  test.each([
    ['', 'empty-label'],
    ['..', 'empty-label'],
    ['.a', 'empty-label'],
    ['a..b', 'empty-label'],
    ['a..', 'empty-label'],
    [`${label63}a.`, 'label-too-long'],
    [`x.${label63}a`, 'label-too-long'],
    ['a\\', 'bad-escape'],
    [String.raw`a\1`, 'bad-escape'],
    [String.raw`a\12`, 'bad-escape'],
    [String.raw`a\12x`, 'bad-escape'],
    [String.raw`a\256`, 'bad-escape'],
    [String.raw`a\999.`, 'bad-escape'],
    ['a\\é', 'bad-escape'],
    ['a b', 'bad-character'],
    ['a\tb', 'bad-character'],
    ['a\0b', 'bad-character'],
    ['a\u007f', 'bad-character'],
    ['münchen.example.', 'bad-character'],
    ['💩.example.', 'bad-character'],
  ])('refuses %j as %s', (text, code) => {
    expect(codeOf(() => nameFromText(text, origin))).toBe(code)
  })

  test('refuses a relative name without an origin', () => {
    expect(codeOf(() => nameFromText('www'))).toBe('not-absolute')
    expect(codeOf(() => nameFromText('@'))).toBe('not-absolute')
  })

  test('quotes what was typed, in the script it was typed in, and cuts it', () => {
    expect(() => nameFromText('münchen')).toThrow('"münchen"')
    expect(() => nameFromText(Buffer.from('münchen').toString('latin1'))).toThrow('"münchen"')
    expect(() => nameFromText(`${'a'.repeat(70)}.`)).toThrow(`"${'a'.repeat(60)}…"`)
    expect(() => nameFromText(`${'a'.repeat(59)}🏠🏠`)).toThrow(`"${'a'.repeat(59)}…"`)
  })

  test('returns octets of its own, which a later call leaves alone', () => {
    const first = nameFromText('first.')
    nameFromText('other.')
    expect(first).toEqual(wire('\x05first\0'))
  })

  test('throws NameError or nothing on any text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: fc.constantFrom('.', '\\', '0', '9', 'a', '@', 'é') }),
    )
    fc.assert(
      fc.property(text, (given) => {
        const name = allowing([NameError], () => nameFromText(given, origin))
        expect(name === undefined || nameFromText(nameToText(name), ROOT_NAME).equals(name)).toBe(
          true,
        )
      }),
    )
  })
})

describe('RFC 4343 §2.1: names to text', () => {
  test.each([
    ['\0', '.'],
    ['\x03WwW\x07example\0', 'WwW.example'],
    ['\x03a.b\0', String.raw`a\.b`],
    ['\x01@\0', String.raw`\@`],
    ['\x06"();$\\\0', String.raw`\"\(\)\;\$\\`],
    ['\x04\0 \x7f\xff\0', String.raw`\000\032\127\255`],
    ['\x02*_\0', '*_'],
  ])('%j', (octets, expected) => {
    expect(nameToText(wire(octets))).toBe(expected)
  })

  test('any name comes back from its text octet by octet', () => {
    fc.assert(
      fc.property(wireName(), (name) => {
        const text = nameToText(name)
        expect(nameFromText(text, ROOT_NAME)).toEqual(name)
        expect(text).toMatch(/^[!-~]+$/)
      }),
    )
  })
})
