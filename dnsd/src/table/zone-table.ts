/*
 * The names of all zones in shared memory: one thread writes them here, any number read them.
 *
 *   layout         what an entry is, octet by octet
 *   name-hash      names taken apart, and their hashes; entry-hashes from an entry back to its hash
 *   name-index     from a hash to an entry; index-writer moves it to a larger one
 *   entry-memory   entries from when they are written to when their room is used again
 *   names-capture  all names of a zone at one moment
 *   control        epochs, by which writer and readers agree
 *   table-reader   the reading side, on whichever thread
 *
 * A change writes a new entry aside and lets the index lead to it, so whoever looks a name up finds the whole
 * old state or the whole new one. The old entry is read by whoever found it before, and its room is used
 * again once nobody does.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { inBackground } from './background.ts'
import { Control } from './control.ts'
import { EntryHashes } from './entry-hashes.ts'
import { EntryMemory, type EntryRRsets, type MemoryStatistics } from './entry-memory.ts'
import { IndexWriter } from './index-writer.ts'
import { CHILDREN, HAS_WILDCARD, INCOMPLETE, PUBLISHED, SIZE, wordOf } from './layout.ts'
import { type FoldedName, zoneHash } from './name-hash.ts'
import { NamesCapture } from './names-capture.ts'
import type { TableHandles } from './table-handles.ts'
import { DIRECTORY, TableReader } from './table-reader.ts'
import { longestOrigin, zoneNumberRRset } from './zone-directory.ts'
import { ZoneNames } from './zone-names.ts'

export interface TableOptions {
  /** How many names to make room for from the start; there may be more. */
  readonly expectedNames?: number
  /** What captures may hold back before the oldest is lost. */
  readonly retiredLimitBytes?: number
}

export interface TableStatistics extends MemoryStatistics {
  /** Of all zones, with the directory. */
  readonly names: number
  /** Bytes of all segments and of the index. */
  readonly reservedBytes: number
  readonly indexSlots: number
  /** Slots of names that are gone. */
  readonly tombstones: number
}

const SLOTS_PER_STEP = 1024
/** Flags that are not of a name's own records, so a new state of the name keeps them. */
const KEPT_FLAGS = HAS_WILDCARD | INCOMPLETE
const DISCARD_WAIT_MS = 2
// What a slow reader of a capture may hold back: a million changed names and more.
const RETIRED_LIMIT_BYTES = 64 * 1024 * 1024

export class ZoneTable {
  readonly control = new Control()
  /** Reads on this thread. */
  readonly reader: TableReader
  readonly #hashes = new EntryHashes()
  readonly #memory: EntryMemory
  readonly #index: IndexWriter
  readonly #listeners: ((handles: TableHandles) => void)[] = []
  readonly #directory: ZoneNames
  #lastZone = 0

  constructor({ expectedNames = 0, retiredLimitBytes = RETIRED_LIMIT_BYTES }: TableOptions = {}) {
    this.#memory = new EntryMemory({
      control: this.control,
      onSegment: () => this.#grown(),
      retiredLimitBytes,
    })
    this.#index = new IndexWriter({
      expectedNames,
      hashOf: (ref) => this.#hashes.of(ref, this.reader),
      onMoveBegun: () => inBackground(() => this.#index.moveSome(SLOTS_PER_STEP)),
      onMoved: () => this.#grown(),
    })
    this.reader = new TableReader(this.handles)
    const root = this.reader.newName()
    root.read(Uint8Array.of(0), 0)
    this.#hashes.addZone(DIRECTORY, root.hashes[0] ?? 0)
    this.#directory = new ZoneNames(DIRECTORY, 0, this.#wordsOf)
  }

  /** What another thread reads by, as of now. */
  get handles(): TableHandles {
    return {
      control: this.control.buffer,
      hashKey: this.#hashes.key,
      segments: [...this.#memory.segments],
      index: this.#index.index.buffer,
    }
  }

  /** @param listener gives every reading thread the handles, before anything is found by them alone */
  onGrow(listener: (handles: TableHandles) => void): void {
    this.#listeners.push(listener)
  }

  get statistics(): TableStatistics {
    const { index } = this.#index
    return {
      ...this.#memory.statistics,
      names: this.#index.names,
      reservedBytes: this.#memory.reservedBytes + index.buffer.byteLength,
      indexSlots: index.slots,
      tombstones: this.#index.tombstones,
    }
  }

  /** An empty set of names that nobody finds yet. */
  addZone(origin: FoldedName): ZoneNames {
    this.#lastZone += 1
    const zone = new ZoneNames(this.#lastZone, origin.labels, this.#wordsOf)
    this.#hashes.addZone(zone.number, origin.hashes[0] as number)
    return zone
  }

  /**
   * Writes the whole state of a name: a new one, or another one for a name that exists.
   *
   * @param name of which suffix `label` is at or below the zone's origin
   * @param rrsets copied
   * @returns the entry
   * @throws RangeError above `ENTRY_LIMIT_BYTES`
   */
  put(
    zone: ZoneNames,
    name: FoldedName,
    label: number,
    flags: number,
    rrsets: EntryRRsets,
  ): number {
    const before = this.reader.find(zone.number, name, label, name.labels - zone.originLabels)
    return before === 0
      ? this.insert(zone, name, label, flags, rrsets)
      : this.replace(zone, name, label, before, flags, rrsets)
  }

  /** The same for a name that is known not to exist. */
  insert(
    zone: ZoneNames,
    name: FoldedName,
    label: number,
    flags: number,
    rrsets: EntryRRsets,
  ): number {
    const ref = this.#write(zone, name, label, flags, rrsets)
    this.link(zone, ref, zoneHash(name.hashes[label] as number, zone.number))
    return ref
  }

  /** The same for a name whose entry is known. What tells of names below it stays. */
  replace(
    zone: ZoneNames,
    name: FoldedName,
    label: number,
    before: number,
    flags: number,
    rrsets: EntryRRsets,
  ): number {
    const ref = this.#write(zone, name, label, flags, rrsets)
    this.linkInPlace(zone, before, ref, zoneHash(name.hashes[label] as number, zone.number))
    return ref
  }

  /** Copies whole entries in (`EntryMemory.copyIn`); each has to be linked. */
  copyIn(zone: ZoneNames, entries: Uint8Array): number {
    return this.#memory.copyIn(zone.number, entries)
  }

  /** Lets an entry be found that was copied in, or written, and whose name is not there. */
  link(zone: ZoneNames, ref: number, hash: number): void {
    zone.append(ref)
    this.#index.insert(hash, ref, this.#isSeen(zone))
  }

  /** The same in the place of the entry that is there. What tells of names below it stays. */
  linkInPlace(zone: ZoneNames, before: number, ref: number, hash: number): void {
    const words = this.#wordsOf(ref)
    words[wordOf(ref) + CHILDREN] = this.childrenOf(before)
    const word = wordOf(ref) + SIZE
    words[word] = (words[word] as number) | (this.reader.flagsOf(before) & KEPT_FLAGS)
    zone.replace(before, ref)
    this.#index.replace(hash, before, ref)
    this.#memory.takeOut(before)
  }

  /** Makes room in the index for so many names more, at once. */
  expect(names: number): void {
    this.#index.expect(names)
  }

  /** The hash by which a name of one label below the origin is found: that of its octets at `at`. */
  labelHash(zone: ZoneNames, octets: Uint8Array, at: number): number {
    return this.#hashes.ofLabel(zone.number, octets, at)
  }

  /** Takes a name out of its zone. */
  remove(zone: ZoneNames, ref: number): void {
    this.#index.remove(this.#hashes.of(ref, this.reader), ref)
    zone.remove(ref)
    this.#memory.takeOut(ref)
  }

  /** Existing names one label below this one. */
  childrenOf(ref: number): number {
    return this.#wordsOf(ref)[wordOf(ref) + CHILDREN] as number
  }

  addToChildren(ref: number, difference: number): void {
    const words = this.#wordsOf(ref)
    words[wordOf(ref) + CHILDREN] = (words[wordOf(ref) + CHILDREN] as number) + difference
  }

  /** Sets or clears flags of an entry that can be found; they share a word, so readers see all or none. */
  setFlags(ref: number, flags: number, on: boolean): void {
    const words = this.#wordsOf(ref)
    const at = wordOf(ref) + SIZE
    const word = words[at] as number
    Atomics.store(words, at, on ? word | flags : word & ~flags)
  }

  /** Lets questions for names at and below the zone's origin go to this zone, instead of another of that origin. */
  serve(zone: ZoneNames, origin: FoldedName): void {
    zone.isServed = true
    this.put(this.#directory, origin, 0, PUBLISHED, zoneNumberRRset(zone.number))
    this.control.longestOrigin = Math.max(this.control.longestOrigin, origin.length)
  }

  /** Lets them go to no zone of this origin. */
  unserve(origin: FoldedName): void {
    const ref = this.reader.find(DIRECTORY, origin, 0, origin.labels)
    if (ref === 0) return
    this.remove(this.#directory, ref)
    this.control.longestOrigin = longestOrigin(this.#directory, this.reader)
  }

  /** Begins to note all names of a zone as of one moment. The caller goes on with it, and releases it. */
  capture(zone: ZoneNames): NamesCapture {
    return new NamesCapture(zone, this.#memory.pin(), (pin) => this.#memory.release(pin))
  }

  /**
   * Gives up a zone that is served no more (`unserve`, or another in its place): its room is used again,
   * once nobody can be looking into it. Takes a while, in slices.
   */
  async discard(zone: ZoneNames): Promise<void> {
    const { epoch } = this.control
    this.control.raiseEpoch()
    while (zone.captures > 0 || !this.control.isPast(epoch)) {
      await delay(DISCARD_WAIT_MS, undefined, { ref: false })
    }
    zone.isServed = false
    await new Promise<void>((resolve) => {
      inBackground(() => {
        if (zone.first !== 0) this.remove(zone, zone.first)
        if (zone.first !== 0) return true
        resolve()
        return false
      })
    })
    this.#hashes.removeZone(zone.number)
    this.#index.shrinkIfSparse()
  }

  /** Uses again what no reader can hold any more. Changes do that by themselves, some entries at a time. */
  reclaim(): void {
    this.#memory.reclaim(Infinity)
  }

  readonly #wordsOf = (ref: number): Int32Array => this.reader.wordsOf(ref)

  #write(
    zone: ZoneNames,
    name: FoldedName,
    label: number,
    flags: number,
    rrsets: EntryRRsets,
  ): number {
    const origin = name.labels - zone.originLabels
    return this.#memory.write(zone.number, name, label, origin, flags, rrsets)
  }

  /** Whether others may have found the zone. */
  #isSeen(zone: ZoneNames): boolean {
    return zone.isServed || zone === this.#directory
  }

  #grown(): void {
    const { handles } = this
    this.reader.take(handles)
    for (const listener of this.#listeners) listener(handles)
    this.control.raiseGeneration()
  }
}
