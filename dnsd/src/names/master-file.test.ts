import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isProblem, MasterFileParser, masterLine, parseMasterFile, SERVED_TYPES } from './index.ts'
import { options, origin, read, shown } from './master-file/test-support.ts'
import { rdataWire } from './rdata/test-support.ts'
import { wireName } from './test-support.ts'

describe('RFC 1035 §5: master files', () => {
  test('§5.3: the example, with its parentheses, comments and omitted owners', () => {
    const file = `
@   IN  SOA     VENERA      Action\\.domains (
                                 20     ; SERIAL
                                 7200   ; REFRESH
                                 600    ; RETRY
                                 3600000; EXPIRE
                                 60)    ; MINIMUM

        NS      A.ISI.EDU.
        NS      VENERA
        MX      10      VENERA
        MX      20      VAXA

A       A       26.3.0.103

VENERA  A       10.1.0.52
        A       128.9.0.32
`
    expect(read(file)).toEqual([
      String.raw`2: example. 60 IN SOA VENERA.example. Action\.domains.example. 20 7200 600 3600000 60`,
      '9: example. 60 IN NS A.ISI.EDU.',
      '10: example. 60 IN NS VENERA.example.',
      '11: example. 60 IN MX 10 VENERA.example.',
      '12: example. 60 IN MX 20 VAXA.example.',
      '14: A.example. 60 IN A 26.3.0.103',
      '16: VENERA.example. 60 IN A 10.1.0.52',
      '17: VENERA.example. 60 IN A 128.9.0.32',
    ])
  })

  test.each([
    ['owner, TTL, class', 'a 5 IN A 192.0.2.1', 'a.example. 5 IN A 192.0.2.1'],
    ['owner, class, TTL', 'a in 5 a 192.0.2.1', 'a.example. 5 IN A 192.0.2.1'],
    ['neither', 'a A 192.0.2.1', 'a.example. 60 IN A 192.0.2.1'],
    ['CLASS1', 'a CLASS1 A 192.0.2.1', 'a.example. 60 IN A 192.0.2.1'],
    ['TTL units', 'a 1h30m A 192.0.2.1', 'a.example. 5400 IN A 192.0.2.1'],
    [
      'owners that look like types, classes and TTLs',
      'IN A 192.0.2.1',
      'IN.example. 60 IN A 192.0.2.1',
    ],
    ['the same with a number', '60 5 A 192.0.2.1', '60.example. 5 IN A 192.0.2.1'],
    [
      'an escaped owner',
      String.raw`\$a\;b\ c A 192.0.2.1`,
      String.raw`\$a\;b\032c.example. 60 IN A 192.0.2.1`,
    ],
    ['an absolute owner', 'other. A 192.0.2.1', 'other. 60 IN A 192.0.2.1'],
    ['the root', '. NS a.', '. 60 IN NS a.'],
    ['a wildcard', '*.b A 192.0.2.1', '*.b.example. 60 IN A 192.0.2.1'],
    ['tabs', 'a\t\t5\tIN\tA\t192.0.2.1\t', 'a.example. 5 IN A 192.0.2.1'],
    [
      'a comment without space before it',
      'a A 192.0.2.1;comment ( "',
      'a.example. 60 IN A 192.0.2.1',
    ],
    ['a parenthesis without space around it', 'a MX(10 b)', 'a.example. 60 IN MX 10 b.example.'],
    ['nested parentheses', 'a MX ((10) (b))', 'a.example. 60 IN MX 10 b.example.'],
    ['a comment in quotes', 'a TXT "x;y" ; z', 'a.example. 60 IN TXT "x;y"'],
    ['an escaped quote', String.raw`a TXT "x\"y;" ; z"`, String.raw`a.example. 60 IN TXT "x\"y;"`],
    [
      'a type by number',
      String.raw`a TYPE731 \# 1 ff`,
      String.raw`a.example. 60 IN TYPE731 \# 1 FF`,
    ],
    [
      'SVCB with quotes',
      'a HTTPS 1 . alpn="h2,h3" key667="( ;"',
      'a.example. 60 IN HTTPS 1 . alpn="h2,h3" key667="( ;"',
    ],
    ['UTF-8 in a string', 'a TXT "ü"', String.raw`a.example. 60 IN TXT "\195\188"`],
  ])('reads %s', (_, line, expected) => {
    expect(read(line)).toEqual([`1: ${expected}`])
  })

  test('line ends: LF, CR LF, none at the end, a byte order mark at the start', () => {
    expect(read('\uFEFFa A 192.0.2.1\r\n\r\n A 192.0.2.2')).toEqual([
      '1: a.example. 60 IN A 192.0.2.1',
      '3: a.example. 60 IN A 192.0.2.2',
    ])
  })

  test('nothing, blank lines and comments give nothing', () => {
    expect(read('')).toEqual([])
    expect(read('\n  \n; (\n\t; "\n()\n')).toEqual([])
  })

  test('octets of a file are taken as they are, UTF-8 or not', () => {
    const octets = Buffer.concat([
      Buffer.from('a TXT "'),
      Buffer.from([0xff, 0xc3]),
      Buffer.from('"\n'),
    ])
    expect(shown(parseMasterFile([octets], options))).toEqual([
      String.raw`1: a.example. 60 IN TXT "\255\195"`,
    ])
  })

  test('§5.1: $ORIGIN is absolute or relative to the one before', () => {
    const file = [
      'a A 192.0.2.1',
      '$ORIGIN b',
      '@ NS c',
      '$ORIGIN d. ; comment',
      '@ NS e',
      '\tNS f',
    ].join('\n')
    expect(read(file)).toEqual([
      '1: a.example. 60 IN A 192.0.2.1',
      '3: b.example. 60 IN NS c.b.example.',
      '5: d. 60 IN NS e.d.',
      '6: d. 60 IN NS f.d.',
    ])
  })

  test('RFC 2308 §4: $TTL holds for what follows, a TTL of its own goes before it', () => {
    const file = [
      'a A 192.0.2.1',
      '$TTL 1d',
      'b A 192.0.2.1',
      'c 7 A 192.0.2.1',
      'd A 192.0.2.1',
      '$ttl 8',
      'e A 192.0.2.1',
    ]
    expect(read(file.join('\n'))).toEqual([
      '1: a.example. 60 IN A 192.0.2.1',
      '3: b.example. 86400 IN A 192.0.2.1',
      '4: c.example. 7 IN A 192.0.2.1',
      '5: d.example. 86400 IN A 192.0.2.1',
      '7: e.example. 8 IN A 192.0.2.1',
    ])
  })

  test('§5.1: without $TTL, the last stated TTL holds', () => {
    expect(read('a A 192.0.2.1\nb 9 A 192.0.2.1\nc A 192.0.2.1')).toEqual([
      '1: a.example. 60 IN A 192.0.2.1',
      '2: b.example. 9 IN A 192.0.2.1',
      '3: c.example. 9 IN A 192.0.2.1',
    ])
  })
})

describe('chunks', () => {
  const file = '$TTL 5\na A 192.0.2.1\r\n TXT ( "ü" ; "\n "y" )\nb A x\nc A 192.0.2.3'

  test('give the same items wherever they are cut', () => {
    const whole = read(file)
    const octets = Buffer.from(file)
    expect(whole).toHaveLength(4)
    for (let size = 1; size <= octets.length; size++) {
      const chunks: Buffer[] = []
      for (let at = 0; at < octets.length; at += size) chunks.push(octets.subarray(at, at + size))
      expect(shown(parseMasterFile(chunks, options))).toEqual(whole)
    }
  })

  test('give their items as soon as the line is complete', () => {
    const parser = new MasterFileParser(options)
    expect(parser.push('a A 192.0')).toEqual([])
    expect(shown(parser.push('.2.1\nb A'))).toEqual(['1: a.example. 60 IN A 192.0.2.1'])
    expect(shown(parser.push(' 192.0.2.2'))).toEqual([])
    expect(shown(parser.end())).toEqual(['2: b.example. 60 IN A 192.0.2.2'])
  })

  test('a long text keeps the characters at the places where it is cut in parts', () => {
    const text = `a TXT "${'😀'.repeat(60)}"\n`.repeat(2000)
    const items = [...parseMasterFile(text, options)]
    expect(items.filter(isProblem)).toEqual([])
    expect(new Set(shown(items).map((line) => line.replace(/^\d+/, ''))).size).toBe(1)
    expect(items).toHaveLength(2000)
  })
})

describe('whatever comes in', () => {
  test.each(SERVED_TYPES)('a line written for type %i is read as the same record', (type) => {
    fc.assert(
      fc.property(wireName(), fc.nat(2 ** 31 - 1), rdataWire(type), (owner, ttlSeconds, rdata) => {
        const items = [...parseMasterFile(masterLine(owner, ttlSeconds, type, rdata), { origin })]
        expect(items).toEqual([{ line: 1, owner, ttlSeconds, type, rdata }])
      }),
      { numRuns: 50 },
    )
  })

  test('any text is read to its end without an error thrown', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom(
        '\n',
        '\n',
        ' ',
        '(',
        ')',
        '"',
        ';',
        '\\',
        '$TTL',
        '$ORIGIN',
        '@',
        'a',
        'A',
        'IN',
        '60',
        '192.0.2.1',
        'TXT',
        'HTTPS 1 .',
        'key="',
        '\r',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join(' ')
        const lines = text.split('\n').length
        for (const item of parseMasterFile(text, options))
          expect(item.line).toBeLessThanOrEqual(lines)
        // A record on a separate line after the error is still read, unless a parenthesis is open.
        const last = shown(parseMasterFile(`${text}\n)\nz 1 A 192.0.2.1`, options)).at(-1) ?? ''
        expect(last).toMatch(/z\..*A 192\.0\.2\.1$|not closed before the end of the file/)
      }),
      { numRuns: 2000 },
    )
  })
})
