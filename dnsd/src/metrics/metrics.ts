/*
 * The metrics of dnsd in the Prometheus text format. Each metric is described in
 * `docs/reference/dns-metrics.md`.
 *
 *   metric-set        creates metrics
 *   answer-metrics    queries, responses, drops
 *   feed-metrics      zones, the feed, the disk
 *   process-metrics   memory, processor time, threads
 *   count-metrics     the counts of queries that are written to the database, and the live view
 */
import {
  countCountEvents,
  countLiveEvents,
  showCounts,
  type CountsSource,
} from './count-metrics.ts'
import { showAnswers } from './answer-metrics.ts'
import { countStoreEvents, showFeed } from './feed-metrics.ts'
import { MetricSet } from './metric-set.ts'
import { showProcess, showWorkers } from './process-metrics.ts'
import type { Registry } from './prometheus.ts'
import type { CountEvents } from '../count-writing/query-counts.ts'
import type { LiveEvents } from '../live-queries/index.ts'
import type {
  CounterRow,
  RateLimitTable,
  ServerEvents,
  SharedCounters,
  WorkerEvents,
  WorkerPool,
} from '../server/index.ts'
import type { PostgresFollower, SnapshotAndLog, StoreEvents, ZoneStore } from '../store/index.ts'
import type { ZoneTable } from '../table/index.ts'

export interface MetricsParts {
  /** The counters of all threads. */
  readonly counters: SharedCounters
  /** The counters of this thread, which answers over TCP. */
  readonly row: CounterRow
  readonly limits: RateLimitTable
  readonly table: ZoneTable
}

/**
 * Listeners for events that are counted as they happen. The other metrics are read when they are
 * exported.
 */
export class Metrics {
  readonly registry: Registry
  /** Listeners for the server of this thread. */
  readonly server: ServerEvents
  /** Listeners for events of the worker threads. */
  readonly workers: Pick<WorkerEvents, 'workerDied' | 'workerFellBack'>
  readonly store: StoreEvents
  readonly counts: CountEvents
  readonly live: LiveEvents
  readonly #metrics = new MetricSet()

  constructor({ counters, row, limits, table }: MetricsParts) {
    const metrics = this.#metrics
    this.registry = metrics.registry
    this.server = this.#countServerEvents(row)
    this.workers = this.#countWorkerEvents()
    this.store = countStoreEvents(metrics)
    this.counts = countCountEvents(metrics)
    this.live = countLiveEvents(metrics)
    showAnswers(metrics, counters, limits)
    showProcess(metrics, table)
  }

  /** Exports the state of the zones and of the feed. */
  watchFeed(
    store: ZoneStore,
    follower: PostgresFollower,
    disk: Pick<SnapshotAndLog, 'status'>,
  ): void {
    showFeed(this.#metrics, store, follower, disk)
  }

  watchWorkers(pool: Pick<WorkerPool, 'answering'>): void {
    showWorkers(this.#metrics, pool)
  }

  watchCounts(source: CountsSource): void {
    showCounts(this.#metrics, source)
  }

  #countServerEvents(row: CounterRow): ServerEvents {
    let connections = 0
    this.#metrics.gauge('tcp_connections', 'Open TCP connections.', [], (set) => {
      set({}, connections)
    })
    const help = 'Closed TCP connections.'
    const closed = this.#metrics.counter('tcp_closed_total', help, ['reason'])
    return {
      answered: (answered) => row.answered(answered),
      dropped: () => row.dropped('no-request'),
      failed: () => row.dropped('fault'),
      unsent: () => row.dropped('unsent'),
      connectionOpened: () => {
        connections += 1
      },
      connectionClosed: (reason) => {
        connections -= 1
        closed.inc({ reason: reason ?? 'client' })
      },
    }
  }

  #countWorkerEvents(): Pick<WorkerEvents, 'workerDied' | 'workerFellBack'> {
    const deaths = this.#metrics.counter('worker_deaths_total', 'Threads that died.', [])
    const help = 'Threads that were restarted without batches.'
    const fallbacks = this.#metrics.counter('worker_fallbacks_total', help, [])
    return { workerDied: () => deaths.inc(), workerFellBack: () => fallbacks.inc() }
  }
}
