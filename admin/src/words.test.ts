import { expect, test } from 'vitest'
import { age, count, counted, span } from './words.ts'

const now = new Date('2026-05-12T12:00:00.000Z')

test.each([
  ['2026-05-12T11:59:30.000Z', 'just now'],
  ['2026-05-12T12:00:09.000Z', 'just now'],
  ['2026-05-12T11:58:59.000Z', '1 minute ago'],
  ['2026-05-12T09:00:00.000Z', '3 hours ago'],
  ['2026-05-11T12:00:00.000Z', 'yesterday'],
  ['2026-04-01T12:00:00.000Z', 'last month'],
  ['2020-05-12T12:00:00.000Z', '6 years ago'],
])('%s was %s', (time, words) => {
  expect(age(time, now)).toBe(words)
})

test.each([
  [1, '1 second'],
  [60, '60 seconds'],
  [120, '2 minutes'],
  [3600, '1 hour'],
  [5400, '90 minutes'],
  [7200, '2 hours'],
])('%i seconds are %s', (seconds, words) => {
  expect(span(seconds)).toBe(words)
})

test('numbers have separators', () => {
  expect(count(1234567)).toBe('1,234,567')
  expect([counted(1, 'name'), counted(0, 'name'), counted(2, 'entry', 'entries')]).toEqual([
    '1 name',
    '0 names',
    '2 entries',
  ])
})
