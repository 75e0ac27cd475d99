import { expect, test } from 'vitest'
import { NO_TIME, timeBetween, totalTime, uptimeOf, withTime } from './uptime.ts'

const DAY_MS = 86_400_000

test.each([
  ['no data', 0, 0, null],
  ['no failure', DAY_MS, 0, 100],
  ['only failures', 0, DAY_MS, 0],
  ['one millisecond in 400 days is not 100', 400 * DAY_MS - 1, 1, 99.99],
  ['rounded down', 99_999, 1, 99.99],
  ['two thirds', 2, 1, 66.66],
  ['0.29 exactly, where floating point has 0.28999…', 29, 9_971, 0.29],
  ['500 monitors for 400 days', 500 * 400 * DAY_MS, 500 * 400 * DAY_MS, 50],
])('%s', (_, upMs, downMs, expected) => {
  expect(uptimeOf({ upMs, downMs })).toBe(expected)
})

test('unknown time, maintenance and pauses are left out', () => {
  let sums = withTime(NO_TIME, 'up', 75)
  sums = withTime(sums, 'unknown', 1_000)
  sums = withTime(sums, 'maintenance', 1_000)
  sums = withTime(sums, 'off', 1_000)
  sums = withTime(sums, 'down', 25)
  expect(sums).toEqual({ upMs: 75, downMs: 25, unknownMs: 1_000, maintenanceMs: 1_000 })
  expect(uptimeOf(sums)).toBe(75)
})

test('the time between two moments, and of several monitors', () => {
  const before = { upMs: 10, downMs: 5, unknownMs: 1, maintenanceMs: 0 }
  const after = { upMs: 40, downMs: 15, unknownMs: 1, maintenanceMs: 7 }
  const between = { upMs: 30, downMs: 10, unknownMs: 0, maintenanceMs: 7 }
  expect(timeBetween(before, after)).toEqual(between)
  expect(totalTime([before, between])).toEqual({ ...after, unknownMs: 1 })
})
