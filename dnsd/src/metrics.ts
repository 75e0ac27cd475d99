/* What dnsd counts, in the text format of Prometheus. */
import { Counter, Gauge, Registry } from 'prom-client'
import { nameToText } from './names/index.ts'
import { QueryCounts } from './query-counts.ts'
import type { ServerEvents } from './server/index.ts'
import type { PostgresFollower, SourceState, StoreEvents, ZoneStore } from './store/index.ts'

const SOURCE_STATES: readonly SourceState[] = ['away', 'reading', 'current']

export class Metrics {
  readonly registry = new Registry()
  readonly #queries = new QueryCounts()
  readonly #answerOctets = this.#counter('answer_octets_total', 'Octets of answers.', [])
  readonly #truncated = this.#counter('truncated_total', 'Answers with TC.', ['transport'])
  readonly #dropped = this.#counter('dropped_total', 'Packets without an answer.', ['reason'])
  readonly #connections = this.#gauge('tcp_connections', 'Open TCP connections.', [])
  readonly #closed = this.#counter('tcp_closed_total', 'TCP connections that ended.', ['reason'])
  readonly #applied = this.#counter('change_sets_total', 'Change sets served.', ['zone'])
  readonly #resyncs = this.#counter('resyncs_total', 'Zones read as a whole.', ['zone', 'reason'])
  readonly #skipped = this.#counter('skipped_rows_total', 'Rows that cannot be served.', ['zone'])
  readonly #diskErrors = this.#counter('disk_errors_total', 'Failed writes.', ['file'])
  readonly #snapshots = this.#counter('snapshots_total', 'Snapshots written.', [])

  constructor() {
    const labelNames = ['transport', 'type', 'rcode'] as const
    const queries = this.#queries
    const counter = new Counter({
      name: 'homing_dnsd_queries_total',
      help: 'Answered queries.',
      labelNames,
      registers: [this.registry],
      collect() {
        counter.reset()
        for (const { count, ...labels } of queries) counter.inc(labels, count)
      },
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

  readonly server: ServerEvents = {
    answered: (answered) => {
      this.#queries.add(answered)
      this.#answerOctets.inc(answered.octets)
      if (answered.truncated) this.#truncated.inc({ transport: answered.transport })
    },
    dropped: () => this.#dropped.inc({ reason: 'no-request' }),
    failed: () => this.#dropped.inc({ reason: 'fault' }),
    unsent: () => this.#dropped.inc({ reason: 'unsent' }),
    connectionOpened: () => this.#connections.inc(),
    connectionClosed: (reason) => {
      this.#connections.dec()
      this.#closed.inc({ reason: reason ?? 'client' })
    },
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
