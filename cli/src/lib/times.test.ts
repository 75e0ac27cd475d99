import { expect, test } from 'vitest'
import { instantOf } from './times.ts'

test.each([
  ['2026-05-17T03:00', 'Europe/Vienna', '2026-05-17T01:00:00.000Z'],
  ['2026-01-17T03:00', 'Europe/Vienna', '2026-01-17T02:00:00.000Z'],
  ['2026-05-17T03:00Z', 'Europe/Vienna', '2026-05-17T03:00:00.000Z'],
  ['2026-05-17T03:00+05:30', 'Europe/Vienna', '2026-05-16T21:30:00.000Z'],
  // Beside the changes of the clocks.
  ['2026-03-29T01:59', 'Europe/Vienna', '2026-03-29T00:59:00.000Z'],
  ['2026-03-29T03:00', 'Europe/Vienna', '2026-03-29T01:00:00.000Z'],
  ['2026-10-25T01:59', 'Europe/Vienna', '2026-10-24T23:59:00.000Z'],
  ['2026-10-25T03:00', 'Europe/Vienna', '2026-10-25T02:00:00.000Z'],
  ['2026-05-17T03:00', 'Pacific/Auckland', '2026-05-16T15:00:00.000Z'],
])('%s in %s is %s', (text, timeZone, instant) => {
  expect(instantOf('--from', text, timeZone).toISOString()).toBe(instant)
})

test.each([
  'tomorrow',
  '2026-05-17',
  '2026-13-17T03:00',
  '2026-05-17T25:00',
  '2026-11-31T00:00',
  '2027-02-29T00:00Z',
])('%s is refused', (text) => {
  expect(() => instantOf('--from', text, 'UTC')).toThrow('takes a time such as')
})
