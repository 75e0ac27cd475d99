/*
 * The index as it is written. When too many of its slots are in use it moves to a larger one, or to one of
 * the same size without removed names, a few slots with each change so that no change waits: meanwhile
 * questions go to the old one, changes to both. Slots below the cursor have moved; what happens to one of
 * them happens in the new index too.
 */
import { NameIndex } from './name-index.ts'

/** Slots that move with each change. A move is over long before the old index is full. */
const SLOTS_PER_CHANGE = 32
const SMALLEST_SLOTS = 1024
// Moved within some milliseconds.
const SLOTS_AT_ONCE = 16_384

interface Move {
  readonly to: NameIndex
  /** Slots below this one have moved. */
  cursor: number
  /** Slots in use in `to`. */
  used: number
}

export interface IndexWriterOptions {
  readonly expectedNames: number
  /** `zoneHash` of the name of an entry. */
  readonly hashOf: (ref: number) => number
  /** Called when a move begins: `moveSome` may go on with it where no change does. */
  readonly onMoveBegun: () => void
  /** Called when questions have to go to another index. */
  readonly onMoved: () => void
}

function slotsAtLoad(names: number, load: number): number {
  // Words and octets of the index lie behind each other.
  return Math.max(SMALLEST_SLOTS, Math.ceil(names / load / 8) * 8)
}

/** Slots for names that are known to be nearly all. */
function slotsForNoMoreThan(names: number): number {
  return slotsAtLoad(names, 0.64)
}

/** Slots for names that become more and more, so that a move is not soon followed by another. */
function slotsFor(names: number): number {
  return slotsAtLoad(names, 0.45)
}

export class IndexWriter {
  readonly #options: IndexWriterOptions
  #index: NameIndex
  #names = 0
  // Removed names among them.
  #used = 0
  #move: Move | undefined

  constructor(options: IndexWriterOptions) {
    this.#options = options
    this.#index = NameIndex.ofSlots(slotsForNoMoreThan(options.expectedNames))
  }

  /** What questions go to. */
  get index(): NameIndex {
    return this.#index
  }

  get names(): number {
    return this.#names
  }

  get tombstones(): number {
    return this.#used - this.#names
  }

  get isMoving(): boolean {
    return this.#move !== undefined
  }

  /** Puts in an entry whose name is not there. @param isSeen whether somebody may look for it */
  insert(hash: number, ref: number, isSeen: boolean): void {
    const index = this.#index
    const slot = index.freeSlot(hash)
    if (index.isUnused(slot)) this.#used += 1
    if (isSeen) index.set(slot, hash, ref)
    else index.setUnseen(slot, hash, ref)
    this.#names += 1
    if (this.#hasMoved(slot)) this.#insertMoved(hash, ref)
    this.#goOn()
  }

  /** Lets a name lead to another entry, from one moment to the next. */
  replace(hash: number, ref: number, by: number): void {
    const slot = this.#slotOf(this.#index, hash, ref)
    this.#index.swap(slot, by)
    if (this.#hasMoved(slot) && this.#move !== undefined) {
      this.#move.to.swap(this.#slotOf(this.#move.to, hash, ref), by)
    }
    this.#goOn()
  }

  remove(hash: number, ref: number): void {
    const slot = this.#slotOf(this.#index, hash, ref)
    this.#index.remove(slot)
    this.#names -= 1
    if (this.#hasMoved(slot) && this.#move !== undefined) {
      this.#move.to.remove(this.#slotOf(this.#move.to, hash, ref))
    }
    this.#goOn()
  }

  /** Makes room for so many names more, at once where there are few yet. */
  expect(names: number): void {
    const slots = slotsForNoMoreThan(this.#names + names)
    if (this.#move !== undefined || slots <= this.#index.slots) return
    this.#begin(slots)
    if (this.#index.slots <= SLOTS_AT_ONCE) this.moveSome(this.#index.slots)
  }

  /** Begins a move to fewer slots when many more are there than the names take. */
  shrinkIfSparse(): void {
    if (this.#move === undefined && this.#slotsToMoveTo * 2 < this.#index.slots) this.#begin()
  }

  /** Goes on with a move. @returns whether there is more to do */
  moveSome(slots: number): boolean {
    const move = this.#move
    if (move === undefined) return false
    const end = Math.min(move.cursor + slots, this.#index.slots)
    for (; move.cursor < end; move.cursor++) {
      const ref = this.#index.refAt(move.cursor)
      if (ref > 0) this.#insertMoved(this.#options.hashOf(ref), ref)
    }
    if (end < this.#index.slots) return true
    this.#index = move.to
    this.#used = move.used
    this.#move = undefined
    this.#options.onMoved()
    return false
  }

  #goOn(): void {
    if (this.#move !== undefined) this.moveSome(SLOTS_PER_CHANGE)
    else if (this.#used > this.#index.limit) this.#begin()
  }

  // Each change moves some slots on, so no more names than this can come while it moves; with fewer slots than
  // they take, the search for a free one would not end.
  get #slotsToMoveTo(): number {
    return slotsFor(this.#names + this.#index.slots / SLOTS_PER_CHANGE)
  }

  #begin(slots = this.#slotsToMoveTo): void {
    this.#move = { to: NameIndex.ofSlots(slots), cursor: 0, used: 0 }
    this.#options.onMoveBegun()
  }

  #hasMoved(slot: number): boolean {
    return this.#move !== undefined && slot < this.#move.cursor
  }

  #insertMoved(hash: number, ref: number): void {
    const move = this.#move
    if (move === undefined) return
    const slot = move.to.freeSlot(hash)
    if (move.to.isUnused(slot)) move.used += 1
    // Nobody looks into it yet.
    move.to.setUnseen(slot, hash, ref)
  }

  #slotOf(index: NameIndex, hash: number, ref: number): number {
    const slot = index.slotOf(hash, ref)
    if (slot < 0) throw new RangeError(`entry ${ref} is not in the index`)
    return slot
  }
}
