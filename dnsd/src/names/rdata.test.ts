import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  canonicalRdata,
  embeddedNames,
  nameFromText,
  nameToText,
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
import { allowing } from './test-support.ts'

const origin = nameFromText('example', ROOT_NAME)
const octets = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex')
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
    ['TXT', 'a"b', 'holds a quote'],
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

describe('RFC 9460: SVCB and HTTPS', () => {
  // Appendix D.2, its names under foo.example.com.
  const target = '03 666f6f 07 6578616d706c65 03 636f6d 00'
  test.each([
    ['D.1 alias', '0 foo.example.com.', `0000 ${target}`, '0 foo.example.com.'],
    ['D.2 root', '1 .', '0001 00', '1 .'],
    [
      'D.2 port',
      '16 foo.example.com. port=53',
      `0010 ${target} 0003 0002 0035`,
      '16 foo.example.com. port=53',
    ],
    [
      'D.2 unknown key',
      '1 foo.example.com. key667=hello',
      `0001 ${target} 029b 0005 68656c6c6f`,
      '1 foo.example.com. key667="hello"',
    ],
    [
      'D.2 unknown key, quoted with an octet',
      String.raw`1 foo.example.com. key667="hello\210qoo"`,
      `0001 ${target} 029b 0009 68656c6c6f d2 716f6f`,
      String.raw`1 foo.example.com. key667="hello\210qoo"`,
    ],
    [
      'D.2 two IPv6 hints',
      '1 foo.example.com. ipv6hint="2001:db8::1,2001:db8::53:1"',
      `0001 ${target} 0006 0020 20010db8000000000000000000000001 20010db8000000000000000000530001`,
      '1 foo.example.com. ipv6hint=2001:db8::1,2001:db8::53:1',
    ],
    [
      'D.2 keys out of order',
      '16 foo.example.com. alpn=h2,h3-19 mandatory=ipv4hint,alpn ipv4hint=192.0.2.1',
      `0010 ${target} 0000 0004 0001 0004 0001 0009 026832 0568332d3139 0004 0004 c0000201`,
      '16 foo.example.com. mandatory=alpn,ipv4hint alpn="h2,h3-19" ipv4hint=192.0.2.1',
    ],
    [
      'D.2 commas within a protocol name',
      String.raw`16 foo.example.com. alpn="f\\\\oo\\,bar,h2"`,
      `0010 ${target} 0001 000c 08 665c6f6f2c626172 02 6832`,
      String.raw`16 foo.example.com. alpn="f\\\\oo\\,bar,h2"`,
    ],
    [
      'D.2 the same without quotes',
      String.raw`16 foo.example.com. alpn=f\\\092oo\092,bar,h2`,
      `0010 ${target} 0001 000c 08 665c6f6f2c626172 02 6832`,
      String.raw`16 foo.example.com. alpn="f\\\\oo\\,bar,h2"`,
    ],
    [
      'no value',
      '1 . alpn=h2 no-default-alpn',
      '0001 00 0001 0003 026832 0002 0000',
      '1 . alpn="h2" no-default-alpn',
    ],
    ['base64', '1 . ech=AQID', '0001 00 0005 0003 010203', '1 . ech=AQID'],
    [
      'path',
      '1 . dohpath="/q{?dns}"',
      '0001 00 0007 0008 2f717b3f646e737d',
      '1 . dohpath="/q{?dns}"',
    ],
    [
      'a path with several variables',
      '1 . dohpath="/{x}{?ct,dns:9}{?y,dns*}"',
      '0001 00 0007 0018 2f7b787d7b3f63742c646e733a397d7b3f792c646e732a7d',
      '1 . dohpath="/{x}{?ct,dns:9}{?y,dns*}"',
    ],
    [
      'a known key by number',
      String.raw`1 . key3=\001\187`,
      '0001 00 0003 0002 01bb',
      '1 . port=443',
    ],
    ['an empty value', '1 . key667=', '0001 00 029b 0000', '1 . key667'],
    [
      'spaces in quotes',
      '1 . key667="a b;("',
      '0001 00 029b 0005 6120623b28',
      '1 . key667="a b;("',
    ],
  ])('%s', (_, text, wire, canonical) => {
    for (const type of [TYPE.SVCB, TYPE.HTTPS]) {
      expect(rdataFromText(type, text)).toEqual(octets(wire))
      expect(rdataToText(type, octets(wire))).toBe(canonical)
    }
  })

  test.each([
    ['D.3 a key twice', '1 foo.example.com. key123=abc key123=def', 'twice'],
    ['D.3 a key without its value', '1 foo.example.com. mandatory', 'mandatory'],
    ['D.3 alpn without value', '1 foo.example.com. alpn', 'alpn'],
    ['D.3 port without value', '1 foo.example.com. port', 'port'],
    ['D.3 ipv4hint without value', '1 foo.example.com. ipv4hint', 'ipv4hint'],
    ['D.3 ipv6hint without value', '1 foo.example.com. ipv6hint', 'ipv6hint'],
    [
      'D.3 no-default-alpn with a value',
      '1 foo.example.com. alpn=h2 no-default-alpn=abc',
      'takes no value',
    ],
    ['D.3 a mandatory key is missing', '1 foo.example.com. mandatory=key123', 'not given'],
    ['D.3 mandatory names itself', '1 foo.example.com. mandatory=mandatory', 'mandatory'],
    [
      'D.3 mandatory names a key twice',
      '1 foo.example.com. mandatory=key123,key123 key123=abc',
      'twice',
    ],
    ['no-default-alpn alone', '1 . no-default-alpn', 'needs alpn'],
    ['an alias with parameters', '0 a. port=1', 'alias'],
    ['an unknown name', '1 . protocol=1', 'not a parameter'],
    ['a key with a leading zero', '1 . key0667=1', 'not a parameter'],
    ['the reserved key', '1 . key65535=1', 'not a parameter'],
    ['upper case', '1 . PORT=1', 'not a parameter'],
    ['a quoted parameter', '1 . "port=1"', 'quoted string'],
    ['a value not closed', '1 . key667="a', 'not closed'],
    ['a port too large', '1 . port=65536', 'from 0 to 65535'],
    ['a bad hint', '1 . ipv4hint=1.2.3', 'IPv4'],
    ['an empty hint', '1 . ipv4hint=1.2.3.4,', 'IPv4'],
    ['bad base64', '1 . ech=AQI', 'base64'],
    ['an empty protocol name', '1 . alpn=h2,,h3', 'protocol names of 1 to 255'],
    ['a path without its variable', '1 . dohpath=/q', 'the variable dns'],
    ['a path that is none', '1 . dohpath={?dns}', 'the variable dns'],
    ['a path with another variable', '1 . dohpath=/q{?dnsx}', 'the variable dns'],
    ['a path with a longer variable', '1 . dohpath=/q{?x.dns}', 'the variable dns'],
    ['a path whose variable is in no braces', '1 . dohpath=/dns{?x}', 'the variable dns'],
    ['a path that is not UTF-8', String.raw`1 . dohpath=/q\255{?dns}`, 'UTF-8'],
    ['an odd escape in a list', String.raw`1 . alpn=a\\b`, 'backslash'],
    ['octets that are no port', '1 . key3=a', 'two octets'],
    ['octets that are no addresses', '1 . key4=abc', 'whole addresses'],
    ['octets that are no names', String.raw`1 . key1=\009a`, 'past the end'],
  ])('refuses %s', (_, text, message) => {
    expect(() => rdataFromText(TYPE.SVCB, text)).toThrow(RdataError)
    expect(() => rdataFromText(TYPE.SVCB, text)).toThrow(message)
  })

  test.each([
    ['keys out of order', '0001 00 0003 0002 0035 0001 0003 026832'],
    ['a key twice', '0001 00 0003 0002 0035 0003 0002 0035'],
    ['a value past the end', '0001 00 0003 0004 0035'],
    ['half a key', '0001 00 00'],
    ['mandatory out of order', '0001 00 0000 0004 0003 0001 0001 0003 026832 0003 0002 0035'],
    ['the reserved key', '0001 00 ffff 0000'],
  ])('refuses on the wire %s', (_, wire) => {
    expect(() => rdataToText(TYPE.SVCB, octets(wire))).toThrow(RdataError)
  })
})

describe('RFC 3597 §5: any type as octets', () => {
  test.each([
    [
      731,
      String.raw`\# 6 abcdef (01 23 45)`.replaceAll(/[()]/g, ''),
      'abcdef012345',
      String.raw`\# 6 ABCDEF012345`,
    ],
    [62_347, String.raw`\# 0`, '', String.raw`\# 0`],
    [TYPE.A, String.raw`\# 4 0A000001`, '0a000001', '10.0.0.1'],
    [TYPE.MX, String.raw`\# 3 000A 00`, '000a 00', '10 .'],
    [TYPE.DNSKEY, String.raw`\# 1 ff`, 'ff', String.raw`\# 1 FF`],
  ])('TYPE%i %s', (type, text, wire, canonical) => {
    expect(rdataFromText(type, text)).toEqual(octets(wire))
    expect(rdataToText(type, octets(wire))).toBe(canonical)
  })

  test.each([
    [731, 'abcdef', 'is written as'],
    [731, '', 'is written as'],
    [731, String.raw`"\#" 0`, 'is written as'],
    [731, String.raw`\#`, 'number of octets'],
    [731, String.raw`\# 2 AB`, 'announces 2 octets, but 1 follow'],
    [731, String.raw`\# 1 A`, String.raw`TYPE731 after \#: expected an even number of hexadecimal`],
    [731, String.raw`\# 65536 ${'00'.repeat(65_536)}`, 'longer than 65535'],
    [TYPE.A, String.raw`\# 3 0A0000`, 'A address'],
    [TYPE.A, String.raw`\# 5 0A00000001`, '1 octets too many'],
    [TYPE.NS, String.raw`\# 2 C00C`, 'NS name server'],
    [TYPE.MX, String.raw`\# 1 00`, 'MX preference'],
    [TYPE.TXT, String.raw`\# 0`, 'TXT text'],
    [TYPE.TXT, String.raw`\# 2 0561`, 'TXT text'],
    [TYPE.CAA, String.raw`\# 3 00012D`, 'CAA tag'],
    [TYPE.CAA, String.raw`\# 2 0000`, 'CAA tag'],
    [TYPE.DS, String.raw`\# 4 00010801`, 'DS digest'],
  ])('TYPE%i %.40s: %s', (type, text, message) => {
    expect(() => rdataFromText(type, text)).toThrow(RdataError)
    expect(() => rdataFromText(type, text)).toThrow(message)
  })

  test.each([0, TYPE.OPT, TYPE.TKEY, TYPE.TSIG, TYPE.IXFR, TYPE.AXFR, TYPE.ANY, 65_535])(
    'type %i is no data',
    (type) => {
      expect(() => rdataFromText(type, String.raw`\# 0`)).toThrow('not a type that a zone can hold')
      expect(() => rdataToText(type, Buffer.alloc(0))).toThrow('not a type that a zone can hold')
    },
  )
})

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
