import type { CountSpool } from '../count-writing/count-spool.ts'
import type { CountEvents, QueryCounts } from '../count-writing/query-counts.ts'
import type { LiveEvents, LiveFeed } from '../live-queries/index.ts'
import { countedBy, type CountTable, DETAILS } from '../query-counts/index.ts'
import type { MetricSet } from './metric-set.ts'

/** What is exported about counting queries. */
export interface CountsSource {
  /** The tables of all threads. */
  readonly tables: readonly CountTable[]
  readonly counts: Pick<QueryCounts, 'waitingSeconds'>
  readonly spool: Pick<CountSpool, 'size' | 'bytes'>
  readonly live: Pick<LiveFeed, 'watched'>
}

/** Counts the outcomes of keeping and writing the counts of queries. */
export function countCountEvents(metrics: MetricSet): CountEvents {
  const written = metrics.counter(
    'query_counts_written_total',
    'Queries whose counts are in the database.',
    [],
  )
  const rows = metrics.counter('query_count_rows_total', 'Database rows of these counts.', [])
  const lost = metrics.counter('query_counts_lost_total', 'Queries whose counts are lost.', [])
  const damaged = metrics.counter(
    'query_count_batches_damaged_total',
    'Batches whose counts are lost in an unknown number.',
    [],
  )
  const reduced = metrics.counter(
    'query_count_batches_reduced_total',
    'Waiting batches that lost detail.',
    ['lost'],
  )
  return {
    countsWritten(batch) {
      written.inc(batch.queries)
      rows.inc(batch.rows)
    },
    countsUnwritten: () => undefined,
    countsLost(queries) {
      if (queries === undefined) damaged.inc()
      else lost.inc(queries)
    },
    batchesReduced: (batches, detail) => reduced.inc({ lost: detail }, batches),
    spoolFailed: () => undefined,
  }
}

/** Counts what the live view writes. */
export function countLiveEvents(metrics: MetricSet): LiveEvents {
  const rows = metrics.counter('live_rows_total', 'Database rows of the live view.', [])
  const queries = metrics.counter('live_queries_total', 'Queries that these rows stand for.', [])
  return {
    liveWritten(written, stoodFor) {
      rows.inc(written)
      queries.inc(stoodFor)
    },
    liveFailed: () => undefined,
  }
}

/** Exports how queries are counted, how long counts wait and where, and who watches. */
export function showCounts(
  metrics: MetricSet,
  { tables, counts, spool, live }: CountsSource,
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
  const gauge = (name: string, text: string, value: () => number) =>
    metrics.gauge(name, text, [], (set) => {
      set({}, value())
    })
  gauge(
    'query_counts_waiting_seconds',
    'For how long counts have been waiting to be written.',
    () => counts.waitingSeconds,
  )
  gauge('query_count_batches', 'Batches of counts on the disk.', () => spool.size)
  gauge('query_count_batch_bytes', 'Their size.', () => spool.bytes)
  gauge('live_watched_names', 'Names whose queries somebody watches.', () => live.watched)
}
