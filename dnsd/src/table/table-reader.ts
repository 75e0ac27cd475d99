/*
 * Reads the table on any thread.
 *
 * A reader on its own thread looks names up between `enter` and `leave`, and refs are valid until `leave`. On the
 * writing thread, refs are valid until it next yields, and neither call is needed.
 */
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { uint16At, uint32At } from '../names/octets.ts'
import { Control } from './control.ts'
import {
  NAME_AT,
  NAME_LENGTH_AT,
  octetOf,
  RRSET_HEAD_BYTES,
  segmentOf,
  SIZE,
  SIZE_MASK,
  UNIT_BYTES,
  wordOf,
  ZONE,
} from './layout.ts'
import { FoldedName, zoneHash } from './name-hash.ts'
import { NameIndex } from './name-index.ts'
import type { TableHandles } from './table-handles.ts'

/** The registration of a thread that only reads. */
export interface ReaderThread {
  /** From 0; unique among the running workers. */
  readonly worker: number
  /** Receives newer `TableHandles`; no other code may receive from it. */
  readonly port: MessagePort
}

/** The number of the directory of zones, which has no names of zones themselves. */
export const DIRECTORY = 0
const ASTERISK_LABEL = Uint8Array.of(1, 0x2a)
const ASTERISK_OCTETS = 2
// Of a name with one address.
const END_WORD = 10

export class TableReader {
  readonly control: Control
  /** The apex that `findZone` found is this suffix of the name. */
  apexLabel = 0
  readonly #hashKey: SharedArrayBuffer
  readonly #thread: ReaderThread | undefined
  readonly #octets: Uint8Array[] = []
  readonly #words: Int32Array[] = []
  #index: NameIndex
  #generation = 0

  constructor(handles: TableHandles, thread?: ReaderThread) {
    this.control = new Control(handles.control)
    this.#hashKey = handles.hashKey
    this.#thread = thread
    this.#index = new NameIndex(handles.index)
    this.take(handles)
    if (thread !== undefined) this.control.admit(thread.worker)
  }

  /** Creates an object to read names into for look-ups here. */
  newName(): FoldedName {
    return new FoldedName(this.#hashKey)
  }

  /** Begins a look-up: refs that are found are valid until `leave`. */
  enter(): void {
    if (this.#thread === undefined) return
    this.control.enter(this.#thread.worker)
    const generation = this.control.generation
    if (generation === this.#generation) return
    // Handles are sent before the generation increases, so the handles received here are at least as new.
    this.#receive()
    this.#generation = generation
  }

  leave(): void {
    if (this.#thread !== undefined) this.control.leave(this.#thread.worker)
  }

  /** Uses other handles from now on. Newer handles of a table only add segments. */
  take(handles: TableHandles): void {
    for (let at = this.#octets.length; at < handles.segments.length; at++) {
      const segment = handles.segments[at]
      if (segment === undefined) continue
      this.#octets.push(new Uint8Array(segment))
      this.#words.push(new Int32Array(segment))
    }
    if (handles.index !== this.#index.buffer) this.#index = new NameIndex(handles.index)
  }

  /**
   * The zone with the longest apex at or above the name from suffix `label` on (RFC 1034 §4.3.2 step 2).
   * `apexLabel` says which suffix that is.
   *
   * @returns the zone's number, 0 for none
   */
  findZone(name: FoldedName, label = 0): number {
    const longest = this.control.longestApex
    for (let at = label; at <= name.labels; at++) {
      if (name.length - (name.starts[at] as number) > longest) continue
      const ref = this.find(DIRECTORY, name, at, name.labels)
      if (ref === 0) continue
      this.apexLabel = at
      return this.zoneNumberIn(ref)
    }
    return 0
  }

  /**
   * The entry of a name: suffix `label` of `name`, relative to suffix `apexLabel`, in a zone with that apex. If
   * both are equal, it is the apex.
   *
   * @returns its ref, 0 when the name does not exist
   */
  find(zone: number, name: FoldedName, label: number, apexLabel: number): number {
    const hash = zoneHash(name.hashes[label] as number, zone)
    const start = name.starts[label] as number
    const length = (name.starts[apexLabel] as number) - start
    return this.findHashed(zone, hash, name.octets, start, length)
  }

  /**
   * The same for `length` folded octets that are relative to the zone's apex.
   *
   * @param hash `zoneHash` of the name
   * @param asterisk octets of a label `*` that precedes them
   */
  findHashed(
    zone: number,
    hash: number,
    octets: Uint8Array,
    start: number,
    length: number,
    asterisk = 0,
  ): number {
    const index = this.#index
    for (
      let slot = index.match(index.firstSlot(hash), hash);
      slot >= 0;
      slot = index.match(slot + 1, hash)
    ) {
      const ref = index.refAt(slot)
      if (ref > 0 && this.#isNamed(ref, zone, octets, start, length, asterisk)) return ref
    }
    return 0
  }

  /**
   * Prefetches what `find` will read for some names into the processor's cache. Each step runs for all names before
   * the next: the reads are independent, so the processor waits for many at once.
   *
   * @param hashes `zoneHash` of the names, the first `count` of them
   * @param scratch as long as `hashes`
   * @returns a number without meaning, which forces the reads
   */
  fetch(hashes: Int32Array, count: number, scratch: Int32Array): number {
    const index = this.#index
    let touched = 0
    for (let at = 0; at < count; at++) touched ^= index.touch(hashes[at] as number)
    for (let at = 0; at < count; at++) {
      const hash = hashes[at] as number
      scratch[at] = index.match(index.firstSlot(hash), hash)
    }
    for (let at = 0; at < count; at++) {
      const slot = scratch[at] as number
      scratch[at] = slot < 0 ? 0 : index.refAt(slot)
    }
    for (let at = 0; at < count; at++) {
      const ref = scratch[at] as number
      const words = this.#words[segmentOf(ref)]
      if (ref <= 0 || words === undefined) continue
      // Its head, and the end of a short entry, which may be in another cache line.
      touched ^= (words[wordOf(ref) + ZONE] as number) ^ (words[wordOf(ref) + END_WORD] as number)
    }
    return touched
  }

  /** The same for the name `*` under that suffix. */
  findWildcard(zone: number, name: FoldedName, label: number, apexLabel: number): number {
    const hash = zoneHash(name.hashWithLabel(label, ASTERISK_LABEL), zone)
    const start = name.starts[label] as number
    const length = (name.starts[apexLabel] as number) - start
    return this.findHashed(zone, hash, name.octets, start, length, ASTERISK_OCTETS)
  }

  /** The octets of the segment that an entry is in; the entry begins at `octetOf(ref)`. */
  octetsOf(ref: number): Uint8Array {
    return this.#octets[segmentOf(ref)] ?? this.#newSegment(ref, this.#octets)
  }

  /** The words of the segment that an entry is in; the entry begins at `wordOf(ref)`. */
  wordsOf(ref: number): Int32Array {
    return this.#words[segmentOf(ref)] ?? this.#newSegment(ref, this.#words)
  }

  /** Its flags (`PUBLISHED` and those after it in the layout), other bits zero. */
  flagsOf(ref: number): number {
    return (this.wordsOf(ref)[wordOf(ref) + SIZE] as number) & ~SIZE_MASK
  }

  unitsOf(ref: number): number {
    return (this.wordsOf(ref)[wordOf(ref) + SIZE] as number) & SIZE_MASK
  }

  zoneOf(ref: number): number {
    return this.wordsOf(ref)[wordOf(ref) + ZONE] as number
  }

  /** The offset of its RRsets in `octetsOf(ref)`. */
  rrsetsAt(ref: number): number {
    const at = octetOf(ref)
    return at + NAME_AT + (this.octetsOf(ref)[at + NAME_LENGTH_AT] as number)
  }

  /** The offset in `octetsOf(ref)` where the entry ends, including the octets that fill its last unit. */
  endOf(ref: number): number {
    return octetOf(ref) + this.unitsOf(ref) * UNIT_BYTES
  }

  /** The offset in `octetsOf(ref)` of the RRset of a type, 0 if the entry does not have this type. */
  findRRset(ref: number, type: number): number {
    const octets = this.octetsOf(ref)
    const end = this.endOf(ref) - RRSET_HEAD_BYTES
    for (let at = this.rrsetsAt(ref); at <= end;) {
      const found = uint16At(octets, at)
      if (found === type) return at
      if (found === 0) return 0
      at += 4 + uint16At(octets, at + 2)
    }
    return 0
  }

  /** The number that a directory entry leads to. */
  zoneNumberIn(ref: number): number {
    const octets = this.octetsOf(ref)
    return uint32At(octets, this.rrsetsAt(ref) + RRSET_HEAD_BYTES + 2)
  }

  // Whether the entry has this zone and name: `asterisk` octets of a label `*`, then `length` octets from `start`.
  #isNamed(
    ref: number,
    zone: number,
    name: Uint8Array,
    start: number,
    length: number,
    asterisk: number,
  ): boolean {
    if (this.zoneOf(ref) !== zone) return false
    const octets = this.octetsOf(ref)
    let at = octetOf(ref) + NAME_LENGTH_AT
    if (octets[at] !== length + asterisk) return false
    at += 1
    if (asterisk > 0) {
      if (octets[at] !== 1 || octets[at + 1] !== 0x2a) return false
      at += 2
    }
    for (let index = 0; index < length; index++) {
      if (octets[at + index] !== name[start + index]) return false
    }
    return true
  }

  // A segment that was added during this look-up: its handles were sent before any of its entries was published.
  #newSegment<T>(ref: number, among: readonly T[]): T {
    this.#receive()
    const found = among[segmentOf(ref)]
    if (found === undefined) throw new RangeError(`there is no segment of entry ${ref}`)
    return found
  }

  #receive(): void {
    const port = this.#thread?.port
    if (port === undefined) return
    for (let next = receiveMessageOnPort(port); next !== undefined;) {
      this.take(next.message as TableHandles)
      next = receiveMessageOnPort(port)
    }
  }
}
