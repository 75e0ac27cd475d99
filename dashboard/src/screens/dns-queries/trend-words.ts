/** How the number of queries compares with the period before, in words. */
import { QUERY_STABLE_PERCENT, type QueryTrend } from '@homing/openapi/vocabulary'
import { counted } from '@homing/theme/formats'
import type { IconName } from '@homing/theme/parts/Icon.tsx'
import type { DnsSummary } from '../../api/dns-queries.ts'
import type { ChartSeries } from './chart-series.ts'

export const queriesText = (figure: number): string => counted(figure, 'query', 'queries')

/** The periods of the summary. */
export const SUMMARY_PERIODS = ['24h', '7d', '30d'] as const
export type SummaryPeriod = (typeof SUMMARY_PERIODS)[number]

export const PERIOD_BEFORE: Readonly<Record<SummaryPeriod, string>> = {
  '24h': 'the 24 hours before',
  '7d': 'the 7 days before',
  '30d': 'the 30 days before',
}

/** The queries of a period, and their change in percent; null without earlier data. */
export function figureOf(
  summary: DnsSummary,
  period: SummaryPeriod,
): { readonly total: number; readonly percent: number | null } {
  const { total_queries_24h, total_queries_7d, total_queries_30d } = summary
  if (period === '24h') return { total: total_queries_24h, percent: summary.trend_percent }
  if (period === '7d') return { total: total_queries_7d, percent: summary.trend_percent_7d }
  return { total: total_queries_30d, percent: summary.trend_percent_30d }
}

const directionOf = (percent: number): QueryTrend => {
  if (Math.abs(percent) <= QUERY_STABLE_PERCENT) return 'stable'
  return percent > 0 ? 'up' : 'down'
}

interface Trend {
  /** Undefined without earlier data. */
  readonly icon: IconName | undefined
  readonly text: string
}

const TREND_ICONS = { up: 'up', down: 'down', stable: 'forward' } as const

/** A change as an arrow and words: `up 4.2%`, `stable`, `no earlier data`. */
export function trendOf(percent: number | null): Trend {
  if (percent === null) return { icon: undefined, text: 'no earlier data' }
  const direction = directionOf(percent)
  const text = direction === 'stable' ? 'stable' : `${direction} ${Math.abs(percent).toFixed(1)}%`
  return { icon: TREND_ICONS[direction], text }
}

const PRESENT_PART = { '5m': 'five minutes', '1h': 'hour', '1d': 'day' } as const

const sum = (figures: readonly number[]): number => figures.reduce((all, each) => all + each, 0)

/** How a series compares with the period before, as sentences. The change leaves out a part that is not over. */
export function comparisonText({ parts, previousTotal, resolution }: ChartSeries): string {
  if (previousTotal === undefined) return ''
  if (previousTotal === null) return 'There is no earlier data to compare with.'
  if (previousTotal === 0) return 'There were no queries in the period before.'
  const whole = parts.filter(({ isPartial }) => !isPartial)
  const before = sum(whole.map(({ previous = 0 }) => previous))
  const text = `In the period before: ${queriesText(previousTotal)}`
  if (before === 0) return `${text}.`
  const change = trendOf(((sum(whole.map(({ queries }) => queries)) - before) / before) * 100).text
  if (whole.length === parts.length) return `${text} (now ${change}).`
  return `${text}. Without the present ${PRESENT_PART[resolution]}: ${change}.`
}
