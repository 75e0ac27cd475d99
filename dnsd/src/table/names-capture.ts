/*
 * All names of a zone at one moment, for those who need longer than that moment.
 *
 * The entries are noted in slices, while the zone goes on changing; what changed among those that were noted
 * already is put right when they are read. The moment is that of the last slice. The pin keeps what is taken
 * out from then on, and from the first slice on, so no place is used again that a note speaks of.
 */
import type { Pin } from './pins.ts'
import { NameCursor, type NamesObserver, type ZoneNames } from './zone-names.ts'

const CHUNK = 16_384
// Looked at between two looks at the clock.
const STEP = 512

/** The moment of a capture is too long ago: the room of what was taken out since then was needed. */
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
  /** Of entries that were noted or will be: what took their place, 0 when nothing did. */
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
   * Notes entries for as long as `untilMs` of the performance clock.
   *
   * @returns whether all are noted: then they are those of this moment
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
   * The entries, in the order in which the names came.
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

  /** @throws CaptureLost when what was noted may be something else by now */
  check(): void {
    if (this.#pin.isLost || this.#isReleased) throw new CaptureLost()
  }

  /** Must be called: until then nothing that is taken out of the table is used again. */
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
