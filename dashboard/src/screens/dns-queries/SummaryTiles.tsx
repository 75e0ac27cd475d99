/** The totals with their trends. Every plan has them. */
import { count, shortCount } from '@homing/theme/formats'
import { useQuery } from '@tanstack/react-query'
import { dnsSummaryQuery } from '../../api/dns-queries.ts'
import { Loaded } from '../../components/Loaded.tsx'
import { CountedUntil } from './CountedUntil.tsx'
import { TrendNote } from './TrendNote.tsx'
import { figureOf, SUMMARY_PERIODS } from './trend-words.ts'
import { PERIODS } from './view.ts'

export function SummaryTiles() {
  const query = useQuery(dnsSummaryQuery)
  return (
    <Loaded query={query} failure="Failed to load data">
      {(summary) => (
        <>
          <dl className="stats query-totals" aria-label="DNS queries for all domains">
            {SUMMARY_PERIODS.map((period) => {
              const { total, percent } = figureOf(summary, period)
              return (
                <div key={period} className="card stat">
                  <dt className="stat-title">{PERIODS[period].name}</dt>
                  <dd>
                    <span className="figure" title={count(total)}>
                      {shortCount(total)}
                    </span>{' '}
                    <TrendNote percent={percent} period={period} />
                  </dd>
                </div>
              )
            })}
          </dl>
          <CountedUntil summary={summary} />
        </>
      )}
    </Loaded>
  )
}
