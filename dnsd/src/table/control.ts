/*
 * The shared words that synchronise the writing thread with the reading threads.
 *
 * A reader marks when it begins and when it is done. In between, its word holds the epoch at which it began. The
 * octets of an entry that the writer removes from the index are kept until every reader is idle or has begun
 * later than the removal. A ref that a reader found is therefore valid until the reader is done. The epoch
 * increases with each removed entry. It may wrap around, because only differences are compared; 0 is skipped
 * because it means idle.
 */

const GENERATION = 0
const EPOCH = 1
const LONGEST_APEX = 2
const READERS = 3
const CHANGES = 4
// Readers' words are a cache line apart, because each is written for every packet.
const FIRST_READER = 16
const READER_STRIDE = 16
const IDLE = 0

/** The maximum number of readers besides the writing thread. */
const READERS_LIMIT = 256

export class Control {
  readonly buffer: SharedArrayBuffer
  readonly #words: Int32Array

  /** @param buffer of another thread's control; by default a new one */
  constructor(buffer?: SharedArrayBuffer) {
    const words = FIRST_READER + READERS_LIMIT * READER_STRIDE
    this.buffer = buffer ?? new SharedArrayBuffer(words * 4)
    this.#words = new Int32Array(this.buffer)
    if (buffer === undefined) this.#words[EPOCH] = 1
  }

  /** Increases when there are new segments or another index, after readers got their handles. */
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

  /** The length of the longest apex in the directory: a longer name cannot be an apex. */
  get longestApex(): number {
    return Atomics.load(this.#words, LONGEST_APEX)
  }

  set longestApex(octets: number) {
    Atomics.store(this.#words, LONGEST_APEX, octets)
  }

  /**
   * Increases when a change starts to add or remove names that readers may look for, and again when it ends. It
   * is odd in between, when an old name may be removed and its replacement not added yet.
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

  /** Whether no name was added or removed since `changes` had this value. */
  isQuiet(since: number): boolean {
    return (since & 1) === 0 && this.changes === since
  }

  /**
   * Waits for the end of the change in progress. Do not call it on the writing thread, which alone can end the
   * change.
   */
  awaitQuiet(milliseconds: number): void {
    const { changes } = this
    if ((changes & 1) === 1) Atomics.wait(this.#words, CHANGES, changes, milliseconds)
  }

  /** Registers a reader. Call it before the reader enters for the first time. */
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

  /** The epoch in which a reader entered; 0 if it has left. */
  enteredAt(reader: number): number {
    return Atomics.load(this.#words, placeOf(reader))
  }

  /** Marks a reader as idle. Also call it for a reader that died, to free the entries that it held back. */
  leave(reader: number): void {
    Atomics.store(this.#words, placeOf(reader), IDLE)
  }

  /** Whether no reader can still hold an entry that was removed in `epoch`. */
  isPast(epoch: number): boolean {
    const readers = Atomics.load(this.#words, READERS)
    for (let reader = 0; reader < readers; reader++) {
      const entered = Atomics.load(this.#words, placeOf(reader))
      if (entered !== IDLE && !isLater(entered, epoch)) return false
    }
    return true
  }
}

/** Whether one epoch is later than another, also across the wrap-around. */
export function isLater(epoch: number, than: number): boolean {
  return ((epoch - than) | 0) > 0
}

function placeOf(reader: number): number {
  return FIRST_READER + reader * READER_STRIDE
}
