/** How often the domains are queried, with the trend, and the way to the page about it. */
import { count, shortCount } from '@homing/theme/formats'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { type DnsSummary, dnsSummaryQuery } from '../../../api/dns-queries.ts'
import { preloadable } from '../../../components/preloadable.ts'
import { useHash } from '../../../routes.ts'
import { figureOf, SUMMARY_PERIODS, type SummaryPeriod } from '../../dns-queries/trend-words.ts'
import { TrendNote } from '../../dns-queries/TrendNote.tsx'
import { viewHash } from '../../dns-queries/view.ts'
import { FigureTime } from './FigureTime.tsx'
import { chooseQueriesPeriod, queriesPeriodAt } from './queries-period.ts'

interface ContentProps {
  readonly summary: DnsSummary
  readonly period: SummaryPeriod
}

function Content({ summary, period }: ContentProps) {
  const { total, percent } = figureOf(summary, period)
  if (summary.counted_until === null) {
    return (
      <>
        <span className="figure">No queries yet</span>{' '}
        <span className="stat-note">they are counted from the first one</span>
      </>
    )
  }
  return (
    <>
      <span className="figure" title={count(total)}>
        {shortCount(total)}
      </span>{' '}
      <TrendNote percent={percent} period={period} />
    </>
  )
}

/** It loads after the figures. The card says the same without it, so a failure is not shown. */
const sparkline = preloadable(() =>
  import('../../dns-queries/Sparkline.tsx').catch(() => ({ default: () => null })),
)

interface QueriesCardProps {
  /** Whether the plan includes counts over time. */
  readonly hasCourse: boolean
}

export function QueriesCard({ hasCourse }: QueriesCardProps) {
  const period = queriesPeriodAt(useHash())
  const { data, error } = useQuery(dnsSummaryQuery)
  return (
    <div className="card stat stat-covered">
      <a className="stat-link" href={viewHash({ period })}>
        <span className="stat-title">DNS Queries</span>{' '}
        {data !== undefined && <Content summary={data} period={period} />}
        {data === undefined && error !== null && (
          <>
            <span className="figure">Not available</span>{' '}
            <span className="stat-note">{error.message}</span>
          </>
        )}
        {data === undefined && error === null && <span className="skeleton skeleton-figure" />}
      </a>
      <select
        className="stat-period"
        aria-label="Period of DNS Queries"
        value={period}
        onChange={({ target }) => chooseQueriesPeriod(target.value as SummaryPeriod)}
      >
        {SUMMARY_PERIODS.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      {data !== undefined && data.counted_until !== null && <FigureTime at={data.counted_until} />}
      {hasCourse && data !== undefined && data.counted_until !== null && (
        <Suspense fallback={null}>
          <sparkline.Part period={period} />
        </Suspense>
      )}
    </div>
  )
}
