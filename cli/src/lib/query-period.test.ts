import { expect, test } from 'vitest'
import { periodOf, readableResolution } from './query-period.ts'

const NOW = Date.parse('2026-05-12T08:30:00.000Z')

test.each([
  [{}, '1h'],
  [{ last: '5h' }, '5m'],
  [{ last: '301m' }, '1h'],
  [{ last: '60h' }, '1h'],
  [{ last: '3d' }, '1d'],
  [{ last: '400d' }, '1d'],
  // Finer parts are not kept for so many days.
  [{ last: '2h', to: '2026-05-09T08:30Z' }, '1h'],
  [{ to: '2026-04-01T00:00Z' }, '1d'],
])('the parts of %j are %s', (flags, resolution) => {
  expect(readableResolution(periodOf(flags, NOW), NOW)).toBe(resolution)
})
