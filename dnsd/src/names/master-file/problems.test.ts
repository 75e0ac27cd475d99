import { describe, expect, test } from 'vitest'
import { isProblem, MasterFileParser, masterLine, parseMasterFile, TYPE } from '../index.ts'
import { options, origin, read, shown } from './test-support.ts'

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
    ['a quoted owner', '"a" A 192.0.2.1', 'is in quotes'],
    ['an owner outside ASCII', 'ü A 192.0.2.1', 'The name "ü"'],
    ['no owner yet', ' A 192.0.2.1', 'no earlier line has an owner name'],
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
