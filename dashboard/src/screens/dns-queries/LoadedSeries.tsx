/** A series. While another one is read, the previous one stays and is dimmed. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { QuerySeries } from '../../api/dns-queries.ts'
import { Loaded } from '../../components/Loaded.tsx'

interface LoadedSeriesProps {
  readonly query: UseQueryResult<QuerySeries>
  readonly children: (series: QuerySeries) => ReactNode
}

export function LoadedSeries({ query, children }: LoadedSeriesProps) {
  const { isPlaceholderData, fetchStatus } = query
  // Offline, the next one may not arrive for long.
  const isMissing = isPlaceholderData && fetchStatus === 'paused'
  return (
    <Loaded<QuerySeries> query={isMissing ? { ...query, data: undefined } : query}>
      {(series) => (
        <div
          className={isPlaceholderData ? 'query-series query-series-old' : 'query-series'}
          aria-busy={isPlaceholderData}
        >
          {children(series)}
        </div>
      )}
    </Loaded>
  )
}
