/*
 * The words by which the writing thread and the reading ones agree.
 *
 * A reader says when it begins and when it is done: in between its word holds the epoch at which it began.
 * What the writer takes out of the index keeps its octets until every reader has either been idle or begun
 * later than that, so a ref that a reader found stays what it was until the reader is done. The epoch goes
 * up with each entry that is taken out. It may wrap around: only differences are looked at, and 0 is left
 * out because it means idle.
 */

const GENERATION = 0
const EPOCH = 1
const LONGEST_ORIGIN = 2
const READERS = 3
const CHANGES = 4
// Readers' words are a cache line apart: each is written for every packet.
const FIRST_READER = 16
const READER_STRIDE = 16
const IDLE = 0

/** Readers besides the writing thread. */
const READERS_LIMIT = 256

export class Control {
  readonly buffer: SharedArrayBuffer
  readonly #words: Int32Array

  /** @param buffer of another thread's; a new one without it */
  constructor(buffer?: SharedArrayBuffer) {
    const words = FIRST_READER + READERS_LIMIT * READER_STRIDE
    this.buffer = buffer ?? new SharedArrayBuffer(words * 4)
    this.#words = new Int32Array(this.buffer)
    if (buffer === undefined) this.#words[EPOCH] = 1
  }

  /** Goes up when there are new segments or another index, after readers were given them. */
  get generation(): number {
    return Atomics.load(this.#words, GENERATION)
  }

  raiseGeneration(): void {
    Atomics.add(this.#words, GENERATION, 1)
  }

  get epoch(): number {
    return Atomics.load(this.#words, EPOCH)
  }

  raiseEpoch(): void {
    const next = (this.epoch + 1) | 0
    Atomics.store(this.#words, EPOCH, next === IDLE ? 1 : next)
  }

  /** Octets of the longest origin in the directory: a longer name is none. */
  get longestOrigin(): number {
    return Atomics.load(this.#words, LONGEST_ORIGIN)
  }

  set longestOrigin(octets: number) {
    Atomics.store(this.#words, LONGEST_ORIGIN, octets)
  }

  /**
   * Goes up when names begin to come and go that readers may look for, and again when all of a change have: it is
   * odd in between, when a name may be gone already and what stands in for it not there yet.
   */
  get changes(): number {
    return Atomics.load(this.#words, CHANGES)
  }

  beginChange(): void {
    Atomics.add(this.#words, CHANGES, 1)
  }

  endChange(): void {
    Atomics.add(this.#words, CHANGES, 1)
    Atomics.notify(this.#words, CHANGES)
  }

  /** Whether no name came or went since `changes` was this. */
  isQuiet(since: number): boolean {
    return (since & 1) === 0 && this.changes === since
  }

  /** Waits for the end of a change that is under way. Not on the writing thread, which alone can end it. */
  awaitQuiet(milliseconds: number): void {
    const { changes } = this
    if ((changes & 1) === 1) Atomics.wait(this.#words, CHANGES, changes, milliseconds)
  }

  /** Makes a reader count. Before it enters for the first time. */
  admit(reader: number): void {
    if (!Number.isInteger(reader) || reader < 0 || reader >= READERS_LIMIT) {
      throw new RangeError(`there is no reader ${reader}`)
    }
    for (;;) {
      const readers = Atomics.load(this.#words, READERS)
      if (readers > reader) return
      Atomics.compareExchange(this.#words, READERS, readers, reader + 1)
    }
  }

  enter(reader: number): void {
    Atomics.store(this.#words, placeOf(reader), this.epoch)
  }

  /** The epoch in which a reader entered that has not left yet; 0 for one that has. */
  enteredAt(reader: number): number {
    return Atomics.load(this.#words, placeOf(reader))
  }

  /** Also for a reader that died: what it held back is free again. */
  leave(reader: number): void {
    Atomics.store(this.#words, placeOf(reader), IDLE)
  }

  /** Whether no reader can hold what was taken out in `epoch`. */
  isPast(epoch: number): boolean {
    const readers = Atomics.load(this.#words, READERS)
    for (let reader = 0; reader < readers; reader++) {
      const entered = Atomics.load(this.#words, placeOf(reader))
      if (entered !== IDLE && !isLater(entered, epoch)) return false
    }
    return true
  }
}

/** Whether one epoch is later than another, over the wrap-around too. */
export function isLater(epoch: number, than: number): boolean {
  return ((epoch - than) | 0) > 0
}

function placeOf(reader: number): number {
  return FIRST_READER + reader * READER_STRIDE
}
