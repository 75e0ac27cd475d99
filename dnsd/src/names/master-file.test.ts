import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isProblem,
  type MasterFileItem,
  type MasterFileOptions,
  MasterFileParser,
  masterLine,
  nameFromText,
  parseMasterFile,
  ROOT_NAME,
  SERVED_TYPES,
  TYPE,
} from './index.ts'
import { rdataWire } from './rdata/test-support.ts'
import { wireName } from './test-support.ts'

const origin = nameFromText('example.', ROOT_NAME)
const options: MasterFileOptions = { origin, defaultTtlSeconds: 60 }

/** Each item as a line: the place and the record in canonical form, or the place and the problem. */
function shown(items: Iterable<MasterFileItem>): string[] {
  return Array.from(items, (item) =>
    isProblem(item)
      ? `${item.line}! ${item.message}`
      : `${item.line}: ${masterLine(item.owner, item.ttlSeconds, item.type, item.rdata)}`,
  )
}

const read = (text: string, given = options): string[] => shown(parseMasterFile(text, given))

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

describe('errors in a master file', () => {
  test.each([
    ['no type', 'a', 'The record has no type.'],
    ['no type after the TTL', 'a 60 IN', 'The record has no type.'],
    ['an unknown type', 'a FOO x', '"FOO" is not a record type'],
    ['a quoted type', 'a "A" 192.0.2.1', 'found the quoted string "A"'],
    ['a quoted TTL', 'a "60" A 192.0.2.1', 'found the quoted string "60"'],
    ['a quoted class', 'a "IN" A 192.0.2.1', 'found the quoted string "IN"'],
    ['a meta type', 'a ANY x', 'not a type that a zone can hold'],
    ['another class', 'a CH TXT x', 'Class CH is not served'],
    ['another class by number', 'a CLASS3 TXT x', 'Class CLASS3 is not served'],
    ['two classes', 'a IN IN A 192.0.2.1', 'two classes'],
    ['two TTLs', 'a 1 2 A 192.0.2.1', 'two TTLs'],
    ['a bad TTL', 'a 1x A 192.0.2.1', '"1x" is not a TTL'],
    ['a TTL over 2³¹ - 1', 'a 2147483648 A 192.0.2.1', 'is not a TTL'],
    ['a bad owner', 'a..b A 192.0.2.1', 'empty label'],
    ['a quoted owner', '"a" A 192.0.2.1', 'stands in quotes'],
    ['an owner outside ASCII', 'ü A 192.0.2.1', 'The name "ü"'],
    ['no owner yet', ' A 192.0.2.1', 'no owner name before it'],
    ['bad RDATA', 'a A 192.0.2', '"192.0.2" is not an IPv4 address'],
    ['too much RDATA', 'a A 192.0.2.1 x', 'A ends before "x"'],
    ['an open quote', 'a TXT "x', 'not closed before the end of the line'],
    [
      'an open quote in a value',
      'a HTTPS 1 . key667="x y',
      'not closed before the end of the line',
    ],
    ['a stray parenthesis', 'a A 192.0.2.1 )', 'closed that was not opened'],
    ['an open parenthesis', 'a A ( 192.0.2.1', 'not closed before the end of the file'],
    ['$INCLUDE', '$INCLUDE other.zone', '$INCLUDE is not followed'],
    ['$GENERATE', '$GENERATE 1-2 a$ A 192.0.2.$', '"$GENERATE" is not a directive'],
    ['$TTL without a value', '$TTL', '$TTL takes one span of time'],
    ['$TTL with a bad value', '$TTL soon', '"soon" is not a TTL'],
    ['$ORIGIN with two', '$ORIGIN a. b.', '$ORIGIN takes one name'],
    ['$ORIGIN with a bad name', '$ORIGIN a..b.', 'empty label'],
    [
      'a directive not at the start of its line',
      'a A 192.0.2.1\n $TTL 5',
      '"$TTL" is not a record type',
    ],
  ])('%s', (_, file, message) => {
    const problems = [...parseMasterFile(file, options)].filter(isProblem)
    expect(problems).toEqual([
      { line: file.split('\n').length, message: expect.stringContaining(message) },
    ])
  })

  test('each is given with its line, and the rest is read', () => {
    const file = [
      'a A 1',
      'b A 192.0.2.1',
      'c FOO',
      '',
      'd MX (',
      ' x',
      ' y )',
      'e A 192.0.2.1',
      'f TXT "',
    ].join('\n')
    expect(read(file)).toEqual([
      expect.stringMatching(/^1! A address/),
      '2: b.example. 60 IN A 192.0.2.1',
      expect.stringMatching(/^3! "FOO"/),
      expect.stringMatching(/^5! MX preference/),
      '8: e.example. 60 IN A 192.0.2.1',
      expect.stringMatching(/^9! A quoted string/),
    ])
  })

  test('a fault within parentheses has the line it is on, and the entry ends where it would have', () => {
    const file = [
      'a TXT (',
      ' "open',
      ' "closed" )',
      'b A 192.0.2.1',
      'c TXT ( x',
      ' "y )',
      'd A 192.0.2.1',
    ].join('\n')
    expect(read(file)).toEqual([
      '2! A quoted string is not closed before the end of the line.',
      '4: b.example. 60 IN A 192.0.2.1',
      '6! A quoted string is not closed before the end of the line.',
      '7: d.example. 60 IN A 192.0.2.1',
    ])
  })

  test('a record without an owner does not fall to the owner before the error', () => {
    for (const bad of ['b..c A 192.0.2.1', 'b TXT "']) {
      expect(read(`a A 192.0.2.1\n${bad}\n A 192.0.2.2`).at(-1)).toMatch(
        /^3! The line begins with white space/,
      )
    }
  })

  test('a record with bad RDATA still gives its owner to the next', () => {
    expect(read('a A 192.0.2.1\nb A x\n A 192.0.2.2').at(-1)).toBe(
      '3: b.example. 60 IN A 192.0.2.2',
    )
  })

  test('no TTL anywhere is a problem when there is no default', () => {
    expect(read('a A 192.0.2.1\nb 5 A 192.0.2.1', { origin })).toEqual([
      expect.stringMatching(/^1! The record has no TTL/),
      '2: b.example. 5 IN A 192.0.2.1',
    ])
  })

  test('a line without end is dropped as it arrives, and the line after it is read', () => {
    const parser = new MasterFileParser(options)
    const piece = 'x'.repeat(100_000)
    for (let count = 0; count < 20; count++) expect(parser.push(piece)).toEqual([])
    expect(shown([...parser.push('\na A 192.0.2.1\n'), ...parser.end()])).toEqual([
      '1! An entry is longer than 300000 characters.',
      '2: a.example. 60 IN A 192.0.2.1',
    ])
  })

  test('a parenthesis that is never closed takes no more than the limit', () => {
    const filler = `${' 192.0.2.1'.repeat(1000)}\n`
    const items = read(`a A (\n${filler.repeat(40)}b A 192.0.2.1\n`)
    expect(items[0]).toBe('1! An entry is longer than 300000 characters.')
    expect(items.at(-1)).toBe('42: b.example. 60 IN A 192.0.2.1')
  })

  test('the longest RDATA, written in the longest way, is within the limit', () => {
    const rdata = Buffer.concat(Array.from({ length: 255 }, () => Buffer.alloc(256, 255)))
    const line = masterLine(origin, 1, TYPE.TXT, rdata)
    expect([...parseMasterFile(line, options)]).toEqual([
      { line: 1, owner: origin, ttlSeconds: 1, type: TYPE.TXT, rdata },
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
        // A record on a line of its own after all of it is still read, unless a parenthesis is open.
        const last = shown(parseMasterFile(`${text}\n)\nz 1 A 192.0.2.1`, options)).at(-1) ?? ''
        expect(last).toMatch(/z\..*A 192\.0\.2\.1$|not closed before the end of the file/)
      }),
      { numRuns: 2000 },
    )
  })
})
