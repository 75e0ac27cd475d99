/**
 * Counts hits by forward and day (UTC), without anything about the visitor. Counts leave in batches with an id of their
 * own, so that a batch whose answer was lost can be sent again and is stored once.
 */
import { randomUUID } from 'node:crypto'

const DAY_MS = 86_400_000
/** Counts of a forward and day that are kept while PostgreSQL is not available. */
const COUNTS_LIMIT = 200_000
/** Counts in one statement. */
const BATCH_COUNTS = 5_000

export interface HitBatch {
  readonly id: string
  /** The same length each; the n-th entries belong together. */
  readonly forwardIds: readonly number[]
  /** `2027-03-01` */
  readonly days: readonly string[]
  readonly hits: readonly number[]
}

export class HitCounter {
  readonly #countsLimit: number
  readonly #batches: HitBatch[] = []
  #batchCounts = 0
  /** Days since 1970. */
  #day = 0
  #ofDay = new Map<number, number>()
  #dropped = 0

  constructor(countsLimit = COUNTS_LIMIT) {
    this.#countsLimit = countsLimit
  }

  /** Hits that were not counted, because too many counts were waiting. */
  get dropped(): number {
    return this.#dropped
  }

  /** Hits that are not stored yet. */
  get waiting(): number {
    let waiting = 0
    for (const hits of this.#ofDay.values()) waiting += hits
    for (const { hits } of this.#batches) for (const count of hits) waiting += count
    return waiting
  }

  /** @param nowMs milliseconds since 1970 */
  count(forwardId: number, nowMs: number): void {
    const day = Math.floor(nowMs / DAY_MS)
    if (day !== this.#day) {
      this.#close()
      this.#day = day
    }
    const before = this.#ofDay.get(forwardId)
    if (before === undefined && this.#batchCounts + this.#ofDay.size >= this.#countsLimit) {
      this.#dropped += 1
    } else this.#ofDay.set(forwardId, (before ?? 0) + 1)
  }

  /** Closes the current counts, and returns all batches that are not stored yet, the oldest first. */
  batches(): readonly HitBatch[] {
    this.#close()
    return [...this.#batches]
  }

  /** The batch is stored. */
  stored(batch: HitBatch): void {
    const at = this.#batches.indexOf(batch)
    if (at < 0) return
    this.#batches.splice(at, 1)
    this.#batchCounts -= batch.hits.length
  }

  #close(): void {
    const counts = [...this.#ofDay]
    this.#ofDay = new Map()
    const day = new Date(this.#day * DAY_MS).toISOString().slice(0, 10)
    for (let at = 0; at < counts.length; at += BATCH_COUNTS) {
      const some = counts.slice(at, at + BATCH_COUNTS)
      this.#batches.push({
        id: randomUUID(),
        forwardIds: some.map(([id]) => id),
        days: some.map(() => day),
        hits: some.map(([, hits]) => hits),
      })
    }
    this.#batchCounts += counts.length
  }
}
