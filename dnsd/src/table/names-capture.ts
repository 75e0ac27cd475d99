/*
 * All names of a zone at one moment, for callers that need them for longer.
 *
 * The entries are recorded in slices while the zone changes. Changes of entries already recorded are
 * corrected when they are read. The captured moment is that of the last slice. From the first slice on, a
 * pin keeps all removed entries, so no recorded memory is reused.
 */
import type { Pin } from './pins.ts'
import { NameCursor, type NamesObserver, type ZoneNames } from './zone-names.ts'

const CHUNK = 16_384
// The number of entries between two clock readings.
const STEP = 512

/** The capture is too old: the memory of entries removed since then had to be reused. */
class CaptureLost extends Error {
  constructor() {
    super('too much has changed since the names were captured')
    this.name = 'CaptureLost'
  }
}

export class NamesCapture implements NamesObserver {
  readonly #names: ZoneNames
  readonly #pin: Pin
  readonly #release: (pin: Pin) => void
  readonly #cursor: NameCursor
  readonly #chunks: Int32Array[] = []
  #count = 0
  /** The replacements of recorded or future entries; 0 when removed. */
  readonly #successors = new Map<number, number>()
  #isWhole = false
  #isReleased = false

  constructor(names: ZoneNames, pin: Pin, release: (pin: Pin) => void) {
    this.#names = names
    this.#pin = pin
    this.#release = release
    this.#cursor = new NameCursor(names)
    names.observe(this)
    names.captures += 1
  }

  /**
   * Records entries until `untilMs` of the performance clock.
   *
   * @returns whether all are recorded: the captured moment is then now
   */
  collect(untilMs: number): boolean {
    while (!this.#isWhole) {
      for (let step = 0; step < STEP; step++) {
        const ref = this.#cursor.next()
        if (ref === 0) {
          this.#end()
          return true
        }
        this.#note(ref)
      }
      if (performance.now() >= untilMs) return false
    }
    return true
  }

  /**
   * The entries, in the order in which the names were added.
   *
   * @throws CaptureLost
   */
  *refs(): Generator<number> {
    for (let index = 0; index < this.#count; index++) {
      this.check()
      const chunk = this.#chunks[Math.floor(index / CHUNK)]
      const ref = this.#present(chunk?.[index % CHUNK] ?? 0)
      if (ref !== 0) yield ref
    }
  }

  /** @throws CaptureLost when the memory of recorded entries may have been reused */
  check(): void {
    if (this.#pin.isLost || this.#isReleased) throw new CaptureLost()
  }

  /** Call it when done: until then, no memory of removed entries is reused. */
  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    if (!this.#isWhole) this.#end()
    this.#chunks.length = 0
    this.#release(this.#pin)
  }

  replaced(ref: number, by: number): void {
    this.#successors.set(ref, by)
  }

  removed(ref: number): void {
    this.#successors.set(ref, 0)
  }

  #end(): void {
    this.#isWhole = true
    this.#cursor.close()
    this.#names.unobserve(this)
    this.#names.captures -= 1
  }

  #note(ref: number): void {
    const at = this.#count % CHUNK
    if (at === 0) this.#chunks.push(new Int32Array(CHUNK))
    const chunk = this.#chunks.at(-1)
    if (chunk !== undefined) chunk[at] = ref
    this.#count += 1
  }

  #present(noted: number): number {
    let ref = noted
    for (;;) {
      const successor = this.#successors.get(ref)
      if (successor === undefined) return ref
      ref = successor
    }
  }
}
