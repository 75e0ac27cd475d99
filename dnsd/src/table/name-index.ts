/*
 * The index from a name's hash to its entry: open addressing with linear probing over any number of slots,
 * each with a tag (the low octet of the hash; the slot goes by the high bits) and a ref.
 *
 * A probe only reads the tags, 64 in a cache line, until a tag that was never set. It reads a ref only where
 * the tag matches. A removed name leaves its tag and the ref -1, so that probes continue past it. The ref is
 * written before the tag, so a reader sees either both or a tag that does not match.
 */

/** Marks a slot whose name was removed. */
const REMOVED = -1
const BYTES_PER_SLOT = 5
const PER_HASH = 2 ** -32
/** The maximum share of slots in use, including removed names; above it, probes get long. */
const LOAD_LIMIT = 0.7

// 0 means that a slot was never used.
function tagOf(hash: number): number {
  return hash & 0xff || 1
}

/** One index in shared memory. Its number of slots is fixed. */
export class NameIndex {
  readonly buffer: SharedArrayBuffer
  readonly slots: number
  readonly #slotsPerHash: number
  readonly #refs: Int32Array
  readonly #tags: Uint8Array

  constructor(buffer: SharedArrayBuffer) {
    this.buffer = buffer
    this.slots = buffer.byteLength / BYTES_PER_SLOT
    this.#slotsPerHash = this.slots * PER_HASH
    this.#refs = new Int32Array(buffer, 0, this.slots)
    this.#tags = new Uint8Array(buffer, this.slots * 4, this.slots)
  }

  /** An empty one. */
  static ofSlots(slots: number): NameIndex {
    return new NameIndex(new SharedArrayBuffer(slots * BYTES_PER_SLOT))
  }

  /** How many names fit before probes get long. */
  get limit(): number {
    return Math.floor(this.slots * LOAD_LIMIT)
  }

  /** The slot where a hash is looked for first. */
  firstSlot(hash: number): number {
    // Truncated by a bit operator, which rounds non-negative numbers down with fewer instructions than `floor`.
    return ((hash >>> 0) * this.#slotsPerHash) | 0
  }

  /**
   * The next slot from `slot` on with a matching tag, -1 after the last one. The caller compares the name at `refAt`
   * and continues at `slot + 1`.
   */
  match(slot: number, hash: number): number {
    const tags = this.#tags
    const { slots } = this
    const tag = tagOf(hash)
    for (let at = slot; ; at++) {
      if (at === slots) at = 0
      const found = tags[at]
      if (found === tag) return at
      if (found === 0) return -1
    }
  }

  /** Reads the first slot of a hash, to load it into the cache. The result has no meaning. */
  touch(hash: number): number {
    return this.#tags[this.firstSlot(hash)] as number
  }

  /** The entry of a slot; 0 or less for none. */
  refAt(slot: number): number {
    return Atomics.load(this.#refs, slot)
  }

  /** The slot that holds exactly this ref, -1 if no slot does. Writer only. */
  slotOf(hash: number, ref: number): number {
    for (
      let slot = this.match(this.firstSlot(hash), hash);
      slot >= 0;
      slot = this.match(slot + 1, hash)
    ) {
      if (this.#refs[slot] === ref) return slot
    }
    return -1
  }

  /** Whether a slot was never used. */
  isUnused(slot: number): boolean {
    return this.#tags[slot] === 0
  }

  /** A slot for a new ref with this hash. Writer only. */
  freeSlot(hash: number): number {
    const tags = this.#tags
    let slot = this.firstSlot(hash)
    while (tags[slot] !== 0 && this.#refs[slot] !== REMOVED) {
      slot += 1
      if (slot === this.slots) slot = 0
    }
    return slot
  }

  /** Puts a ref into a free slot. Writer only. */
  set(slot: number, hash: number, ref: number): void {
    Atomics.store(this.#refs, slot, ref)
    Atomics.store(this.#tags, slot, tagOf(hash))
  }

  /**
   * Like `set`, for a name that no reader can look for yet: a probe that passes the slot has the same result
   * before and after the write. It takes a third of the time, because each atomic store waits for memory.
   */
  setUnseen(slot: number, hash: number, ref: number): void {
    this.#refs[slot] = ref
    this.#tags[slot] = tagOf(hash)
  }

  /** Makes a slot lead to another entry of the same name. Writer only. */
  swap(slot: number, ref: number): void {
    Atomics.store(this.#refs, slot, ref)
  }

  /** Writer only. */
  remove(slot: number): void {
    Atomics.store(this.#refs, slot, REMOVED)
  }
}
