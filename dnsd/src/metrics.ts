/* What dnsd counts, in the text format of Prometheus. */
import { Counter, Gauge, type Histogram, Registry } from 'prom-client'
import { nameToText } from './names/index.ts'
import {
  type CounterRow,
  DROP_REASONS,
  LATENCY_BOUNDS_SECONDS,
  limitedCounts,
  type RateLimitTable,
  type ServerEvents,
  type SharedCounters,
  type Transport,
  type WorkerEvents,
} from './server/index.ts'
import type { PostgresFollower, SourceState, StoreEvents, ZoneStore } from './store/index.ts'

const TRANSPORTS: readonly Transport[] = ['udp', 'tcp']
const SOURCE_STATES: readonly SourceState[] = ['away', 'reading', 'current']

export class Metrics {
  readonly registry = new Registry()
  readonly #counters: SharedCounters
  readonly #connections = this.#gauge('tcp_connections', 'Open TCP connections.', [])
  readonly #closed = this.#counter('tcp_closed_total', 'TCP connections that ended.', ['reason'])
  readonly #applied = this.#counter('change_sets_total', 'Change sets served.', ['zone'])
  readonly #resyncs = this.#counter('resyncs_total', 'Zones read as a whole.', ['zone', 'reason'])
  readonly #skipped = this.#counter('skipped_rows_total', 'Rows that cannot be served.', ['zone'])
  readonly #diskErrors = this.#counter('disk_errors_total', 'Failed writes.', ['file'])
  readonly #workerDeaths = this.#counter('worker_deaths_total', 'Workers that died.', [])
  readonly #snapshots = this.#counter('snapshots_total', 'Snapshots written.', [])

  /**
   * @param counters of all threads
   * @param row of this one, which answers over TCP
   */
  constructor(counters: SharedCounters, row: CounterRow, limits: RateLimitTable) {
    this.#counters = counters
    this.server = {
      answered: (answered) => row.answered(answered),
      dropped: () => row.dropped('no-request'),
      failed: () => row.dropped('fault'),
      unsent: () => row.dropped('unsent'),
      connectionOpened: () => this.#connections.inc(),
      connectionClosed: (reason) => {
        this.#connections.dec()
        this.#closed.inc({ reason: reason ?? 'client' })
      },
    }
    this.#watchAnswers()
    this.#watchDrops(limits)
    this.registry.registerMetric(latencyHistogram(counters))
  }

  #watchAnswers(): void {
    const counters = this.#counters
    this.#total('queries_total', 'Answered queries.', ['transport', 'type', 'rcode'], (counter) => {
      for (const { count, ...labels } of counters.answers()) counter.inc(labels, count)
    })
    this.#total('hot_answers_total', 'Those of them on the hot path.', [], (counter) => {
      counter.inc(counters.hot)
    })
    this.#total('answer_octets_total', 'Octets of answers.', ['transport'], (counter) => {
      for (const transport of TRANSPORTS) counter.inc({ transport }, counters.octets(transport))
    })
    this.#total('truncated_total', 'Answers with TC.', ['transport'], (counter) => {
      for (const transport of TRANSPORTS) counter.inc({ transport }, counters.truncated(transport))
    })
  }

  #watchDrops(limits: RateLimitTable): void {
    const counters = this.#counters
    this.#total('dropped_total', 'Packets without an answer.', ['reason'], (counter) => {
      for (const reason of DROP_REASONS) counter.inc({ reason }, counters.dropped(reason))
      counter.inc({ reason: 'rate-limit' }, limitedCounts(limits).dropped)
    })
    this.#total('slipped_total', 'Answers that the rate limit cut down to TC.', [], (counter) => {
      counter.inc(limitedCounts(limits).slipped)
    })
  }

  /** Shows where the zones are, and where the feed is. */
  watch(store: ZoneStore, follower: PostgresFollower): void {
    this.#gauge('source_state', '1 for the state of the database now.', ['state'], (gauge) => {
      for (const state of SOURCE_STATES) gauge.set({ state }, follower.state === state ? 1 : 0)
    })
    this.#gauge('lag_seconds', 'Since nothing was known to be missing.', [], (gauge) => {
      if (follower.lagSeconds !== undefined) gauge.set(follower.lagSeconds)
    })
    this.#gauge('zone_serial', 'Feed serial that is served.', ['zone'], (gauge) => {
      for (const zone of store.zones.all()) {
        gauge.set({ zone: nameToText(zone.origin) }, Number(zone.version.serial))
      }
    })
    this.#gauge('zone_names', 'Existing names.', ['zone'], (gauge) => {
      for (const zone of store.zones.all()) {
        gauge.set({ zone: nameToText(zone.origin) }, zone.nameCount)
      }
    })
    this.#gauge('lag_serials', 'Published and not served yet.', ['zone'], (gauge) => {
      for (const zone of store.zones.all()) {
        const name = nameToText(zone.origin)
        const seen = follower.seenSerials.get(name)
        if (seen !== undefined) gauge.set({ zone: name }, Number(seen - zone.version.serial))
      }
    })
  }

  /** For the server of this thread, and for what happens to the others. */
  readonly server: ServerEvents

  readonly workers: Pick<WorkerEvents, 'workerDied'> = {
    workerDied: () => this.#workerDeaths.inc(),
  }

  readonly store: StoreEvents = {
    source: () => undefined,
    finding: () => undefined,
    loaded: () => undefined,
    removed: () => undefined,
    applied: (zone, sets) => this.#applied.inc({ zone }, sets),
    resync: (zone, reason) => this.#resyncs.inc({ zone, reason }),
    skipped: (zone) => this.#skipped.inc({ zone }),
    diskError: (file) => this.#diskErrors.inc({ file }),
    snapshot: () => this.#snapshots.inc(),
  }

  #counter<T extends string>(name: string, help: string, labelNames: readonly T[]): Counter<T> {
    return new Counter({
      name: `homing_dnsd_${name}`,
      help,
      labelNames,
      registers: [this.registry],
    })
  }

  /** A counter whose figures others keep. */
  #total<T extends string>(
    name: string,
    help: string,
    labelNames: readonly T[],
    collect: (counter: Counter<T>) => void,
  ): void {
    const counter: Counter<T> = new Counter({
      name: `homing_dnsd_${name}`,
      help,
      labelNames,
      registers: [this.registry],
      collect() {
        counter.reset()
        collect(counter)
      },
    })
  }

  #gauge<T extends string>(
    name: string,
    help: string,
    labelNames: readonly T[],
    collect?: (gauge: Gauge<T>) => void,
  ): Gauge<T> {
    const gauge: Gauge<T> = new Gauge({
      name: `homing_dnsd_${name}`,
      help,
      labelNames,
      registers: [this.registry],
      ...(collect && {
        collect() {
          gauge.reset()
          collect(gauge)
        },
      }),
    })
    return gauge
  }
}

/** The times of answers over UDP, which were put into buckets where they were measured. */
function latencyHistogram(counters: SharedCounters): Histogram {
  const name = 'homing_dnsd_answer_seconds'
  const help =
    'From receipt to send over UDP; one answer in some is timed and stands for all of them.'
  const get = async () => {
    const { counts, sumSeconds } = counters.latency
    let count = 0
    const buckets = counts.map((inBucket, index) => {
      count += inBucket
      const le = LATENCY_BOUNDS_SECONDS[index] ?? '+Inf'
      return { metricName: `${name}_bucket`, labels: { le }, value: count }
    })
    const totals = [
      { metricName: `${name}_sum`, labels: {}, value: sumSeconds },
      { metricName: `${name}_count`, labels: {}, value: count },
    ]
    return { name, help, type: 'histogram', aggregator: 'sum', values: [...buckets, ...totals] }
  }
  // What the registry asks of a metric; a Histogram of the library would have to be told each time by itself.
  return { name, help, type: 'histogram', get } as unknown as Histogram
}
