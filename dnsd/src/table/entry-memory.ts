/*
 * The memory of entries from writing to reuse. New entries are written into free memory (entry-space).
 * Removed entries are kept while they may still be read (retired, pins).
 */
import { inBackground } from './background.ts'
import type { Control } from './control.ts'
import { EntrySpace } from './entry-space.ts'
import {
  CHILDREN,
  ENTRY_LIMIT_BYTES,
  NAME_AT,
  NAME_LENGTH_AT,
  octetOf,
  SIZE,
  SIZE_MASK,
  UNIT_BYTES,
  unitsFor,
  wordOf,
  ZONE,
} from './layout.ts'
import type { FoldedName } from './name-hash.ts'
import { type Pin, Pins } from './pins.ts'
import { RetiredEntries } from './retired.ts'

// The number of entries that each change frees; more than a change removes.
const RECLAIMED_PER_CHANGE = 4
const RECLAIMED_PER_STEP = 256

export interface MemoryStatistics {
  readonly liveBytes: number
  readonly freeBytes: number
  /** The size of removed entries that may still be read. */
  readonly retiredBytes: number
  /** The sum of the three: all memory of the segments that was ever in use. */
  readonly usedBytes: number
}

export interface EntryMemoryOptions {
  readonly control: Control
  /** Called when there is a new segment, before it is used. */
  readonly onSegment: () => void
  /** How much pins may hold back before the oldest is lost. */
  readonly retiredLimitBytes: number
}

/** RRsets in the form of an entry: the first `length` octets. */
export interface EntryRRsets {
  readonly octets: Uint8Array
  readonly length: number
}

export class EntryMemory {
  readonly #control: Control
  readonly #space: EntrySpace
  readonly #retired: RetiredEntries
  readonly #pins = new Pins()
  readonly #retiredLimitBytes: number
  #liveUnits = 0

  constructor({ control, onSegment, retiredLimitBytes }: EntryMemoryOptions) {
    this.#control = control
    this.#space = new EntrySpace(onSegment)
    this.#retired = new RetiredEntries(control, (ref, units) => this.#space.free(ref, units))
    this.#retiredLimitBytes = retiredLimitBytes
  }

  get segments(): readonly SharedArrayBuffer[] {
    return this.#space.segments
  }

  /** Bytes of all segments. */
  get reservedBytes(): number {
    return this.#space.reservedBytes
  }

  get statistics(): MemoryStatistics {
    return {
      liveBytes: this.#liveUnits * UNIT_BYTES,
      freeBytes: this.#space.freeUnits * UNIT_BYTES,
      retiredBytes: this.#retired.units * UNIT_BYTES,
      usedBytes: this.#space.usedUnits * UNIT_BYTES,
    }
  }

  /**
   * Writes an entry.
   *
   * @param zone its number
   * @param name its labels from `label` up to but excluding `apexLabel` are the owner name
   * @param rrsets copied
   * @throws RangeError above `ENTRY_LIMIT_BYTES`
   */
  write(
    zone: number,
    { octets: nameOctets, starts }: FoldedName,
    label: number,
    apexLabel: number,
    flags: number,
    rrsets: EntryRRsets,
  ): number {
    const { octets: rrsetOctets, length: rrsetBytes } = rrsets
    const start = starts[label] as number
    const nameBytes = (starts[apexLabel] as number) - start
    const bytes = NAME_AT + nameBytes + rrsetBytes
    if (bytes > ENTRY_LIMIT_BYTES) throw new RangeError('the RRsets of a name are too large')
    const units = unitsFor(bytes)
    const ref = this.#space.allocate(units)
    const words = this.#space.wordsOf(ref)
    const word = wordOf(ref)
    words[word + SIZE] = units | flags
    words[word + ZONE] = zone
    words[word + CHILDREN] = 0
    const octets = this.#space.octetsOf(ref)
    let at = octetOf(ref) + NAME_LENGTH_AT
    octets[at++] = nameBytes
    // Most names have a few octets: a call to copy them would take longer.
    for (let index = start; index < start + nameBytes; index++) {
      octets[at++] = nameOctets[index] as number
    }
    for (let index = 0; index < rrsetBytes; index++) octets[at++] = rrsetOctets[index] as number
    for (const end = octetOf(ref) + units * UNIT_BYTES; at < end; at++) octets[at] = 0
    this.#liveUnits += units
    return ref
  }

  /**
   * Copies whole entries, made by `copyEntry` and checked by `areEntries`. They are contiguous from the
   * returned ref on.
   */
  copyIn(zone: number, entries: Uint8Array): number {
    const units = unitsFor(entries.length)
    const first = this.#space.allocateFresh(units)
    this.#space.octetsOf(first).set(entries, octetOf(first))
    const words = this.#space.wordsOf(first)
    const end = wordOf(first) + units * 2
    let word = wordOf(first)
    while (word < end) {
      words[word + ZONE] = zone
      word += ((words[word + SIZE] as number) & SIZE_MASK) * 2
    }
    this.#liveUnits += units
    return first
  }

  /**
   * Marks the memory of an entry that can no longer be found for reuse, once no reader holds it.
   *
   * This also applies to a zone that can no longer be found: a reader that looks for another name passes
   * its entries in the index and must not find a half-written entry in their place.
   */
  takeOut(ref: number): void {
    const units = (this.#space.wordsOf(ref)[wordOf(ref) + SIZE] as number) & SIZE_MASK
    this.#liveUnits -= units
    this.#retired.add(ref, units)
    this.reclaim(RECLAIMED_PER_CHANGE)
    if (this.#retired.units * UNIT_BYTES > this.#retiredLimitBytes) this.#loseOldestPin()
  }

  /** Keeps all current entries. */
  pin(): Pin {
    return this.#pins.add(this.#control.epoch)
  }

  release(pin: Pin): void {
    this.#pins.release(pin)
    this.#reclaimInBackground()
  }

  /**
   * Frees entries that no reader can still hold.
   *
   * @param limit the maximum number of entries
   * @returns whether there may be more
   */
  reclaim(limit: number): boolean {
    return this.#retired.reclaim((epoch) => this.#pins.holds(epoch), limit)
  }

  #reclaimInBackground(): void {
    inBackground(() => this.reclaim(RECLAIMED_PER_STEP))
  }

  // Applies only if a pin holds the memory back, because a reader on another thread will be done soon.
  #loseOldestPin(): void {
    const epoch = this.#retired.oldestEpoch
    if (epoch === undefined || !this.#pins.holds(epoch)) return
    this.#pins.loseOldest()
    this.#reclaimInBackground()
  }
}
