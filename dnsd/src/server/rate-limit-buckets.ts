/*
 * The memory of response rate limiting: a fixed-size table that all worker threads share.
 *
 * A bucket has two numbers: 32 bits of a keyed hash that identifies the answers it counts, and the
 * time at which its debt is paid if each answer costs 1/rate of a second. The debt of an unused bucket
 * shrinks as time passes, so the table needs no cleanup.
 *
 * Four buckets form a set, and a hash belongs to one set. When a fifth hash arrives, it replaces the
 * bucket with the least debt. A flood of new names therefore displaces buckets that were used once and
 * never one that is being limited. A new bucket does not inherit the debt of the old one.
 *
 * There is no lock. Two threads that count in one bucket at the same time may lose a count. A thread
 * that reads between the two writes of another may mistake the bucket for another one, for one packet.
 */
import { randomFillSync } from 'node:crypto'

const SETS = 65_536
const WAYS = 4
const BUCKET_WORDS = 2
const SET_WORDS = WAYS * BUCKET_WORDS
const HEADER_WORDS = 16
const SEED_WORD = 0
const TABLE_WORDS = HEADER_WORDS + SETS * SET_WORDS

/** The counters of limited answers. */
type LimitCounter = 'slipped' | 'dropped'
const COUNTER_WORD: Record<LimitCounter, number> = { slipped: 4, dropped: 6 }

/** The shared table as passed to threads: 2 MiB. */
export type RateLimitTable = SharedArrayBuffer

/** Creates a table with a secret random seed. */
export function createRateLimitTable(): RateLimitTable {
  const table = new SharedArrayBuffer(TABLE_WORDS * Int32Array.BYTES_PER_ELEMENT)
  const seed = randomFillSync(new Int32Array(2))
  new Int32Array(table).set(seed, SEED_WORD)
  return table
}

/** How many answers of this table were limited since it was created, over all threads. */
export function limitedCounts(table: RateLimitTable): Record<LimitCounter, number> {
  const counters = new BigUint64Array(table, 0, HEADER_WORDS / 2)
  const of = (counter: LimitCounter): number =>
    Number(Atomics.load(counters, COUNTER_WORD[counter] / 2))
  return { slipped: of('slipped'), dropped: of('dropped') }
}

export interface BucketRates {
  /** The sustained rate of a bucket in answers per second, which is also its burst after a pause. */
  readonly responsesPerSecond: number
  /** The maximum time that a bucket stays limited after a flood has ended. */
  readonly debtSeconds: number
}

/** Times are in ticks, modulo 2³²: the clock wraps in three days. */
export const TICK_MICROSECONDS = 64
const SECOND = 1_000_000 / TICK_MICROSECONDS
// The maximum difference between the clocks of two threads; in practice it is close to zero.
const MOST_AHEAD = SECOND

/** One thread's access to the buckets. */
export class RateLimitBuckets {
  readonly #words: Int32Array
  readonly #counters: BigUint64Array
  readonly #cost: number
  readonly #burst: number
  readonly #mostDebt: number

  constructor(table: RateLimitTable, { responsesPerSecond, debtSeconds }: BucketRates) {
    this.#words = new Int32Array(table)
    this.#counters = new BigUint64Array(table, 0, HEADER_WORDS / 2)
    this.#cost = Math.max(1, Math.floor(SECOND / responsesPerSecond))
    this.#burst = Math.max(SECOND, this.#cost)
    this.#mostDebt = Math.max(debtSeconds * SECOND, 2 * this.#burst)
  }

  get seed(): readonly [number, number] {
    return [this.#words[SEED_WORD] ?? 0, this.#words[SEED_WORD + 1] ?? 0]
  }

  /**
   * Counts one answer, including one that is then dropped: a client that continues to ask stays in
   * debt.
   *
   * @param place selects the set
   * @param check identifies the bucket within its set
   * @param now in ticks of a monotonic clock that all threads share
   * @returns whether the answer is within the rate
   */
  take(place: number, check: number, now: number): boolean {
    const words = this.#words
    const set = HEADER_WORDS + (place & (SETS - 1)) * SET_WORDS
    let chosen = set
    let leastDebt = Infinity
    for (let at = set; at < set + SET_WORDS; at += BUCKET_WORDS) {
      const debt = this.#debtAt(at, now)
      if (words[at] === check) {
        const owed = Math.min(debt + this.#cost, this.#mostDebt)
        words[at + 1] = (now + owed) | 0
        return debt + this.#cost <= this.#burst
      }
      if (debt < leastDebt) {
        leastDebt = debt
        chosen = at
      }
    }
    words[chosen] = check
    words[chosen + 1] = (now + this.#cost) | 0
    return true
  }

  count(counter: LimitCounter): void {
    Atomics.add(this.#counters, COUNTER_WORD[counter] / 2, 1n)
  }

  // A time further ahead than the maximum debt is days old: the clock has wrapped. A time slightly
  // further ahead comes from a thread whose clock is ahead of this one.
  #debtAt(at: number, now: number): number {
    const debt = ((this.#words[at + 1] ?? 0) - now) | 0
    if (debt <= 0 || debt > this.#mostDebt + MOST_AHEAD) return 0
    return Math.min(debt, this.#mostDebt)
  }
}
