/*
 * The memory of response rate limiting: a table of fixed size that all worker threads share.
 *
 * A bucket is two numbers: which answers it counts, as 32 bits of a keyed hash, and the moment at
 * which all of them would be paid for if they cost 1/rate of a second each. A bucket that is not
 * used pays off its debt by the passing of time, so nothing ever has to be swept.
 *
 * Four buckets are a set, and a hash belongs into one set. Where a fifth comes, the bucket with the
 * least debt goes. A flood of ever new names therefore pushes out others that were asked once, and
 * never one that is being limited. Nobody inherits what another owes.
 *
 * There is no lock. Two threads that count into one bucket at the same time may lose a count, and one
 * that reads between the two writes of another takes the bucket for somebody's that it is not, for
 * one packet.
 */
import { randomFillSync } from 'node:crypto'

const SETS = 65_536
const WAYS = 4
const BUCKET_WORDS = 2
const SET_WORDS = WAYS * BUCKET_WORDS
const HEADER_WORDS = 16
const SEED_WORD = 0
const TABLE_WORDS = HEADER_WORDS + SETS * SET_WORDS

/** What is counted of limited answers. */
type LimitCounter = 'slipped' | 'dropped'
const COUNTER_WORD: Record<LimitCounter, number> = { slipped: 4, dropped: 6 }

/** The shared table as it is handed to threads: 2 MiB. */
export type RateLimitTable = SharedArrayBuffer

/** A new table, with a seed that nobody outside knows. */
export function createRateLimitTable(): RateLimitTable {
  const table = new SharedArrayBuffer(TABLE_WORDS * Int32Array.BYTES_PER_ELEMENT)
  const seed = randomFillSync(new Int32Array(2))
  new Int32Array(table).set(seed, SEED_WORD)
  return table
}

/** How often answers of this table were limited since it was made, over all threads. */
export function limitedCounts(table: RateLimitTable): Record<LimitCounter, number> {
  const counters = new BigUint64Array(table, 0, HEADER_WORDS / 2)
  const of = (counter: LimitCounter): number =>
    Number(Atomics.load(counters, COUNTER_WORD[counter] / 2))
  return { slipped: of('slipped'), dropped: of('dropped') }
}

export interface BucketRates {
  /** Answers a second that a bucket takes for ever, and as many at once after a rest. */
  readonly responsesPerSecond: number
  /** How long a bucket stays limited, at most, after a flood has ended. */
  readonly debtSeconds: number
}

/** A moment is a number of ticks, modulo 2³²: the clock goes round in three days. */
export const TICK_MICROSECONDS = 64
const SECOND = 1_000_000 / TICK_MICROSECONDS
// How far the clocks of two threads are apart at most; in truth hardly at all.
const MOST_AHEAD = SECOND

/** The buckets as one thread uses them. */
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
   * Counts one answer, also one that is then not given: who goes on asking goes on owing.
   *
   * @param place chooses the set
   * @param check tells the buckets of a set apart
   * @param now in ticks of a clock that only goes forward and that all threads share
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

  // A moment further away than any debt reaches is one of days ago: the clock has gone round. A little
  // further is one that a thread wrote whose clock is ahead of this one's.
  #debtAt(at: number, now: number): number {
    const debt = ((this.#words[at + 1] ?? 0) - now) | 0
    if (debt <= 0 || debt > this.#mostDebt + MOST_AHEAD) return 0
    return Math.min(debt, this.#mostDebt)
  }
}
