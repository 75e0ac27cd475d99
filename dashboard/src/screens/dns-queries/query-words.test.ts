import { expect, test } from 'vitest'
import { markersIn, networkName, valueName } from './query-words.ts'
import type { ChartSeries } from './chart-series.ts'
import { comparisonText, trendOf } from './trend-words.ts'

test.each([
  [4.2, 'up', 'up 4.2%'],
  [-12.34, 'down', 'down 12.3%'],
  [1, 'forward', 'stable'],
  [-0.9, 'forward', 'stable'],
  [null, undefined, 'no earlier data'],
])('a change of %s percent is the arrow %s and the words %s', (percent, icon, text) => {
  expect(trendOf(percent)).toEqual({ icon, text })
})

/** Hours, each with its queries and those of the period before. */
const seriesOf = (
  hours: readonly (readonly [number, number])[],
  isPartial = false,
): ChartSeries => ({
  resolution: '1h',
  parts: hours.map(([queries, previous], n) => ({
    from: '2026-05-12T08:00:00Z',
    to: '2026-05-12T09:00:00Z',
    queries,
    previous,
    isPartial: isPartial && n === hours.length - 1,
  })),
  total: 0,
  previousTotal: hours.reduce((sum, [, previous]) => sum + previous, 0),
  markers: [],
})

test.each([
  [seriesOf([[84, 79]]), 'In the period before: 79 queries (now up 6.3%).'],
  [seriesOf([[0, 1]]), 'In the period before: 1 query (now down 100.0%).'],
  [
    seriesOf(
      [
        [110, 100],
        [3, 90],
      ],
      true,
    ),
    'In the period before: 190 queries. Without the present hour: up 10.0%.',
  ],
  [seriesOf([[3, 90]], true), 'In the period before: 90 queries.'],
  [seriesOf([[84, 0]]), 'There were no queries in the period before.'],
  [{ ...seriesOf([[84, 0]]), previousTotal: null }, 'There is no earlier data to compare with.'],
  [{ ...seriesOf([[84, 0]]), previousTotal: undefined }, ''],
])('a comparison is said in words: %#', (series, text) => {
  expect(comparisonText(series)).toBe(text)
})

test.each([
  ['network', '64496', 'Example Net (AS64496)', 'Example Net (AS64496)'],
  ['country', 'AT', 'AT', 'Austria'],
  ['country', 'other', 'Other', 'Other'],
  ['rcode', 'NODATA', 'NODATA', 'NODATA (no such record type)'],
  ['type', 'AAAA', 'AAAA', 'AAAA'],
] as const)('%s %s is shown as its name', (dimension, value, label, name) => {
  expect(valueName(dimension, { value, label })).toBe(name)
})

test.each([
  [64_496, 'Example Net', 'Example Net (AS64496)'],
  [64_496, '', 'AS64496'],
  [0, '', 'Unknown or small networks'],
])('network %d of %j is %s', (asn, organization, name) => {
  expect(networkName(asn, organization)).toBe(name)
})

test('a change of an address belongs to the part in which it happened, and to no other', () => {
  const marker = (at: string) => ({ at, domain_id: '1', fqdn: 'a.example', address: '192.0.2.1' })
  const markers = ['2026-05-12T07:00:00Z', '2026-05-12T07:59:59Z', '2026-05-12T08:00:00Z'].map(
    marker,
  )
  const part = { from: '2026-05-12T07:00:00Z', to: '2026-05-12T08:00:00Z' }
  expect(markersIn(markers, part)).toEqual(markers.slice(0, 2))
})
