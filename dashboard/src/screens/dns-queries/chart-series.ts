/** What the chart draws of a series: the queries of each part, all of them or those of one value. */
import type { AddressMarker, QueryPart, QuerySeries } from '../../api/dns-queries.ts'
import type { View } from './view.ts'

export interface ChartPart extends Pick<QueryPart, 'from' | 'to'> {
  readonly queries: number
  readonly isPartial: boolean
  /** The queries of the same part of the period before; undefined if they are not known, or not compared. */
  readonly previous: number | undefined
}

export interface ChartSeries {
  readonly resolution: QuerySeries['resolution']
  readonly parts: readonly ChartPart[]
  readonly total: number
  /** Null: no earlier data. Undefined: not compared; counts of single values have no period before. */
  readonly previousTotal: number | null | undefined
  readonly markers: readonly AddressMarker[]
}

/** @param view its filter is a value of the dimension of the series; without one, all queries are drawn */
export function chartSeries(
  series: QuerySeries,
  { filter, isCompared }: Pick<View, 'filter' | 'isCompared'>,
): ChartSeries {
  const { resolution, markers, values, previous } = series
  const index = values.findIndex(({ value }) => value === filter?.value)
  const isWhole = filter === undefined
  // Without earlier data there is nothing to draw, and not a line of zeros.
  const isKnown = isWhole && isCompared && series.previous_total !== null
  const parts = series.parts.map((part, n) => ({
    from: part.from,
    to: part.to,
    queries: isWhole ? part.queries : (part.values[index] ?? 0),
    isPartial: part.is_partial,
    previous: isKnown ? previous[n] : undefined,
  }))
  return {
    resolution,
    parts,
    total: isWhole ? series.total : (values[index]?.queries ?? 0),
    previousTotal: isWhole && isCompared ? series.previous_total : undefined,
    markers,
  }
}

/** The place of a time in percent of the width; undefined outside of the parts. */
export function placeOfTime(at: string, parts: readonly ChartPart[]): number | undefined {
  const [first, last] = [parts[0], parts.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const [from, to] = [Date.parse(first.from), Date.parse(last.to)]
  const place = ((Date.parse(at) - from) / (to - from)) * 100
  return place >= 0 && place <= 100 ? place : undefined
}

/** The highest number that the chart draws, at least 1. */
export const topOf = (parts: readonly ChartPart[]): number =>
  Math.max(1, ...parts.flatMap(({ queries, previous = 0 }) => [queries, previous]))

/** The line of the period before: runs of points with the number of the part and its height from 0 to 100. */
export function previousLines(parts: readonly ChartPart[], top: number): readonly string[] {
  const lines: string[][] = [[]]
  parts.forEach(({ previous }, n) => {
    if (previous === undefined) lines.push([])
    else lines.at(-1)?.push(`${n + 0.5},${100 - (previous / top) * 100}`)
  })
  return lines.filter(({ length }) => length > 0).map((points) => points.join(' '))
}
