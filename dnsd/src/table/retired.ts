import type { Control } from './control.ts'

const FIRST_ROOM = 256

/**
 * Entries that can no longer be found but may still be read, in the order of their removal, each with its
 * size and the epoch of its removal.
 */
export class RetiredEntries {
  readonly #control: Control
  readonly #free: (ref: number, units: number) => void
  // A ring of triples: ref, units, epoch. Its size is a power of two.
  #ring = new Int32Array(FIRST_ROOM * 3)
  #first = 0
  #count = 0
  #units = 0

  constructor(control: Control, free: (ref: number, units: number) => void) {
    this.#control = control
    this.#free = free
  }

  /** The total size of waiting entries, in units. */
  get units(): number {
    return this.#units
  }

  /** The epoch of the oldest waiting removal; undefined when no entry waits. */
  get oldestEpoch(): number | undefined {
    return this.#count === 0 ? undefined : this.#ring[this.#first * 3 + 2]
  }

  add(ref: number, units: number): void {
    if (this.#count === this.#room) this.#enlarge()
    const at = ((this.#first + this.#count) % this.#room) * 3
    this.#ring[at] = ref
    this.#ring[at + 1] = units
    this.#ring[at + 2] = this.#control.epoch
    this.#count += 1
    this.#units += units
    this.#control.raiseEpoch()
  }

  /**
   * Frees the entries that no reader can still hold.
   *
   * @param isPinned whether the writing thread itself holds entries removed in an epoch
   * @param limit the maximum number of entries
   * @returns whether that many were freed: there may be more
   */
  reclaim(isPinned: (epoch: number) => boolean, limit: number): boolean {
    for (let done = 0; done < limit && this.#count > 0; done++) {
      const at = this.#first * 3
      const epoch = this.#ring[at + 2] as number
      if (isPinned(epoch) || !this.#control.isPast(epoch)) return false
      const units = this.#ring[at + 1] as number
      this.#free(this.#ring[at] as number, units)
      this.#first = (this.#first + 1) % this.#room
      this.#count -= 1
      this.#units -= units
    }
    if (this.#count > 0) return true
    if (this.#room > FIRST_ROOM) this.#shrink()
    return false
  }

  get #room(): number {
    return this.#ring.length / 3
  }

  #enlarge(): void {
    const larger = new Int32Array(this.#ring.length * 2)
    const tail = this.#ring.subarray(this.#first * 3)
    larger.set(tail)
    larger.set(this.#ring.subarray(0, this.#first * 3), tail.length)
    this.#ring = larger
    this.#first = 0
  }

  #shrink(): void {
    this.#ring = new Int32Array(FIRST_ROOM * 3)
    this.#first = 0
  }
}
