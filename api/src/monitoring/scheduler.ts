/**
 * Claims due checks, as many as there are places for, and runs them. Any number of workers can do this at once. There is no
 * timer for a monitor: the database knows when it is due.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Log } from '../process/log.ts'
import type { DatabaseWatch } from './database-watch.ts'
import type { LagWindow } from './lag-window.ts'
import type { MonitorMetrics } from './metrics.ts'
import { addressOf, probe, type Probed, type ProbeServices } from './probes/probe.ts'
import { notChecked } from './probes/probe-result.ts'
import type { References } from './references.ts'
import { inDoubt, type ResultRecorder } from './result-recorder.ts'
import type { DueMonitor } from './store/check-result.ts'
import { claimDue, giveBack } from './store/claim-due.ts'
import { postpone, takeDestinations } from './store/take-destinations.ts'

export interface SchedulerOptions {
  readonly knex: Knex
  readonly leaseMs: number
  /** The maximum number of checks under way. */
  readonly places: number
  readonly probes: ProbeServices
  readonly references: References
  readonly results: ResultRecorder
  readonly database: DatabaseWatch
  readonly lag: LagWindow
  readonly metrics: MonitorMetrics
  readonly log: Log
  readonly now: () => number
}

/** A claim takes at most this many, so that connections do not all open at once after a pause. */
const CLAIM_LIMIT = 200
/** The time between two claims, and after a claim that found more than it could take. */
const CLAIM_EVERY_MS = 250
const CLAIM_MORE_MS = 50
/** A pause that is longer by this much means that the process has more to do than it can: it then claims less. */
const BUSY_MS = 200
const LEAST_CLAIM = 10

/** Kinds that connect to an address of the owner, whose checks are limited. */
const CONNECTING: ReadonlySet<DueMonitor['kind']> = new Set(['https', 'http', 'tcp', null])

/** A check that this worker has claimed. */
interface Claimed {
  readonly monitor: DueMonitor
  /** A UUID of the claim, so that a result never counts for a later claim with other settings. */
  readonly lease: string
}

export class Scheduler {
  readonly #options: SchedulerOptions
  readonly #stopping = new AbortController()
  readonly #underWay = new Set<Claimed>()
  #claimLimit = CLAIM_LIMIT
  readonly #loop: Promise<void>

  /** Begins at once. */
  constructor(options: SchedulerOptions) {
    this.#options = options
    this.#loop = this.#run()
  }

  /** Starts no more checks, and gives those that are under way back to other workers. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#loop
    await this.#options.results.stop()
    await this.#options.database.run(() => this.#giveBack()).catch(() => undefined)
  }

  async #giveBack(): Promise<void> {
    const byLease = Map.groupBy(this.#underWay, ({ lease }) => lease)
    for (const [lease, claimed] of byLease) {
      const ids = claimed.map(({ monitor }) => monitor.id)
      await giveBack(this.#options.knex, lease, ids)
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    const { now } = this.#options
    while (!signal.aborted) {
      // A failure is logged where it happened; the next claim makes up for it.
      const isMore = await this.#claim().catch(() => false)
      const pauseMs = isMore ? CLAIM_MORE_MS : CLAIM_EVERY_MS
      const begunMs = now()
      await delay(pauseMs, undefined, { signal }).catch(() => undefined)
      this.#adapt(now() - begunMs - pauseMs)
    }
  }

  /** Otherwise a backlog of checks would delay their own answers, which would then look like timeouts. */
  #adapt(lateMs: number): void {
    const limit = this.#claimLimit
    this.#claimLimit =
      lateMs > BUSY_MS
        ? Math.max(LEAST_CLAIM, Math.floor(limit / 2))
        : Math.min(CLAIM_LIMIT, limit + LEAST_CLAIM)
  }

  /** Starts the checks that are due. @returns whether more may be due */
  async #claim(): Promise<boolean> {
    const { knex, leaseMs, places, database, lag, metrics, now } = this.#options
    const limit = Math.min(places - this.#underWay.size, this.#claimLimit)
    if (limit <= 0) return true
    const lease = randomUUID()
    const due = await database.run(async () =>
      this.#admitted(await claimDue(knex, { lease, limit, leaseMs }), lease),
    )
    for (const monitor of due) {
      lag.add({ atMs: now(), lagMs: monitor.lag_ms })
      metrics.lag.observe(monitor.lag_ms / 1_000)
      void this.#check({ monitor, lease })
    }
    return due.length === limit
  }

  /** The monitors whose addresses may be checked in this minute. The others are postponed. */
  async #admitted(due: readonly DueMonitor[], lease: string): Promise<readonly DueMonitor[]> {
    const { knex, metrics } = this.#options
    const checks = due.flatMap((monitor) => {
      const address = destinationOf(monitor)
      return address === undefined ? [] : [{ id: monitor.id, userId: monitor.user_id, address }]
    })
    const allowed = await takeDestinations(knex, checks)
    const late = new Set(checks.filter((check) => !allowed.has(check)).map(({ id }) => id))
    if (late.size === 0) return due
    metrics.postponed.inc(late.size)
    await postpone(knex, lease, [...late])
    return due.filter(({ id }) => !late.has(id))
  }

  async #check(claimed: Claimed): Promise<void> {
    const { results, metrics, now } = this.#options
    this.#underWay.add(claimed)
    metrics.underWay.set(this.#underWay.size)
    const begunMs = now()
    const probed = await this.#probe(claimed.monitor, begunMs)
    this.#underWay.delete(claimed)
    metrics.underWay.set(this.#underWay.size)
    if (!this.#stopping.signal.aborted) results.add({ ...claimed, begunMs, probed })
  }

  /** Never throws: an error of ours must not look like one of the target. */
  async #probe(monitor: DueMonitor, begunMs: number): Promise<Probed> {
    const { probes, references, log } = this.#options
    try {
      const probed = await probe(monitor, probes)
      if (probed.outcome !== 'down') return probed
      const isGood = await references.answer(neededAnswer(monitor, begunMs))
      // A check that began without a network can fail at its time limit, when the references answer again.
      const isDoubtful = !isGood || references.haveFailedSince(begunMs)
      return isDoubtful ? inDoubt(probed) : probed
    } catch (error) {
      log.error({ err: error, monitor: monitor.id }, 'a check failed because of an error')
      const text = 'The check failed because of an error of the service.'
      return { kind: monitor.kind ?? 'https', ...notChecked('not-checked', text) }
    }
  }
}

const destinationOf = (monitor: DueMonitor) =>
  CONNECTING.has(monitor.kind) ? addressOf(monitor) : undefined

/**
 * How new the answer of the references must be. The network may have failed after the last answer and before the check, so
 * a failure that can change the state needs an answer that is newer than the check.
 */
const neededAnswer = ({ state }: DueMonitor, begunMs: number) =>
  state === 'down' ? undefined : begunMs
