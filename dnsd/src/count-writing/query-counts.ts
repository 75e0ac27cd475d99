/*
 * Moves the counts of queries, by name and network, from the counting threads to the database.
 *
 * Each thread counts in one half of its own memory (query-counts/count-table). Once a minute the halves are
 * swapped, and the inactive halves are written to the database in one transaction. While the database is away
 * and they cannot be written, the threads continue with their current halves: counts add up there, and lose
 * detail when the halves are full. So memory use stays constant, however long this lasts.
 *
 * Nothing is counted twice. The database stores the id of each batch, so a batch with an unknown outcome can
 * be retried. It is discarded before the database deletes its id.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type CountBatch, UnknownOutcome, type WrittenCounts } from './count-writer.ts'
import {
  activeHalf,
  changeHalf,
  countedRows,
  type CountedRow,
  type CountTable,
  emptyHalf,
  isEmptyHalf,
} from '../query-counts/index.ts'
import type { Control } from '../table/index.ts'

/** Events of the counts, for the log and the metrics. */
export interface CountEvents {
  countsWritten(written: WrittenCounts): void
  /** The counts are kept and will be retried. Called once for each reason. */
  countsUnwritten(why: Error): void
  /** Counts were lost permanently. */
  countsLost(queries: number, why: string): void
}

export interface QueryCountsOptions {
  /** The tables of all counting threads. */
  readonly tables: readonly CountTable[]
  /** The control of the zone table, which knows which threads are answering a query. */
  readonly control: Pick<Control, 'epoch' | 'raiseEpoch' | 'isPast'>
  /** @throws an error when nothing was written, or UnknownOutcome */
  readonly write: (batch: CountBatch, signal: AbortSignal) => Promise<WrittenCounts>
  readonly events: CountEvents
  readonly everyMs?: number
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number
}

/** Inactive halves, in which the last counting calls may still be running. */
interface Resting {
  readonly id: string
  /** Calls that entered the table later than this count in the other halves. */
  readonly epoch: number
  readonly sinceMs: number
  /** The time of the first try with an unknown outcome. */
  uncertainSinceMs: number | undefined
}

const EVERY_MS = 60_000
// A packet takes microseconds, a batch of them a millisecond.
const REST_LOOK_MS = 5
const REST_LIMIT_MS = 1_000
// The database keeps an id for two days.
const UNCERTAIN_LIMIT_MS = 24 * 3_600_000
// The time limit for writing the last counts at a stop.
const STOP_LIMIT_MS = 2_000

export class QueryCounts {
  readonly #options: QueryCountsOptions
  readonly #now: () => number
  readonly #stopping = new AbortController()
  #resting: Resting | undefined
  #timer: NodeJS.Timeout | undefined
  #underWay: Promise<void> = Promise.resolve()
  #toldReason = ''

  constructor(options: QueryCountsOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  /** Starts to write counts regularly. */
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

  /** How many seconds the oldest inactive counts have been waiting. */
  get waitingSeconds(): number {
    return this.#resting === undefined ? 0 : (this.#now() - this.#resting.sinceMs) / 1000
  }

  /** Writes the counts, one call after the other. It never fails: failed writes are retried. */
  async flush(): Promise<void> {
    this.#underWay = this.#underWay.then(() => this.#flush(this.#stopping.signal))
    await this.#underWay
  }

  /** Writes the remaining counts. Call it when no thread counts any more. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#stopping.abort()
    await this.#underWay
    const limit = AbortSignal.timeout(STOP_LIMIT_MS)
    // First the inactive halves, then the others.
    await this.#flush(limit)
    if (this.#resting === undefined) await this.#flush(limit)
    this.#lose('the daemon stops')
  }

  async #flush(signal: AbortSignal): Promise<void> {
    const resting = (this.#resting ??= this.#changeHalves())
    if (!(await this.#isAtRest(resting))) return
    if (this.#options.tables.every((table) => isEmptyHalf(table, restingHalf(table)))) {
      this.#resting = undefined
      return
    }
    await this.#write(resting, signal)
  }

  #changeHalves(): Resting {
    const { tables, control } = this.#options
    for (const table of tables) changeHalf(table)
    const { epoch } = control
    control.raiseEpoch()
    return { id: randomUUID(), epoch, sinceMs: this.#now(), uncertainSinceMs: undefined }
  }

  async #isAtRest({ epoch }: Resting): Promise<boolean> {
    const { control } = this.#options
    for (let waitedMs = 0; waitedMs < REST_LIMIT_MS; waitedMs += REST_LOOK_MS) {
      if (control.isPast(epoch)) return true
      await delay(REST_LOOK_MS)
    }
    return false
  }

  async #write(resting: Resting, signal: AbortSignal): Promise<void> {
    const { write, events } = this.#options
    const { id } = resting
    const ageSeconds = (this.#now() - resting.sinceMs) / 1000
    try {
      const written = await write({ id, ageSeconds, rows: this.#restingRows() }, signal)
      this.#toldReason = ''
      this.#empty()
      events.countsWritten(written)
    } catch (error) {
      this.#failed(resting, error instanceof Error ? error : new Error(String(error)))
    }
  }

  #failed(resting: Resting, error: Error): void {
    if (error instanceof UnknownOutcome) resting.uncertainSinceMs ??= this.#now()
    if (this.#toldReason !== error.message) this.#options.events.countsUnwritten(error)
    this.#toldReason = error.message
    const { uncertainSinceMs } = resting
    if (uncertainSinceMs === undefined) return
    if (this.#now() - uncertainSinceMs < UNCERTAIN_LIMIT_MS) return
    this.#loseResting('it is unknown whether they were written')
  }

  *#restingRows(): Generator<CountedRow> {
    for (const table of this.#options.tables) yield* countedRows(table, restingHalf(table))
  }

  #empty(): void {
    for (const table of this.#options.tables) emptyHalf(table, restingHalf(table))
    this.#resting = undefined
  }

  #loseResting(why: string): void {
    let queries = 0
    for (const { count } of this.#restingRows()) queries += count
    this.#empty()
    if (queries > 0) this.#options.events.countsLost(queries, why)
  }

  /** All counts that are not written. */
  #lose(why: string): void {
    this.#loseResting(why)
    this.#resting = this.#changeHalves()
    this.#loseResting(why)
  }
}

function restingHalf(table: CountTable): 0 | 1 {
  return activeHalf(table) === 0 ? 1 : 0
}
