/*
 * How often which name was asked by which network, from the threads that count it to the database.
 *
 * Each thread counts in one half of a memory of its own (query-counts/count-table). Once a minute the halves
 * change places, and what is at rest then is written to the database in one transaction. While it cannot be
 * written, because the database is away, the threads go on with the halves they have: counts add up there, and
 * when those are full they lose detail. So nothing grows, however long that lasts.
 *
 * Nothing is counted twice: a batch has an id that the database knows afterwards, so one whose fate is not
 * known can be tried again. It is given up before the database forgets its id.
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

/** What happens to counts, for the log and the metrics. */
export interface CountEvents {
  countsWritten(written: WrittenCounts): void
  /** They are kept and tried again; told once for each reason. */
  countsUnwritten(why: Error): void
  /** Counts are gone for good. */
  countsLost(queries: number, why: string): void
}

export interface QueryCountsOptions {
  /** Of every thread that counts. */
  readonly tables: readonly CountTable[]
  /** Of the zones' table: it knows which threads are in the middle of an answer. */
  readonly control: Pick<Control, 'epoch' | 'raiseEpoch' | 'isPast'>
  /** @throws when it was not written, or UnknownOutcome */
  readonly write: (batch: CountBatch, signal: AbortSignal) => Promise<WrittenCounts>
  readonly events: CountEvents
  readonly everyMs?: number
  /** Milliseconds of a clock that only goes forward. */
  readonly now?: () => number
}

/** Halves that are at rest, or will be in a moment. */
interface Resting {
  readonly id: string
  /** Who has entered the table later counts in the other halves. */
  readonly epoch: number
  readonly sinceMs: number
  /** When it was tried first with an unknown outcome. */
  uncertainSinceMs: number | undefined
}

const EVERY_MS = 60_000
// A packet takes microseconds, a batch of them a millisecond.
const REST_LOOK_MS = 5
const REST_LIMIT_MS = 1_000
// The database knows an id for two days.
const UNCERTAIN_LIMIT_MS = 24 * 3_600_000
// What a stop may take for what was counted last.
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

  /** Writes what is counted, again and again. */
  start(): void {
    const { everyMs = EVERY_MS } = this.#options
    // Replicas that start together do not all write at the same moment.
    this.#timer = setTimeout(
      () => {
        void this.flush()
        this.#timer = setInterval(() => void this.flush(), everyMs)
      },
      everyMs * (0.5 + Math.random() / 2),
    )
  }

  /** Seconds for which the oldest counts that are at rest have been waiting. */
  get waitingSeconds(): number {
    return this.#resting === undefined ? 0 : (this.#now() - this.#resting.sinceMs) / 1000
  }

  /** Writes what is counted, one call after the other. Never fails: what cannot be written is tried again. */
  async flush(): Promise<void> {
    this.#underWay = this.#underWay.then(() => this.#flush(this.#stopping.signal))
    await this.#underWay
  }

  /** Writes what is left. To be called when no thread counts any more. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#stopping.abort()
    await this.#underWay
    const limit = AbortSignal.timeout(STOP_LIMIT_MS)
    // What is at rest already, and then the rest.
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
    this.#loseResting('nobody knows whether they were written')
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

  /** Everything that is counted and not written. */
  #lose(why: string): void {
    this.#loseResting(why)
    this.#resting = this.#changeHalves()
    this.#loseResting(why)
  }
}

function restingHalf(table: CountTable): 0 | 1 {
  return activeHalf(table) === 0 ? 1 : 0
}
