/** The metrics of the forwarder. Gauges read the state of its parts when they are collected. */
import { Counter, Gauge, type Registry } from 'prom-client'
import type { RereadReason } from './feed/chain.ts'

export interface MeasuredParts {
  readonly table: { readonly size: number }
  readonly follower: { readonly ageSeconds: number | undefined }
  readonly snapshot: { readonly writtenAtMs: number | undefined; readonly isBehind: boolean }
  readonly hits: { readonly waiting: number; readonly dropped: number }
}

export interface ForwarderMetrics {
  /** Counts an answer by its status. */
  answered(status: number): void
  /** Counts a read of the whole feed. */
  reread(reason: RereadReason): void
}

/** Registers the metrics. Ages of what does not exist yet are not reported. */
export function forwarderMetrics(registry: Registry, parts: MeasuredParts): ForwarderMetrics {
  const registers = [registry]
  // prom-client sorts and joins the labels of every observation, so answers are counted here.
  const answers = new Map<number, number>()
  const requests: Counter<'status'> = new Counter({
    name: 'homing_forward_requests_total',
    help: 'Requests for web forwards, by status.',
    labelNames: ['status'],
    registers,
    collect() {
      requests.reset()
      for (const [status, count] of answers) requests.inc({ status: String(status) }, count)
    },
  })
  const rereads = new Counter({
    name: 'homing_forward_feed_reads_total',
    help: 'Reads of the whole forward feed, by reason.',
    labelNames: ['reason'],
    registers,
  })
  measureParts(registry, parts)
  return {
    answered: (status) => void answers.set(status, (answers.get(status) ?? 0) + 1),
    reread: (reason) => rereads.inc({ reason }),
  }
}

function measureParts(registry: Registry, { table, follower, snapshot, hits }: MeasuredParts) {
  const gauge = (name: string, help: string, value: () => number | undefined): void => {
    const measured: Gauge = new Gauge({
      name: `homing_forward_${name}`,
      help,
      registers: [registry],
      collect: () => measured.set(value() ?? Number.NaN),
    })
  }
  gauge(
    'names',
    'Names in memory: forwarded ones, and those that stop a wildcard.',
    () => table.size,
  )
  gauge(
    'feed_age_seconds',
    'Time since all published changes were last known to be in memory.',
    () => follower.ageSeconds,
  )
  gauge(
    'snapshot_age_seconds',
    'Age of the snapshot while it lacks changes; 0 while it has all of them.',
    () => snapshotAge(snapshot),
  )
  gauge('hits_waiting', 'Hits that are not stored in PostgreSQL yet.', () => hits.waiting)
  const dropped: Counter = new Counter({
    name: 'homing_forward_hits_dropped_total',
    help: 'Hits that were not counted because too many counts were waiting.',
    registers: [registry],
    collect() {
      dropped.reset()
      dropped.inc(hits.dropped)
    },
  })
}

function snapshotAge({ writtenAtMs, isBehind }: MeasuredParts['snapshot']): number | undefined {
  if (writtenAtMs === undefined) return undefined
  return isBehind ? Math.max(0, (Date.now() - writtenAtMs) / 1_000) : 0
}
