/*
 * Room for entries: segments that are filled from the front, and for each size a list of what is free again.
 * Names of a zone are much alike, so what one leaves nearly always fits the next. When it does not, a larger
 * piece is cut before memory is asked for. A free piece holds the ref of the next one in its first word.
 */
import { NEXT, refAt, SEGMENT_BYTES, SEGMENT_UNITS, segmentOf, wordOf } from './layout.ts'

export class EntrySpace {
  readonly segments: SharedArrayBuffer[] = []
  readonly #words: Int32Array[] = []
  /** By size in units: the first free piece. */
  readonly #free = new Map<number, number>()
  readonly #onSegment: () => void
  // In the last segment; the first unit of all is left out, because ref 0 means none.
  #usedUnits = SEGMENT_UNITS
  #freeUnits = 0

  /** @param onSegment called when there is another segment, before anything is in it */
  constructor(onSegment: () => void) {
    this.#onSegment = onSegment
  }

  get reservedBytes(): number {
    return this.segments.length * SEGMENT_BYTES
  }

  get freeUnits(): number {
    return this.#freeUnits
  }

  /** Room of any content. @throws RangeError above the size of a segment */
  allocate(units: number): number {
    const fitting = this.#takeFree(units)
    if (fitting !== 0) return fitting
    if (this.#usedUnits + units > SEGMENT_UNITS) {
      const cut = this.#cutLarger(units)
      if (cut !== 0) return cut
    }
    return this.allocateFresh(units)
  }

  /** Room that was never used, and is zero. For many entries in one piece. */
  allocateFresh(units: number): number {
    if (units > SEGMENT_UNITS - 1) throw new RangeError('larger than a segment')
    if (this.#usedUnits + units > SEGMENT_UNITS) this.#addSegment()
    const ref = refAt(this.segments.length - 1, this.#usedUnits)
    this.#usedUnits += units
    return ref
  }

  /** How many units `allocateFresh` gives before it begins another segment. */
  get freshUnits(): number {
    return SEGMENT_UNITS - this.#usedUnits
  }

  free(ref: number, units: number): void {
    this.#wordsOf(ref)[wordOf(ref) + NEXT] = this.#free.get(units) ?? 0
    this.#free.set(units, ref)
    this.#freeUnits += units
  }

  #wordsOf(ref: number): Int32Array {
    const words = this.#words[segmentOf(ref)]
    if (words === undefined) throw new RangeError(`there is no entry ${ref}`)
    return words
  }

  #takeFree(units: number): number {
    const ref = this.#free.get(units)
    if (ref === undefined) return 0
    const next = this.#wordsOf(ref)[wordOf(ref) + NEXT] as number
    if (next === 0) this.#free.delete(units)
    else this.#free.set(units, next)
    this.#freeUnits -= units
    return ref
  }

  // From the largest: it leaves the largest rest.
  #cutLarger(units: number): number {
    const largest = Math.max(0, ...this.#free.keys())
    if (largest <= units) return 0
    const ref = this.#takeFree(largest)
    this.free(ref + units, largest - units)
    return ref
  }

  #addSegment(): void {
    const rest = SEGMENT_UNITS - this.#usedUnits
    if (rest > 0) this.free(refAt(this.segments.length - 1, this.#usedUnits), rest)
    const segment = new SharedArrayBuffer(SEGMENT_BYTES)
    this.segments.push(segment)
    this.#words.push(new Int32Array(segment))
    this.#usedUnits = this.segments.length === 1 ? 1 : 0
    this.#onSegment()
  }
}
