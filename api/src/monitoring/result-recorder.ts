/**
 * Gathers the results of checks and records them in batches. Failures count as unknown while the worker does not trust
 * its network. While the database is unavailable, results wait as long as their lease lasts.
 */
import type { MonitorKind } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import type { Log } from '../process/log.ts'
import { isBadData } from './bad-data.ts'
import type { DatabaseWatch } from './database-watch.ts'
import type { MonitorMetrics } from './metrics.ts'
import type { NetworkTrust } from './network-trust.ts'
import type { Probed } from './probes/probe.ts'
import { CHECKER_OFFLINE, notChecked } from './probes/probe-result.ts'
import { amendDoubtful } from './store/amend-doubtful.ts'
import type { CheckResult, DueMonitor, Recorder } from './store/check-result.ts'
import { recordResults } from './store/record-results.ts'

/** A check that has ended. Times are from a monotonic clock, in milliseconds. */
export interface EndedCheck {
  readonly monitor: DueMonitor
  /** The UUID of the claim. */
  readonly lease: string
  readonly begunMs: number
  readonly probed: Probed
}

export interface RecorderOptions {
  readonly knex: Knex
  readonly recorder: Recorder
  readonly database: DatabaseWatch
  readonly trust: NetworkTrust
  readonly metrics: MonitorMetrics
  readonly log: Log
  readonly now: () => number
  /** How long a result can be recorded after its check began. */
  readonly leaseMs: number
}

const GATHER_MS = 250
const FULL_BATCH = 200
const LARGEST_BATCH = 500
const RETRY_MS = 1_000
/** How far back states that this worker found become doubtful when it becomes blind. */
const DOUBTFUL_MS = 60_000

/** Kinds whose checks do not use the network of the targets, so that they say nothing about it. */
const NOT_OF_NETWORK: ReadonlySet<MonitorKind> = new Set(['dns', 'heartbeat'])
const DECIDED: ReadonlySet<CheckResult['outcome']> = new Set(['up', 'down'])

/** The check says nothing about the target. It decides nothing either, so `found` goes. */
export function inDoubt({ kind }: Probed): Probed {
  return { kind, ...notChecked('checker-offline', CHECKER_OFFLINE) }
}

export class ResultRecorder {
  readonly #options: RecorderOptions
  #waiting: EndedCheck[] = []
  #timer: NodeJS.Timeout | undefined
  #underWay: Promise<void> | undefined
  #owesAmendment = false

  constructor(options: RecorderOptions) {
    this.#options = options
  }

  add(check: EndedCheck): void {
    const { monitor, probed } = check
    const { trust, now } = this.#options
    if (!NOT_OF_NETWORK.has(probed.kind) && DECIDED.has(probed.outcome)) {
      const isUp = probed.outcome === 'up'
      const wasUp = monitor.state === 'up'
      const isNewFailure = !isUp && wasUp && monitor.streak === 0
      const { id: monitorId, user_id: userId } = monitor
      trust.see({ monitorId, userId, atMs: now(), isUp, wasUp, isNewFailure })
    }
    this.#waiting.push(check)
    if (this.#waiting.length >= FULL_BATCH) this.#begin()
    else this.#beginIn(GATHER_MS)
  }

  /** Records what waits. Results that cannot be recorded now are lost. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#underWay
    await this.#recordAll().catch(() => undefined)
    clearTimeout(this.#timer)
  }

  #beginIn(ms: number): void {
    this.#timer ??= setTimeout(() => this.#begin(), ms)
  }

  #begin(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#underWay ??= this.#recordAll()
      .catch(() => this.#beginIn(RETRY_MS))
      .finally(() => (this.#underWay = undefined))
  }

  async #recordAll(): Promise<void> {
    while (this.#waiting.length > 0 || this.#owesAmendment) await this.#recordBatch()
  }

  async #recordBatch(): Promise<void> {
    const { knex, recorder, database, trust, metrics, now } = this.#options
    this.#owesAmendment = trust.decide(now()) || this.#owesAmendment
    this.#dropLate()
    const batch = this.#waiting.slice(0, LARGEST_BATCH)
    const results = batch.map((check) => this.#resultOf(check))
    const recorded = await this.#record(results)
    this.#waiting = this.#waiting.slice(batch.length)
    for (const { kind, outcome } of recorded)
      metrics.checks.inc({ kind, outcome: outcome ?? 'none' })
    if (!this.#owesAmendment) return
    await database.run(() => amendDoubtful(knex, recorder.worker, DOUBTFUL_MS))
    this.#owesAmendment = false
  }

  /** Records results. One that the database refuses is dropped, so that it does not hold up the others. */
  async #record(results: readonly CheckResult[]): Promise<readonly CheckResult[]> {
    const { knex, recorder, database, metrics, log } = this.#options
    try {
      await database.run(() => recordResults(knex, recorder, results))
      return results
    } catch (error) {
      if (!isBadData(error)) throw error
      if (results.length > 1) {
        const half = Math.ceil(results.length / 2)
        const first = await this.#record(results.slice(0, half))
        return [...first, ...(await this.#record(results.slice(half)))]
      }
      log.error({ err: error, monitor: results[0]?.monitorId }, 'dropped a result that is invalid')
      metrics.dropped.inc()
      return []
    }
  }

  #resultOf({ monitor, lease, begunMs, probed }: EndedCheck): CheckResult {
    const { trust, now } = this.#options
    const believed = probed.outcome === 'down' && trust.doubts(begunMs) ? inDoubt(probed) : probed
    return { ...believed, monitorId: monitor.id, lease, ageMs: now() - begunMs }
  }

  #dropLate(): void {
    const { now, leaseMs, metrics } = this.#options
    const oldest = now() - leaseMs
    const kept = this.#waiting.filter(({ begunMs }) => begunMs >= oldest)
    metrics.dropped.inc(this.#waiting.length - kept.length)
    this.#waiting = kept
  }
}
