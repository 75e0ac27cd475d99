/** Invented queries of a week, for plans without DNS analytics. The page labels them as an example. */
import type { ChartSeries } from './chart-series.ts'

const HOUR_MS = 3_600_000
const HOURS = 168

/** A day and night rhythm, the same each time. */
const exampleQueries = (hour: number): number => {
  const day = Math.sin(((hour % 24) / 24) * 2 * Math.PI - Math.PI / 2)
  return Math.round(120 + 80 * day + ((hour * 37) % 23))
}

export function exampleSeries(nowMs: number): ChartSeries {
  const end = Math.floor(nowMs / HOUR_MS) * HOUR_MS
  const parts = Array.from({ length: HOURS }, (_, n) => ({
    from: new Date(end - (HOURS - n) * HOUR_MS).toISOString(),
    to: new Date(end - (HOURS - n - 1) * HOUR_MS).toISOString(),
    queries: exampleQueries(n),
    isPartial: false,
    // The same hour of a day, with fewer queries.
    previous: Math.round(exampleQueries(n + 24) * 0.85),
  }))
  return {
    resolution: '1h',
    parts,
    total: parts.reduce((sum, { queries }) => sum + queries, 0),
    previousTotal: parts.reduce((sum, { previous }) => sum + previous, 0),
    markers: [],
  }
}
