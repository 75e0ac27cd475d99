import { describe, expect, test } from 'vitest'
import { series } from '../../../test/queries.ts'
import { chartSeries, placeOfTime, previousLines, topOf } from './chart-series.ts'

const whole = { filter: undefined, isCompared: true }
const byType = { values: [{ value: 'A', label: 'A', queries: 7 }], dimension: 'type' as const }

describe('chartSeries', () => {
  test('all queries have the period before', () => {
    const shown = chartSeries(
      series({ hours: [4, 8], changes: { previous: [2, 9], previous_total: 11 } }),
      whole,
    )
    expect(shown.parts.map(({ queries, previous }) => [queries, previous])).toEqual([
      [4, 2],
      [8, 9],
    ])
    expect([shown.total, shown.previousTotal]).toEqual([12, 11])
    expect(shown.parts.map(({ isPartial }) => isPartial)).toEqual([false, true])
  })

  test('without earlier data there is no line of zeros', () => {
    const shown = chartSeries(series({ hours: [4, 8] }), whole)
    expect(previousLines(shown.parts, topOf(shown.parts))).toEqual([])
    expect(shown.previousTotal).toBeNull()
  })

  test('one value has its own queries, and nothing to compare with', () => {
    const filter = { dimension: 'type', value: 'A' } as const
    const answer = series({ hours: [4, 3], changes: { ...byType, previous_total: 5 } })
    const shown = chartSeries(answer, { filter, isCompared: true })
    expect([shown.total, shown.previousTotal]).toEqual([7, undefined])
    const other = chartSeries(answer, { filter: { ...filter, value: 'MX' }, isCompared: true })
    expect([other.total, other.parts.map(({ queries }) => queries)]).toEqual([0, [0, 0]])
  })
})

test('the line of the period before is as high as its numbers', () => {
  const { parts } = chartSeries(
    series({ hours: [4, 8], changes: { previous: [2, 10], previous_total: 12 } }),
    whole,
  )
  expect(topOf(parts)).toBe(10)
  expect(previousLines(parts, 10)).toEqual(['0.5,80 1.5,0'])
})

test('a time has its place within the parts only', () => {
  const { parts } = chartSeries(series({ hours: [1, 1] }), whole)
  expect(placeOfTime('2026-05-12T10:30:00Z', parts)).toBe(25)
  expect(placeOfTime('2026-05-12T09:59:00Z', parts)).toBeUndefined()
  expect(placeOfTime('2026-05-12T12:01:00Z', parts)).toBeUndefined()
})
