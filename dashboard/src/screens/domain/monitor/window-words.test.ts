import { expect, test } from 'vitest'
import { exampleOf } from '../../../../test/mock.ts'
import { bodyOf, faultsOf, fieldOf, newWindow, nextText, utcText } from './window-words.ts'

const NOW = Date.parse('2026-05-12T08:31:20.000Z')
const HOUR_MS = 3_600_000
const at = (hours: number) => fieldOf(NOW + hours * HOUR_MS)

test('a new window begins soon, takes an hour, and is sent in UTC with the zone of the user', () => {
  const draft = newWindow(NOW)
  expect(faultsOf(draft, NOW)).toEqual({})
  expect(bodyOf({ ...draft, note: ' Backup ' })).toEqual({
    starts_at: '2026-05-12T08:35:00.000Z',
    ends_at: '2026-05-12T09:35:00.000Z',
    repeats: 'never',
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    note: 'Backup',
  })
})

test.each([
  ['', at(2), 'never', { starts: 'Enter a day and a time.' }],
  [at(-1), at(2), 'never', { starts: 'It begins now or later.' }],
  // The minute that has begun.
  [at(0), at(1), 'never', {}],
  [at(1), '', 'never', { ends: 'Enter a day and a time.' }],
  [at(2), at(2), 'never', { ends: 'It ends after it begins.' }],
  [at(1), at(1 + 7 * 24), 'weekly', {}],
  [at(1), at(2 + 7 * 24), 'weekly', { ends: 'It lasts at most 7 days.' }],
  [at(1), at(26), 'daily', { ends: 'It lasts at most 1 day.' }],
] as const)('from %j to %j, %s: %j', (starts, ends, repeats, faults) => {
  expect(faultsOf({ starts, ends, repeats, note: '' }, NOW)).toEqual(faults)
})

test('a window is now, later or over', () => {
  const [window] = exampleOf('listMaintenanceWindows')
  if (window === undefined) throw new Error('the contract has an example')
  const start = Date.parse(window.next_starts_at ?? '')
  expect(nextText(window, start - 1)).toMatch(/^Next: \d+ May 2026$/)
  expect(nextText(window, start)).toMatch(/^Now, until /)
  expect(nextText({ ...window, next_starts_at: null }, start)).toBe('Over')
  expect(utcText(start)).toBe('2026-05-16 22:00 UTC')
})
