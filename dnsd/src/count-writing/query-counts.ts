/*
 * Moves the counts of queries from the counting threads to the database.
 *
 * Each thread counts in one half of its own memory (query-counts/count-table). Every ten seconds the halves are
 * swapped, and the counts of the inactive halves become a batch on the disk (`count-spool`). Then the batches on the
 * disk are written to the database (`count-delivery`). So a process that dies loses at most what it counted since the
 * last swap, and counts wait on the disk while the database is away.
 *
 * When the disk fails, the inactive halves are written to the database directly. While neither is possible, the
 * threads continue with their current halves: counts add up there, and lose detail when the halves are full. So
 * memory use stays constant, however long this lasts.
 *
 * Nothing is counted twice. The database stores the id of each batch, so a batch with an unknown outcome can
 * be retried. It is discarded before the database deletes its id.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  activeHalf,
  changeHalf,
  type CountLines,
  type CountTable,
  emptyHalf,
  type Half,
  isEmptyHalf,
  linesOfHalves,
} from '../query-counts/index.ts'
import type { Control } from '../table/index.ts'
import { ageOf, CountDelivery, type DeliveryEvents, isForgotten } from './count-delivery.ts'
import type { CountSpool, SpoolEvents } from './count-spool.ts'
import { type CountWriter, UnknownOutcome } from './count-writer.ts'

/** Events of the counts, for the log and the metrics. */
export type CountEvents = DeliveryEvents & SpoolEvents

export interface QueryCountsOptions {
  /** The tables of all counting threads. */
  readonly tables: readonly CountTable[]
  /** The control of the zone table, which knows which threads are answering a query. */
  readonly control: Pick<Control, 'epoch' | 'raiseEpoch' | 'isPast'>
  readonly spool: CountSpool
  /** @throws an error when the database cannot be reached */
  readonly connect: (signal: AbortSignal) => Promise<CountWriter>
  readonly events: CountEvents
  readonly everyMs?: number
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** Inactive halves, in which the last counting calls may still be running. */
interface Resting {
  readonly id: string
  /** Calls that entered the table later than this count in the other halves. */
  readonly epoch: number
  readonly endedAtMs: number
  /** The time of the first direct write with an unknown outcome. */
  sentAtMs: number | undefined
}

const EVERY_MS = 10_000
// A packet takes microseconds, a batch of them a millisecond.
const REST_LOOK_MS = 5
const REST_LIMIT_MS = 1_000
// The time limit for writing the last counts at a stop.
const STOP_LIMIT_MS = 2_000

export class QueryCounts {
  readonly #options: QueryCountsOptions
  readonly #now: () => number
  readonly #delivery: CountDelivery
  readonly #stopping = new AbortController()
  #resting: Resting | undefined
  #timer: NodeJS.Timeout | undefined
  #opened: Promise<void> | undefined
  #keeping: Promise<void> = Promise.resolve()
  #delivering: Promise<void> | undefined

  constructor(options: QueryCountsOptions) {
    const { spool, connect, events, now = Date.now } = options
    this.#options = options
    this.#now = now
    this.#delivery = new CountDelivery({ spool, connect, events, now })
  }

  /** Starts to write counts regularly, also those that an earlier process left on the disk. */
  start(): void {
    const { everyMs = EVERY_MS } = this.#options
    // Replicas that start together must not all write at the same time.
    this.#timer = setTimeout(
      () => {
        void this.flush()
        this.#timer = setInterval(() => void this.flush(), everyMs)
      },
      everyMs * (0.5 + Math.random() / 2),
    )
  }

  /** How many seconds the oldest counts outside of the active halves have been waiting. */
  get waitingSeconds(): number {
    const waiting = [...this.#options.spool.batches.slice(0, 1), this.#resting]
    const ended = waiting.flatMap((each) => (each === undefined ? [] : [each.endedAtMs]))
    return ended.length === 0 ? 0 : ageOf(Math.min(...ended), this.#now())
  }

  /** Keeps and writes the counts. It never fails: failed writes are retried. */
  async flush(): Promise<void> {
    await this.#open()
    await this.#keepNext(this.#stopping.signal)
    await this.#deliver(this.#stopping.signal)
  }

  /** Writes the remaining counts. Call it when no thread counts any more. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#stopping.abort()
    await this.#open()
    await this.#keeping
    await this.#delivering
    const limit = AbortSignal.timeout(STOP_LIMIT_MS)
    // First the inactive halves, then the others.
    await this.#keep(limit)
    if (this.#resting === undefined) await this.#keep(limit)
    this.#lose('the daemon stops')
    await this.#delivery.run(limit)
  }

  async #open(): Promise<void> {
    this.#opened ??= this.#options.spool.open()
    await this.#opened
  }

  // Batches are kept in turn, also while earlier ones are being written: that may take longer than the interval.
  async #keepNext(signal: AbortSignal): Promise<void> {
    this.#keeping = this.#keeping.then(() => this.#keep(signal))
    await this.#keeping
  }

  async #deliver(signal: AbortSignal): Promise<void> {
    this.#delivering ??= this.#delivery.run(signal).finally(() => (this.#delivering = undefined))
    await this.#delivering
  }

  async #keep(signal: AbortSignal): Promise<void> {
    const resting = (this.#resting ??= this.#changeHalves())
    if (!(await this.#isAtRest(resting))) return
    if (this.#options.tables.every((table) => isEmptyHalf(table, restingHalf(table)))) {
      this.#resting = undefined
      return
    }
    try {
      await this.#options.spool.add(resting, this.#restingLines())
      this.#empty()
    } catch {
      // The spool has reported it.
      await this.#writeDirectly(resting, signal)
    }
  }

  #changeHalves(): Resting {
    const { tables, control } = this.#options
    for (const table of tables) changeHalf(table)
    const { epoch } = control
    control.raiseEpoch()
    return { id: randomUUID(), epoch, endedAtMs: this.#now(), sentAtMs: undefined }
  }

  async #isAtRest({ epoch }: Resting): Promise<boolean> {
    const { control } = this.#options
    for (let waitedMs = 0; waitedMs < REST_LIMIT_MS; waitedMs += REST_LOOK_MS) {
      if (control.isPast(epoch)) return true
      await delay(REST_LOOK_MS)
    }
    return false
  }

  async #writeDirectly(resting: Resting, signal: AbortSignal): Promise<void> {
    const { id, endedAtMs } = resting
    let writer: CountWriter | undefined
    try {
      writer = await this.#options.connect(signal)
      const ageSeconds = ageOf(endedAtMs, this.#now())
      const written = await writer.write({ id, ageSeconds, lines: this.#restingLines() })
      this.#empty()
      this.#delivery.written(written)
    } catch (error) {
      this.#delivery.unwritten(error)
      if (error instanceof UnknownOutcome) resting.sentAtMs ??= this.#now()
      if (isForgotten(resting.sentAtMs, this.#now())) {
        this.#loseResting('it is unknown whether they were written')
      }
    } finally {
      writer?.close()
    }
  }

  #restingLines(): CountLines {
    return linesOfHalves(this.#options.tables, restingHalf)
  }

  #empty(): void {
    for (const table of this.#options.tables) emptyHalf(table, restingHalf(table))
    this.#resting = undefined
  }

  #loseResting(why: string): void {
    const lines = this.#restingLines()
    let step = lines.next()
    while (step.done !== true) step = lines.next()
    const { queries } = step.value
    this.#empty()
    if (queries > 0) this.#options.events.countsLost(queries, why)
  }

  /** All counts that are neither on the disk nor in the database. */
  #lose(why: string): void {
    this.#loseResting(why)
    this.#resting = this.#changeHalves()
    this.#loseResting(why)
  }
}

function restingHalf(table: CountTable): Half {
  return activeHalf(table) === 0 ? 1 : 0
}
