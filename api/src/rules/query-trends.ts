/** How the number of queries has changed. */
import type { QueryTrend } from '@homing/openapi/vocabulary'

export interface Trend {
  readonly trend: QueryTrend
  /** With one decimal. Null: there was nothing before. */
  readonly percent: number | null
}

/** A smaller change, in percent, counts as stable. */
const STABLE_PERCENT = 1

/** The change against the period before, of equal length. */
export function trendOf(queries: number, before: number): Trend {
  if (before === 0) return { trend: 'stable', percent: null }
  const exact = ((queries - before) / before) * 100
  // Without a negative zero.
  const percent = Math.round(exact * 10) / 10 + 0
  if (Math.abs(exact) <= STABLE_PERCENT) return { trend: 'stable', percent }
  return { trend: exact > 0 ? 'up' : 'down', percent }
}
