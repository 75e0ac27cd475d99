/**
 * The course of the queries in a period as a line of some 24 points, without words: the figure and the trend beside it say
 * the same, and the page about queries has the chart. It is drawn once the counts are read; a failure leaves it out.
 */
import { useQuery } from '@tanstack/react-query'
import { querySeriesQuery, type Span } from '../../api/dns-queries.ts'
import { sparklineOf } from './sparkline-path.ts'
import type { SummaryPeriod } from './trend-words.ts'
import './sparkline.css'

interface Course {
  readonly span: Span
  /** How many parts are one point. */
  readonly partsPerPoint: number
}

const hours = (parts: number): Span => ({ resolution: '1h', parts, back: 0 })

const COURSES: Readonly<Record<SummaryPeriod, Course>> = {
  '24h': { span: hours(24), partsPerPoint: 1 },
  '7d': { span: hours(7 * 24), partsPerPoint: 7 },
  '30d': { span: { resolution: '1d', parts: 30, back: 0 }, partsPerPoint: 1 },
}

export default function Sparkline({ period }: { readonly period: SummaryPeriod }) {
  const { span, partsPerPoint } = COURSES[period]
  const { data } = useQuery(querySeriesQuery({ span, domainId: undefined, dimension: undefined }))
  const path = data && sparklineOf(data.parts, partsPerPoint)
  if (path === undefined) return null
  return (
    <svg className="sparkline" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">
      <path className="sparkline-area" d={`${path} V24 H0 Z`} />
      <path className="sparkline-line" d={path} />
    </svg>
  )
}
