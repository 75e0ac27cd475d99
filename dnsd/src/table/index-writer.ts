/*
 * The writing side of the index. When too many of its slots are in use, it moves to a larger index, or to one
 * of the same size without removed names. A few slots move with each change, so that no change has to wait.
 * Meanwhile look-ups use the old index, and changes go to both. Slots below the cursor have moved, so their
 * changes are repeated in the new index.
 */
import { NameIndex } from './name-index.ts'

/** The slots that move with each change. A move ends long before the old index is full. */
const SLOTS_PER_CHANGE = 32
const SMALLEST_SLOTS = 1024
// These move within some milliseconds.
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
  /** Called when a move begins. `moveSome` can continue the move while there are no changes. */
  readonly onMoveBegun: () => void
  /** Called when look-ups must use another index. */
  readonly onMoved: () => void
}

function slotsAtLoad(names: number, load: number): number {
  // The words and the octets of the index are adjacent.
  return Math.max(SMALLEST_SLOTS, Math.ceil(names / load / 8) * 8)
}

/** The number of slots for a final number of names. */
function slotsForNoMoreThan(names: number): number {
  return slotsAtLoad(names, 0.64)
}

/** The number of slots for a growing number of names, so that another move does not follow soon. */
function slotsFor(names: number): number {
  return slotsAtLoad(names, 0.45)
}

export class IndexWriter {
  readonly #options: IndexWriterOptions
  #index: NameIndex
  #names = 0
  // Includes removed names.
  #used = 0
  #move: Move | undefined

  constructor(options: IndexWriterOptions) {
    this.#options = options
    this.#index = NameIndex.ofSlots(slotsForNoMoreThan(options.expectedNames))
  }

  /** The index that look-ups use. */
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

  /** Inserts an entry whose name is not in the index. @param isSeen whether readers may look for it */
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

  /** Makes a name lead to another entry, atomically. */
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

  /** Makes room for this many additional names, at once while the index is small. */
  expect(names: number): void {
    const slots = slotsForNoMoreThan(this.#names + names)
    if (this.#move !== undefined || slots <= this.#index.slots) return
    this.#begin(slots)
    if (this.#index.slots <= SLOTS_AT_ONCE) this.moveSome(this.#index.slots)
  }

  /** Starts a move to fewer slots when there are many more than the names need. */
  shrinkIfSparse(): void {
    if (this.#move === undefined && this.#slotsToMoveTo * 2 < this.#index.slots) this.#begin()
  }

  /** Continues a move. @returns whether there is more to do */
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

  // Each change moves some slots, so this is the maximum number of names that can be added during a move. With
  // fewer slots than they need, the search for a free slot would not end.
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
    // No reader uses the new index yet.
    move.to.setUnseen(slot, hash, ref)
  }

  #slotOf(index: NameIndex, hash: number, ref: number): number {
    const slot = index.slotOf(hash, ref)
    if (slot < 0) throw new RangeError(`entry ${ref} is not in the index`)
    return slot
  }
}
