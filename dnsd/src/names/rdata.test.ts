/* RDATA of the served types, as text and as octets; the rules of RFC 9460 and RFC 3597 are tested in rdata/. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  canonicalRdata,
  embeddedNames,
  nameFromText,
  RdataError,
  rdataFromText,
  rdataToText,
  ROOT_NAME,
  SERVED_TYPES,
  TYPE,
  typeFromText,
  typeToText,
} from './index.ts'
import { rdataWire } from './rdata/test-support.ts'
import { allowing, octets } from './test-support.ts'

const origin = nameFromText('example', ROOT_NAME)
const EXAMPLE = '07 6578616d706c65 00'
const sha1 = '0123456789ABCDEF0123456789ABCDEF01234567'
const sha256 = `${sha1}89ABCDEF0123456789ABCDEF`

describe('RFC 1035 §3.3, §5.1: RDATA of the first types', () => {
  test.each([
    ['A', '192.0.2.1', 'c0000201', '192.0.2.1'],
    ['NS', 'ns1', `03 6e7331 ${EXAMPLE}`, 'ns1.example.'],
    ['NS', '@', EXAMPLE, 'example.'],
    ['CNAME', 'WwW.Example.', '03 577757 07 4578616d706c65 00', 'WwW.Example.'],
    ['PTR', String.raw`a\.b.`, '03 612e62 00', String.raw`a\.b.`],
    [
      'SOA',
      'ns1 hostmaster 2026010100 1h 10m 2w 60',
      `03 6e7331 ${EXAMPLE} 0a 686f73746d6173746572 ${EXAMPLE} 78c275f4 00000e10 00000258 00127500 0000003c`,
      'ns1.example. hostmaster.example. 2026010100 3600 600 1209600 60',
    ],
    ['MX', '10 mail', `000a 04 6d61696c ${EXAMPLE}`, '10 mail.example.'],
    ['MX', '0 .', '0000 00', '0 .'],
    ['TXT', 'v=spf1', '06 763d73706631', '"v=spf1"'],
    [
      'TXT',
      '"v=spf1 -all"  second',
      '0b 763d73706631202d616c6c 06 7365636f6e64',
      '"v=spf1 -all" "second"',
    ],
    ['TXT', '"a""b"', '01 61 01 62', '"a" "b"'],
    ['TXT', '""', '00', '""'],
    [
      'TXT',
      String.raw`"q\"b\\d\065\000\255;("`,
      '0a 71 22 62 5c 64 41 00 ff 3b 28',
      String.raw`"q\"b\\dA\000\255;("`,
    ],
    ['TXT', String.raw`semi\;colon`, '0a 73656d693b636f6c6f6e', '"semi;colon"'],
    ['TXT', '"ü"', '02 c3bc', String.raw`"\195\188"`],
    ['TXT', 'ü', '02 c3bc', String.raw`"\195\188"`],
    ['TXT', '"line\nbreak"', '0a 6c696e650a627265616b', String.raw`"line\010break"`],
  ])('%s %s', (type, text, wire, canonical) => {
    const expected = octets(wire)
    expect(rdataFromText(typeFromText(type), text, origin)).toEqual(expected)
    expect(rdataToText(typeFromText(type), expected)).toBe(canonical)
  })

  test.each([
    ['A', '', 'A address: missing.'],
    ['A', '192.0.2', 'is not an IPv4 address'],
    ['A', '192.0.2.1 192.0.2.2', 'A ends before "192.0.2.2".'],
    ['A', '::1', 'is not an IPv4 address'],
    ['NS', 'a..b', 'empty label'],
    ['NS', '"ns1"', 'expected a name'],
    ['NS', 'ns1 ; comment', 'semicolon'],
    ['NS', '( ns1 )', 'parenthesis'],
    ['NS', 'ns1\nns2', 'line end'],
    ['MX', 'mail', 'MX preference: expected a number from 0 to 65535, found "mail".'],
    ['MX', '65536 mail', 'from 0 to 65535'],
    ['MX', '-1 mail', 'from 0 to 65535'],
    ['MX', '1e1 mail', 'from 0 to 65535'],
    ['MX', '10', 'MX exchange: missing.'],
    ['SOA', 'ns1 hostmaster 4294967296 1 1 1 1', 'SOA serial'],
    ['SOA', 'ns1 hostmaster 1 1 1 1x 1', 'SOA expire'],
    ['SOA', 'ns1 hostmaster 1 1 1 1', 'SOA minimum: missing.'],
    ['TXT', '', 'TXT text: missing.'],
    ['TXT', 'a;b', 'put the string in quotes'],
    ['TXT', 'a"b', 'contains a quote'],
    ['TXT', '"open', 'not closed'],
    ['TXT', String.raw`"open\"`, 'not closed'],
    ['TXT', String.raw`\256`, 'backslash'],
    ['TXT', 'end\\', 'backslash'],
    ['TXT', `"${'x'.repeat(256)}"`, 'a string of 256 octets'],
    ['TXT', `"${'x'.repeat(255)}" `.repeat(257), 'longer than 65535 octets'],
  ])('refuses %s %s', (type, text, message) => {
    expect(() => rdataFromText(typeFromText(type), text, origin)).toThrow(RdataError)
    expect(() => rdataFromText(typeFromText(type), text, origin)).toThrow(message)
  })

  test('a relative name needs an origin', () => {
    expect(() => rdataFromText(TYPE.NS, 'ns1')).toThrow('must end with a dot')
    expect(rdataFromText(TYPE.NS, 'ns1.')).toEqual(octets('03 6e7331 00'))
  })
})

describe('types that came later', () => {
  test.each([
    [
      'RFC 3596 §2.2',
      'AAAA',
      '2001:DB8:0:0::1',
      '20010db8 00000000 00000000 00000001',
      '2001:db8::1',
    ],
    [
      'RFC 2782',
      'SRV',
      '0 5 5060 sip',
      `0000 0005 13c4 03 736970 ${EXAMPLE}`,
      '0 5 5060 sip.example.',
    ],
    [
      'RFC 3403 §4.1',
      'NAPTR',
      String.raw`100 50 "s" "z3950+I2L+I2C" "" _z3950._tcp.example.`,
      `0064 0032 01 73 0d 7a333935302b49324c2b493243 00 06 5f7a33393530 04 5f746370 ${EXAMPLE}`,
      '100 50 "s" "z3950+I2L+I2C" "" _z3950._tcp.example.',
    ],
    [
      'RFC 3403 §4.1',
      'NAPTR',
      String.raw`1 2 u E2U+sip "!^.*$!sip:\\1@x!" .`,
      '0001 0002 01 75 07 4532552b736970 0f 215e2e2a24217369703a5c31407821 00',
      String.raw`1 2 "u" "E2U+sip" "!^.*$!sip:\\1@x!" .`,
    ],
    ['RFC 6672 §2.1', 'DNAME', 'example.', EXAMPLE, 'example.'],
    [
      'RFC 4034 §5.3',
      'DS',
      `60485 5 1 ${sha1.toLowerCase()}`,
      `ec45 05 01 ${sha1}`,
      `60485 5 1 ${sha1}`,
    ],
    [
      'RFC 4034 §5.3',
      'DS',
      `1 8 2 ${sha256.slice(0, 30)} ${sha256.slice(30)}`,
      `0001 08 02 ${sha256}`,
      `1 8 2 ${sha256}`,
    ],
    ['RFC 4255 §3.2', 'SSHFP', `2 1 ${sha1}`, `02 01 ${sha1}`, `2 1 ${sha1}`],
    ['RFC 6698 §2.2', 'TLSA', `3 1 1 ${sha256}`, `03 01 01 ${sha256}`, `3 1 1 ${sha256}`],
    ['RFC 6698 §2.2', 'TLSA', '3 0 0 30', '03 00 00 30', '3 0 0 30'],
    [
      'RFC 8659 §4.1',
      'CAA',
      '0 issue "ca.example; a=b"',
      '00 05 6973737565 63612e6578616d706c653b20613d62',
      '0 issue "ca.example; a=b"',
    ],
    ['RFC 8659 §4.1', 'CAA', '128 iodef ""', '80 05 696f646566', '128 iodef ""'],
  ])('%s: %s %s', (_, type, text, wire, canonical) => {
    const expected = octets(wire)
    expect(rdataFromText(typeFromText(type), text, origin)).toEqual(expected)
    expect(rdataToText(typeFromText(type), expected)).toBe(canonical)
  })

  test('RFC 8659 §4.1: a CAA value may be longer than a character string', () => {
    const text = `0 issue "${'x'.repeat(300)}"`
    expect(rdataToText(TYPE.CAA, rdataFromText(TYPE.CAA, text))).toBe(text)
  })

  test.each([
    ['AAAA', '192.0.2.1', 'is not an IPv6 address'],
    ['SRV', '0 0 70000 a.', 'SRV port'],
    ['NAPTR', '1 2 "u" "" "!a!b!" c.', 'either the regexp'],
    ['NAPTR', '1 2 "u" "" "!a!b" .', 'the form !expression!replacement!'],
    ['NAPTR', '1 2 "u" "" "!a!b!c!" .', 'the form !expression!replacement!'],
    ['NAPTR', String.raw`1 2 "u" "" "!a\\!b!" .`, 'the form !expression!replacement!'],
    ['NAPTR', '1 2 "u" "" "1a1b1" .', 'the form !expression!replacement!'],
    ['NAPTR', '1 2 "-" "" "" .', 'letters and digits'],
    ['DS', `1 8 2 ${sha1}`, 'SHA-256 digest has 32 octets'],
    ['DS', '1 8 2', 'DS digest: missing.'],
    ['DS', '1 8 9 ABC', 'even number of hexadecimal'],
    ['DS', '1 8 9 XY', 'hexadecimal'],
    ['DS', '1 8 9 ""', 'ends before it'],
    ['SSHFP', `1 2 ${sha1}`, 'SHA-256'],
    ['TLSA', `3 1 2 ${sha256}`, 'SHA-512'],
    ['CAA', '0 is-sue "x"', 'CAA tag'],
    ['CAA', '0 "" "x"', 'CAA tag'],
    ['CAA', '256 issue "x"', 'CAA flags'],
    ['CAA', '0 issue', 'CAA value: missing.'],
  ])('refuses %s %s', (type, text, message) => {
    expect(() => rdataFromText(typeFromText(type), text, origin)).toThrow(RdataError)
    expect(() => rdataFromText(typeFromText(type), text, origin)).toThrow(message)
  })
})

describe('whatever comes in', () => {
  test.each(SERVED_TYPES.map((type) => [typeToText(type), type] as const))(
    '%s comes back from its text, and as octets',
    (_, type) => {
      fc.assert(
        fc.property(rdataWire(type), (wire) => {
          const text = rdataToText(type, wire)
          expect(text).toMatch(/^[ -~]*$/)
          expect(rdataFromText(type, text)).toEqual(wire)
          expect(rdataFromText(type, `\\# ${wire.length} ${wire.toString('hex')}`)).toEqual(wire)
        }),
      )
    },
  )

  test('octets of any kind are read or refused with RdataError, and what is read comes back', () => {
    const type = fc.oneof(fc.constantFrom(...SERVED_TYPES), fc.nat(0xffff))
    fc.assert(
      fc.property(type, fc.uint8Array({ maxLength: 40 }), (kind, wire) => {
        const text = allowing([RdataError], () => rdataToText(kind, wire))
        expect(text === undefined || rdataFromText(kind, text).equals(wire)).toBe(true)
        allowing([RdataError], () => [embeddedNames(kind, wire), canonicalRdata(kind, wire)])
      }),
      { numRuns: 5000 },
    )
  })

  test('texts of any kind are read or refused with RdataError, and what is read comes back', () => {
    const word = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom(
        '"',
        '\\',
        '\\#',
        '1',
        '10',
        'a.',
        '.',
        '192.0.2.1',
        '::1',
        'alpn=',
        '="',
        'port=1',
        'issue',
        '"x"',
        ';',
        '(',
        'AB',
      ),
    )
    const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '))
    fc.assert(
      fc.property(fc.constantFrom(...SERVED_TYPES, 731), text, (type, given) => {
        const wire = allowing([RdataError], () => rdataFromText(type, given, origin))
        expect(
          wire === undefined || rdataFromText(type, rdataToText(type, wire)).equals(wire),
        ).toBe(true)
      }),
      { numRuns: 5000 },
    )
  })
})
