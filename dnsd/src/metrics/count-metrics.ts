import type { CountEvents, QueryCounts } from '../count-writing/query-counts.ts'
import { countedBy, type CountTable, DETAILS } from '../query-counts/index.ts'
import type { MetricSet } from './metric-set.ts'

/** Counts the outcomes of writing the counts of queries. */
export function countCountEvents(metrics: MetricSet): CountEvents {
  const written = metrics.counter(
    'query_counts_written_total',
    'Queries whose counts are in the database.',
    [],
  )
  const rows = metrics.counter('query_count_rows_total', 'Database rows of these counts.', [])
  const lost = metrics.counter('query_counts_lost_total', 'Queries whose counts are lost.', [])
  return {
    countsWritten(batch) {
      written.inc(batch.queries)
      rows.inc(batch.rows)
    },
    countsUnwritten: () => undefined,
    countsLost: (queries) => lost.inc(queries),
  }
}

/** Exports how queries are counted, and how long counts wait. */
export function showCounts(
  metrics: MetricSet,
  tables: readonly CountTable[],
  counts: Pick<QueryCounts, 'waitingSeconds'>,
): void {
  const help = 'Counted queries, by recorded detail.'
  metrics.total('query_counts_total', help, ['detail'], (set) => {
    const threads = tables.map(countedBy)
    for (const detail of DETAILS) {
      set(
        { detail },
        threads.reduce((sum, thread) => sum + thread[detail], 0),
      )
    }
  })
  metrics.gauge(
    'query_counts_waiting_seconds',
    'For how long counts have been waiting to be written.',
    [],
    (set) => {
      set({}, counts.waitingSeconds)
    },
  )
}
