import { describe, expect, test } from 'vitest'
import {
  canonicalRdata,
  embeddedNames,
  nameToText,
  rdataFromText,
  rdataToText,
  TYPE,
  typeFromText,
} from '../index.ts'

describe('names inside RDATA', () => {
  test.each([
    ['NS', 'a.b.', ['a.b']],
    ['SOA', 'a. b.c. 1 1 1 1 1', ['a', 'b.c']],
    ['MX', '1 a.', ['a']],
    ['SRV', '1 2 3 a.', ['a']],
    ['NAPTR', '1 2 "" "" "" a.', ['a']],
    ['DNAME', 'a.', ['a']],
    ['HTTPS', '1 a. port=1', ['a']],
    ['TXT', '"a."', []],
    ['A', '192.0.2.1', []],
    ['TYPE731', String.raw`\# 3 016100`, []],
  ])('%s %s', (type, text, expected) => {
    const wire = rdataFromText(typeFromText(type), text)
    const found = embeddedNames(typeFromText(type), wire)
    expect(
      found.map(({ offset, length }) => nameToText(wire.subarray(offset, offset + length))),
    ).toEqual(expected)
  })

  test('RFC 4034 §6.2, RFC 6840 §5.1: the canonical form folds names of the types listed there', () => {
    const canonical = (type: number, text: string): string =>
      rdataToText(type, canonicalRdata(type, rdataFromText(type, text)))
    expect(canonical(TYPE.MX, '10 A.B.')).toBe('10 a.b.')
    expect(canonical(TYPE.SOA, 'A. B. 1 1 1 1 1')).toBe('a. b. 1 1 1 1 1')
    expect(canonical(TYPE.NAPTR, '1 2 "U" "S" "" A.')).toBe('1 2 "U" "S" "" a.')
    expect(canonical(TYPE.SVCB, '1 A.')).toBe('1 A.')
    expect(canonical(TYPE.TXT, '"A"')).toBe('"A"')
  })

  test('canonicalRdata leaves its argument alone', () => {
    const given = rdataFromText(TYPE.NS, 'A.')
    canonicalRdata(TYPE.NS, given)
    expect(rdataToText(TYPE.NS, given)).toBe('A.')
  })
})
