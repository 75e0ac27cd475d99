import { expect, test } from 'vitest'
import {
  ageText,
  count,
  counted,
  dayText,
  enumeration,
  lengthText,
  money,
  percentText,
  shortCount,
  spanText,
} from './formats.ts'

const now = Date.parse('2026-05-12T12:00:00Z')

test.each([
  ['2026-05-12T12:00:00Z', 'just now'],
  // The clock of the device can be behind the service's clock.
  ['2026-05-12T12:00:09Z', 'just now'],
  ['2026-05-12T11:59:01Z', 'just now'],
  ['2026-05-12T11:59:00Z', '1 min ago'],
  ['2026-05-12T11:00:01Z', '59 min ago'],
  ['2026-05-12T11:00:00Z', '1 h ago'],
  ['2026-05-11T12:00:01Z', '23 h ago'],
  ['2026-05-11T12:00:00Z', '1 day ago'],
  ['2026-05-10T12:00:00Z', '2 days ago'],
  ['2026-04-01T12:00:00Z', '1 month ago'],
  ['2020-05-12T12:00:00Z', '6 years ago'],
])('%s is %s', (time, text) => {
  expect(ageText(time, now)).toBe(text)
})

test.each([
  [1, '1 second'],
  [60, '60 seconds'],
  [90, '90 seconds'],
  [120, '2 minutes'],
  [3_600, '60 minutes'],
  [5_400, '90 minutes'],
  [7_200, '2 hours'],
])('%i seconds are %s', (seconds, text) => {
  expect(spanText(seconds)).toBe(text)
})

test.each([
  [1_000, 'USD', '$10'],
  [27_500, 'USD', '$275'],
  [1_050, 'EUR', '€10.50'],
  [0, 'USD', '$0'],
])('%i cents of %s are %s', (cents, currency, text) => {
  expect(money(cents, currency)).toBe(text)
})

test.each([
  [0, '0 s'],
  [59.9, '59 s'],
  [270, '4 min 30 s'],
  [7_200, '2 h'],
  [7_260, '2 h 1 min'],
  [86_400 + 59, '1 day'],
  [3 * 86_400 + 7_200, '3 days 2 h'],
])('%d seconds long is %s', (seconds, text) => {
  expect(lengthText(seconds)).toBe(text)
})

test('numbers, days and lists', () => {
  expect([percentText(99.9), percentText(100)]).toEqual(['99.90%', '100.00%'])
  expect(count(1_234_567)).toBe('1,234,567')
  expect([counted(1, 'name'), counted(0, 'name'), counted(2, 'entry', 'entries')]).toEqual([
    '1 name',
    '0 names',
    '2 entries',
  ])
  expect(dayText('2026-05-12T23:30:00Z', 'UTC')).toBe('12 May 2026')
  expect([enumeration([]), enumeration(['a', 'b']), enumeration(['a', 'b', 'c'])]).toEqual([
    '',
    'a and b',
    'a, b and c',
  ])
})

test.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1K'],
  [1_840, '1.8K'],
  [51_200, '51.2K'],
  [999_949, '999.9K'],
  [999_950, '1M'],
  [1_250_000, '1.3M'],
  [2_345_678_901, '2,345.7M'],
])('%s is %s in a small space', (figure, text) => {
  expect(shortCount(figure)).toBe(text)
})
