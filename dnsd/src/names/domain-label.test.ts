import * as fc from 'fast-check'
import { domainToASCII, domainToUnicode } from 'node:url'
import { describe, expect, test } from 'vitest'
import { uLabel } from './idn-label.ts'
import { NameError, nameFromText, nameToText, parseHostName, ROOT_NAME } from './index.ts'
import { allowing, codeOf } from './test-support.ts'

const label63 = 'a'.repeat(63)
const name253 = `${label63}.${label63}.${label63}.${'b'.repeat(61)}`

describe('RFC 1123 §2.1: letters, digits and hyphens', () => {
  test.each([
    ['home', 'home'],
    ['HoMe', 'home'],
    ['home.', 'home'],
    ['1', '1'],
    ['123.456', '123.456'],
    ['127.0.0.1.', '127.0.0.1'],
    ['0x7f', '0x7f'],
    ['a-b', 'a-b'],
    ['a--b', 'a--b'],
    ['a.b.c', 'a.b.c'],
    [label63, label63],
    [name253, name253],
    [`${name253}.`, name253],
  ])('%s', (text, expected) => {
    expect(parseHostName(text)).toBe(expected)
  })

  test.each([
    ['', 'empty-label'],
    ['.', 'empty-label'],
    ['..', 'empty-label'],
    ['.a', 'empty-label'],
    ['a..b', 'empty-label'],
    ['a..', 'empty-label'],
    ['_dmarc', 'bad-character'],
    ['a_b', 'bad-character'],
    ['*', 'bad-character'],
    ['*.a', 'bad-character'],
    ['a b', 'bad-character'],
    [' a', 'bad-character'],
    ['a\n', 'bad-character'],
    ['a\tb', 'bad-character'],
    ['a\0', 'bad-character'],
    ['a@b', 'bad-character'],
    ['a/b', 'bad-character'],
    ['a:80', 'bad-character'],
    ['a%62', 'bad-character'],
    ['a?b', 'bad-character'],
    ['a#b', 'bad-character'],
    ['a\\b', 'bad-character'],
    ['[a]', 'bad-character'],
    ['ü/b', 'bad-character'],
    ['ü@b', 'bad-character'],
    ['ü_b', 'bad-character'],
    ['-a', 'bad-hyphen'],
    ['a-', 'bad-hyphen'],
    ['-', 'bad-hyphen'],
    ['b.-a', 'bad-hyphen'],
    ['ab--c', 'bad-hyphen'],
    ['a---b', 'bad-hyphen'],
    ['a---', 'bad-hyphen'],
    ['xm--mnchen-3ya', 'bad-hyphen'],
    [`${label63}a`, 'label-too-long'],
    [`${name253}c`, 'name-too-long'],
    [`${name253}.c`, 'name-too-long'],
    ['a'.repeat(100_000), 'name-too-long'],
    ['a.'.repeat(100_000), 'name-too-long'],
    ['ü'.repeat(100_000), 'name-too-long'],
  ])('refuses %j as %s', (text, code) => {
    expect(codeOf(() => parseHostName(text))).toBe(code)
  })

  test('says which character is wrong, and how long is too long', () => {
    expect(() => parseHostName('a_b')).toThrow(
      '"_" cannot stand in a name: only letters, digits and hyphens can.',
    )
    expect(() => parseHostName(`${label63}a`)).toThrow(
      'has 64 characters: expected at most 63 between dots.',
    )
    expect(() => parseHostName('ü'.repeat(62))).toThrow('it is stored as "xn--')
  })
})

describe('RFC 5890: international labels are kept as A-labels', () => {
  test.each([
    ['münchen', 'xn--mnchen-3ya'],
    ['MÜNCHEN', 'xn--mnchen-3ya'],
    ['mu\u0308nchen', 'xn--mnchen-3ya'],
    ['xn--mnchen-3ya', 'xn--mnchen-3ya'],
    ['XN--MNCHEN-3YA', 'xn--mnchen-3ya'],
    // RFC 5894: ß and ς are letters of their own.
    ['straße', 'xn--strae-oqa'],
    ['βόλος', 'xn--nxasmm1c'],
    ['中文', 'xn--fiq228c'],
    ['中文。例え', 'xn--fiq228c.xn--r8jz45g'],
    ['שלום', 'xn--9dbne9b'],
    ['א1', 'xn--1-zhc'],
    ['ﬁ', 'fi'],
    ['ＡＢ', 'ab'],
    ['é-é', 'xn----9fab'],
    ['l·l', 'xn--ll-0ea'],
    ['・ア', 'xn--cckyj'],
    ['a\u00ADb', 'ab'],
    ['नी', 'xn--l2b2c'],
  ])('%s is %s', (text, expected) => {
    expect(parseHostName(text)).toBe(expected)
    expect(parseHostName(expected)).toBe(expected)
  })

  test.each([
    ['an A-label that encodes nothing', 'xn--', 'one direction'],
    ['an A-label with a bad tail', 'xn--a', 'one direction'],
    ['an A-label past Unicode', 'xn--zzzzzzzzzz99', 'one direction'],
    ['an A-label of ASCII alone', 'xn--abc-', 'one direction'],
    ['an A-label of an A-label', 'xn--xn---epa', 'one direction'],
    ['an A-label of upper case', 'xn--mnchen-psa', 'one direction'],
    ['an A-label within an A-label', 'xn--é', 'one direction'],
    ['a joiner alone', '\u200D', 'one direction'],
    ['a joiner alone, as A-label', 'xn--1ug', 'one direction'],
    ['digits of a script without letters', '١٢٣', 'one direction'],
    ['two directions', '1א', 'one direction'],
    ['a combining mark first', '\u0301a', 'one direction'],
    ['a symbol', '☃', 'no symbols'],
    ['a symbol, as A-label', 'xn--n3h', 'no symbols'],
    ['an emoji', '🍺', 'no symbols'],
    ['an emoji, as A-label', 'xn--xj8h', 'no symbols'],
    ['a letter that only stretches', 'بـب', 'no symbols'],
    ['a private character', '\uE000', 'one direction'],
    ['an unassigned character', '\u{E0080}', 'one direction'],
    ['half a character', '\uD800', 'one direction'],
    ['a slash in disguise', 'a／b', 'one direction'],
    ['an at sign in disguise', 'a＠b', 'one direction'],
    ['a percent sign in disguise', 'a％62', 'one direction'],
    ['dots in disguise', 'a…b', 'one direction'],
    ['a hyphen first', '-é', 'a hyphen'],
    ['a hyphen first, as A-label', 'xn----bga', 'a hyphen'],
    ['a hyphen last', 'é-', 'a hyphen'],
    ['hyphens in the third and fourth place', 'éa--b', 'a hyphen'],
    ['a middle dot that is not between two l', 'a·é', 'at its position'],
    ['a Greek numeral sign before Latin', '͵aé', 'at its position'],
    ['Hebrew punctuation before a letter', '״א', 'at its position'],
    ['a Katakana dot without Japanese', 'a・b', 'at its position'],
    ['two kinds of Arabic digits', 'ب٠۰', 'one direction'],
  ])('refuses %s', (_, text, reason) => {
    expect(codeOf(() => parseHostName(text))).toBe('bad-idn')
    expect(() => parseHostName(text)).toThrow(reason)
  })

  test('what maps to plain letters is checked as those', () => {
    expect(codeOf(() => parseHostName('＿a'))).toBe('bad-character')
    expect(codeOf(() => parseHostName('－a'))).toBe('bad-hyphen')
    expect(codeOf(() => parseHostName('\u00AD'))).toBe('empty-label')
  })

  test('RFC 3492 §6.2: U-labels are those of the runtime', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }), (text) => {
        const ascii = domainToASCII(text)
        fc.pre(/^xn--[0-9a-z-]+$/.test(ascii))
        expect(uLabel(ascii)).toBe(domainToUnicode(ascii))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('any text', () => {
  test('whatever comes in is refused with NameError or is a name that stays as it is', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.string({
        unit: fc.constantFrom('a', 'Z', '0', '-', '.', 'ü', 'x', 'n', '。', 'ß', '\u00AD'),
        maxLength: 20,
      }),
    )
    fc.assert(
      fc.property(text, (given) => {
        const name = allowing([NameError], () => parseHostName(given)) ?? 'a'
        expect(name).toMatch(/^(?!-)[0-9a-z-]{1,63}(?<!-)(?:\.(?!-)[0-9a-z-]{1,63}(?<!-))*$/)
        expect(parseHostName(name)).toBe(name)
        expect(nameToText(nameFromText(name, ROOT_NAME))).toBe(name)
      }),
      { numRuns: 5000 },
    )
  })
})
