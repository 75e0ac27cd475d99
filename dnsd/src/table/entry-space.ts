/*
 * Memory for entries: segments that are filled from the front, and a free list for each size. The names of a
 * zone are similar, so a freed piece nearly always fits the next name. Otherwise a larger piece is cut
 * before memory is allocated. A free piece holds the ref of the next one in its first word.
 */
import { NEXT, refAt, SEGMENT_UNITS, segmentOf, UNIT_BYTES, wordOf } from './layout.ts'

const FIRST_SEGMENT_UNITS = 8192
/** In the first segment, because ref 0 means none. */
const FIRST_UNIT = 1

export class EntrySpace {
  readonly segments: SharedArrayBuffer[] = []
  readonly #words: Int32Array[] = []
  readonly #octets: Uint8Array[] = []
  /** The first free piece, by size in units. */
  readonly #free = new Map<number, number>()
  readonly #onSegment: () => void
  #freeUnits = 0
  /** The size of the last segment, and how much of it is in use. */
  #lastUnits = 0
  #lastUsedUnits = 0
  /** The size of all segments before the last. */
  #fullUnits = 0

  /** @param onSegment called when there is a new segment, before it is used */
  constructor(onSegment: () => void) {
    this.#onSegment = onSegment
  }

  get reservedBytes(): number {
    return (this.#fullUnits + this.#lastUnits) * UNIT_BYTES
  }

  /** The units that were ever allocated. */
  get usedUnits(): number {
    return Math.max(0, this.#fullUnits + this.#lastUsedUnits - FIRST_UNIT)
  }

  get freeUnits(): number {
    return this.#freeUnits
  }

  /** The words of the segment that a ref is in. */
  wordsOf(ref: number): Int32Array {
    const words = this.#words[segmentOf(ref)]
    if (words === undefined) throw new RangeError(`there is no entry ${ref}`)
    return words
  }

  /** The octets of the segment that a ref is in. */
  octetsOf(ref: number): Uint8Array {
    const octets = this.#octets[segmentOf(ref)]
    if (octets === undefined) throw new RangeError(`there is no entry ${ref}`)
    return octets
  }

  /** Allocates memory with undefined content. @throws RangeError above the size of a segment */
  allocate(units: number): number {
    const fitting = this.#takeFree(units)
    if (fitting !== 0) return fitting
    if (units > this.freshUnits) {
      const cut = this.#cutLarger(units)
      if (cut !== 0) return cut
    }
    return this.allocateFresh(units)
  }

  /** Allocates memory that was never used and is zero, for many entries in one piece. */
  allocateFresh(units: number): number {
    if (units > SEGMENT_UNITS - FIRST_UNIT) throw new RangeError('larger than a segment')
    if (units > this.freshUnits) this.#addSegment(units)
    const ref = refAt(this.segments.length - 1, this.#lastUsedUnits)
    this.#lastUsedUnits += units
    return ref
  }

  /** How many units `allocateFresh` gives before it adds another segment. */
  get freshUnits(): number {
    return this.#lastUnits - this.#lastUsedUnits
  }

  free(ref: number, units: number): void {
    this.wordsOf(ref)[wordOf(ref) + NEXT] = this.#free.get(units) ?? 0
    this.#free.set(units, ref)
    this.#freeUnits += units
  }

  #takeFree(units: number): number {
    const ref = this.#free.get(units)
    if (ref === undefined) return 0
    const next = this.wordsOf(ref)[wordOf(ref) + NEXT] as number
    if (next === 0) this.#free.delete(units)
    else this.#free.set(units, next)
    this.#freeUnits -= units
    return ref
  }

  // Cuts the largest piece, which leaves the largest rest.
  #cutLarger(units: number): number {
    const largest = Math.max(0, ...this.#free.keys())
    if (largest <= units) return 0
    const ref = this.#takeFree(largest)
    this.free(ref + units, largest - units)
    return ref
  }

  // Each segment is twice as large as the one before, so that a few names need little memory.
  #addSegment(atLeastUnits: number): void {
    const rest = this.freshUnits
    if (rest > 0) this.free(refAt(this.segments.length - 1, this.#lastUsedUnits), rest)
    this.#fullUnits += this.#lastUnits
    let units = Math.max(this.#lastUnits * 2, FIRST_SEGMENT_UNITS)
    while (units < atLeastUnits + FIRST_UNIT) units *= 2
    this.#lastUnits = Math.min(units, SEGMENT_UNITS)
    this.#lastUsedUnits = this.segments.length === 0 ? FIRST_UNIT : 0
    const segment = new SharedArrayBuffer(this.#lastUnits * UNIT_BYTES)
    this.segments.push(segment)
    this.#words.push(new Int32Array(segment))
    this.#octets.push(new Uint8Array(segment))
    this.#onSegment()
  }
}
