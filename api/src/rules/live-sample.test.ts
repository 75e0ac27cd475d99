import { expect, test } from 'vitest'
import { sampleOf } from './live-sample.ts'

const rows = (count: number, sample = 1) => Array.from({ length: count }, (_, n) => ({ n, sample }))

test('few rows stay as they are', () => {
  expect(sampleOf(rows(200), 200)).toEqual(rows(200))
  expect(sampleOf([], 200)).toEqual([])
})

test.each([
  [201, 200, 1],
  [400, 200, 1],
  [1_999, 200, 3],
  [5, 1, 2],
])('%i rows, at most %i: the sum stays', (count, limit, sample) => {
  const kept = sampleOf(rows(count, sample), limit)
  expect(kept.length).toBeLessThanOrEqual(limit)
  expect(kept.reduce((sum, row) => sum + row.sample, 0)).toBe(count * sample)
  expect(kept.map(({ n }) => n)).toEqual(
    kept.map(({ n }) => n).toSorted((one, other) => one - other),
  )
})
