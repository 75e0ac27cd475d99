import { expect, test } from 'vitest'
import {
  ago,
  counted,
  duration,
  printable,
  retrySentence,
  shortened,
  span,
  wrapped,
} from './text.ts'

test.each([
  [0.2, '1 s'],
  [59, '59 s'],
  [60, '1 min'],
  [61, '2 min'],
  [3_600, '1 h'],
  [90_000, '2 d'],
])('a wait of %d s is %s, never too short', (seconds, text) => {
  expect(duration(seconds)).toBe(text)
})

test.each([
  [-1, '0 s'],
  [40, '40 s'],
  [270, '4 min 30 s'],
  [3_660, '1 h 1 min'],
  [7_201, '2 h'],
  [180_000, '2 d 2 h'],
])('a span of %d s is %s', (seconds, text) => {
  expect(span(seconds)).toBe(text)
})

test('a text is broken between words, or cut', () => {
  expect(wrapped('com names ns1.example.org. Change it.', 20)).toEqual([
    'com names',
    'ns1.example.org.',
    'Change it.',
  ])
  expect(wrapped('a-word-that-is-longer than that', 10)).toEqual([
    'a-word-that-is-longer',
    'than that',
  ])
  expect([shortened('exactly ten', 11), shortened('exactly ten', 8)]).toEqual([
    'exactly ten',
    'exactly…',
  ])
})

const NOW = Date.parse('2026-05-12T12:00:00.000Z')

test.each([
  ['2026-05-12T12:00:30.000Z', 'just now'],
  ['2026-05-12T11:59:01.000Z', 'just now'],
  ['2026-05-12T11:58:01.000Z', '1 min ago'],
  ['2026-05-12T09:01:00.000Z', '2 h ago'],
  ['2026-05-01T12:00:00.000Z', '11 d ago'],
  ['no time', 'no time'],
])('%s was %s', (instant, text) => {
  expect(ago(instant, NOW)).toBe(text)
})

test('characters that control a terminal are left out', () => {
  expect(printable('a\u001b]0;x\u0007b\r\nc\td\u0085\u202eé')).toBe('a ]0;x b  c d  é')
})

test('one domain, two domains', () => {
  expect([counted(0, 'domain'), counted(1, 'domain'), counted(2, 'domain')]).toEqual([
    '0 domains',
    '1 domain',
    '2 domains',
  ])
})

test.each([
  ['90', 'Try again in 2 min.'],
  ['Tue, 12 May 2026 12:00:40 GMT', 'Try again in 40 s.'],
  ['Tue, 12 May 2026 11:00:00 GMT', undefined],
  ['soon', undefined],
  ['', undefined],
  [null, undefined],
])('Retry-After %j: %s', (header, sentence) => {
  expect(retrySentence(header, NOW)).toBe(sentence)
})
