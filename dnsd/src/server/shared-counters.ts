/*
 * The counters of all threads, in one block of shared memory.
 *
 * Each thread writes only its own row, so counting is an addition, without locks, messages or objects.
 * The reader of the counters adds up the rows. A thread that replaces a dead one continues its row, so
 * counters never decrease.
 *
 * Cells are doubles: exact up to 2^53, whereas 32 bits of octets would overflow within a minute. A row
 * is read while it is written. An aligned double is one load on supported machines. On others the
 * worst case is a value that is one answer old.
 */
import { SERVED_TYPES, TYPE, typeToText } from '../names/index.ts'
import { RCODE } from '../wire/index.ts'
import type { Answered, Transport } from './events.ts'
import { LATENCY_BUCKETS, latencyBucket } from './latency.ts'

const TRANSPORTS: readonly Transport[] = ['udp', 'tcp']

/** Why a packet got no answer. */
export const DROP_REASONS = ['no-request', 'fault', 'unsent', 'rate-limit'] as const
export type DropReason = (typeof DROP_REASONS)[number]

/** The states of a client cookie: no server cookie yet, or a valid one. */
export const COOKIE_STANDINGS = ['client', 'valid'] as const
export type CountedStanding = (typeof COOKIE_STANDINGS)[number]

// A client may ask for any of 65,536 types. The types that are not listed share slot 0.
const TOLD_APART: readonly number[] = [...SERVED_TYPES, TYPE.ANY, TYPE.AXFR, TYPE.IXFR]
const TYPE_SLOTS = 1 + TOLD_APART.length
const slotOfType = new Uint8Array(1 + Math.max(...TOLD_APART))
for (const [index, type] of TOLD_APART.entries()) slotOfType[type] = 1 + index

// RFC 6895 §2.3: the RCODEs in use today end at 23.
const RCODE_SLOTS = 32
const rcodeTexts = new Map<number, string>(
  Object.entries(RCODE).map(([text, number]) => [number, text]),
)

// The cells of a row. Where a counter exists for both transports, UDP comes before TCP.
const ANSWERS = 0
const OCTETS = ANSWERS + TRANSPORTS.length * TYPE_SLOTS * RCODE_SLOTS
const TRUNCATED = OCTETS + TRANSPORTS.length
const DROPS = TRUNCATED + TRANSPORTS.length
const HOT = DROPS + DROP_REASONS.length
const COOKIES = HOT + 1
const LATENCY = COOKIES + COOKIE_STANDINGS.length
const LATENCY_SUM = LATENCY + LATENCY_BUCKETS
const ROW_CELLS = LATENCY_SUM + 1

/** How many answers of one kind were given. */
export interface AnswerCount {
  readonly transport: Transport
  readonly type: string
  readonly rcode: string
  readonly count: number
}

/** The times from receipt to send, as a histogram that is not cumulative yet. */
export interface LatencyCounts {
  /** Indexed by `latencyBucket`. */
  readonly counts: readonly number[]
  readonly sumSeconds: number
}

/** The rows of all threads. */
export class SharedCounters {
  /** The memory to pass to the threads. */
  readonly memory: SharedArrayBuffer
  readonly #cells: Float64Array
  readonly #rows: number

  /** @param rows the number of threads that count, or the `memory` of another thread's counters */
  constructor(rows: number | SharedArrayBuffer) {
    const rowBytes = ROW_CELLS * Float64Array.BYTES_PER_ELEMENT
    this.memory = typeof rows === 'number' ? new SharedArrayBuffer(rows * rowBytes) : rows
    this.#cells = new Float64Array(this.memory)
    this.#rows = this.#cells.length / ROW_CELLS
  }

  /** The row that one thread counts in. */
  row(index: number): CounterRow {
    return new CounterRow(this.#cells.subarray(index * ROW_CELLS, (index + 1) * ROW_CELLS))
  }

  /** The same of one row alone. */
  only(index: number): SharedCounters {
    const rowBytes = ROW_CELLS * Float64Array.BYTES_PER_ELEMENT
    return new SharedCounters(this.memory.slice(index * rowBytes, (index + 1) * rowBytes))
  }

  /** Answers that were given, by kind; kinds that never were are left out. */
  *answers(): Generator<AnswerCount> {
    for (const [transportIndex, transport] of TRANSPORTS.entries()) {
      for (let slot = 0; slot < TYPE_SLOTS; slot++) {
        for (let code = 0; code < RCODE_SLOTS; code++) {
          const count = this.#sum(answerCell(transportIndex, slot, code))
          if (count === 0) continue
          const type = TOLD_APART[slot - 1]
          yield {
            transport,
            rcode: rcodeTexts.get(code) ?? String(code),
            type: type === undefined ? 'other' : typeToText(type),
            count,
          }
        }
      }
    }
  }

  /** Octets of answers, without TCP's length fields. */
  octets(transport: Transport): number {
    return this.#sum(OCTETS + TRANSPORTS.indexOf(transport))
  }

  truncated(transport: Transport): number {
    return this.#sum(TRUNCATED + TRANSPORTS.indexOf(transport))
  }

  dropped(reason: DropReason): number {
    return this.#sum(DROPS + DROP_REASONS.indexOf(reason))
  }

  /** Answers to questions with a cookie. */
  cookies(standing: CountedStanding): number {
    return this.#sum(COOKIES + COOKIE_STANDINGS.indexOf(standing))
  }

  /** Answers of the hot path; `answers` includes them. */
  get hot(): number {
    return this.#sum(HOT)
  }

  get latency(): LatencyCounts {
    const counts = Array.from({ length: LATENCY_BUCKETS }, (_, index) => this.#sum(LATENCY + index))
    return { counts, sumSeconds: this.#sum(LATENCY_SUM) }
  }

  #sum(cell: number): number {
    let sum = 0
    for (let row = 0; row < this.#rows; row++) sum += this.#cells[row * ROW_CELLS + cell] ?? 0
    return sum
  }
}

/** The counters of one thread. */
export class CounterRow {
  readonly #cells: Float64Array

  constructor(cells: Float64Array) {
    this.#cells = cells
  }

  /** Counts an answer, described as events describe it. */
  answered({ transport, qtype, rcode, octets, truncated, cookie }: Answered): void {
    const index = transport === 'udp' ? 0 : 1
    if (cookie !== undefined) this.cookie(cookie)
    this.#answer(index, qtype ?? -1, RCODE[rcode], octets, truncated)
  }

  /** Counts a hot path answer, described in numbers. */
  answeredHot(qtype: number, rcode: number, octets: number, truncated: boolean): void {
    this.#add(HOT, 1)
    this.#answer(0, qtype, rcode, octets, truncated)
  }

  /** Counts an answer to a question with a cookie, in addition to the answer itself. */
  cookie(standing: CountedStanding): void {
    this.#add(COOKIES + (standing === 'client' ? 0 : 1), 1)
  }

  dropped(reason: DropReason): void {
    this.#add(DROPS + DROP_REASONS.indexOf(reason), 1)
  }

  /** Counts `count` answers that each took `milliseconds` from receipt to send. */
  took(milliseconds: number, count = 1): void {
    this.#add(LATENCY + latencyBucket(milliseconds), count)
    this.#add(LATENCY_SUM, (milliseconds * count) / 1000)
  }

  #answer(transport: number, qtype: number, rcode: number, octets: number, truncated: boolean) {
    const slot = slotOfType[qtype] ?? 0
    this.#add(answerCell(transport, slot, rcode), 1)
    this.#add(OCTETS + transport, octets)
    if (truncated) this.#add(TRUNCATED + transport, 1)
  }

  #add(cell: number, amount: number): void {
    // A missing cell would give NaN, but every index above is within the row.
    this.#cells[cell] = (this.#cells[cell] ?? 0) + amount
  }
}

function answerCell(transport: number, typeSlot: number, rcode: number): number {
  return ANSWERS + (transport * TYPE_SLOTS + typeSlot) * RCODE_SLOTS + (rcode & (RCODE_SLOTS - 1))
}
