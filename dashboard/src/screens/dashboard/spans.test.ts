import { expect, test } from 'vitest'
import { ageOf, ttlText } from './spans.ts'

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
])('%s is %s', (time, text) => {
  expect(ageOf(time, now)).toBe(text)
})

test.each([
  [60, '60 seconds'],
  [3_600, '60 minutes'],
  [120, '2 minutes'],
  [90, '90 seconds'],
  [1, '1 second'],
])('a TTL of %d is %s', (seconds, text) => {
  expect(ttlText(seconds)).toBe(text)
})
