import { expect, test } from 'vitest'
import { trendOf } from './query-trends.ts'

test.each([
  [110, 100, 'up', 10],
  [90, 100, 'down', -10],
  [101, 100, 'stable', 1],
  [99, 100, 'stable', -1],
  [10_101, 10_000, 'up', 1],
  [100, 100, 'stable', 0],
  [0, 7, 'down', -100],
  [2, 3, 'down', -33.3],
  [99_999, 100_000, 'stable', 0],
  // Without earlier data.
  [5, 0, 'stable', null],
  [0, 0, 'stable', null],
])('%i queries after %i: %s, %s percent', (queries, before, trend, percent) => {
  expect(trendOf(queries, before)).toEqual({ trend, percent })
})
