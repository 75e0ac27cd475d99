/*
 * The names of all zones in shared memory: one thread writes them here, any number read them.
 *
 *   layout         what an entry is, octet by octet
 *   name-hash      parsed names, and their hashes; entry-hashes from an entry back to its hash
 *   name-index     from a hash to an entry; index-writer moves it to a larger one
 *   entry-memory   the memory of entries, from writing to reuse
 *   names-capture  all names of a zone at one moment
 *   control        epochs, which synchronise the writer with readers
 *   table-reader   the reading side, on any thread
 *
 * A change writes a new entry and then makes the index lead to it, so a reader finds the whole old state or the
 * whole new one. Readers that found the old entry before may still read it, and its memory is reused when they are
 * done.
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
import { longestApex, zoneNumberRRset } from './zone-directory.ts'
import { ZoneNames } from './zone-names.ts'

export interface TableOptions {
  /** How many names to reserve memory for at the start; there may be more. */
  readonly expectedNames?: number
  /** How much captures may hold back before the oldest is lost. */
  readonly retiredLimitBytes?: number
}

export interface TableStatistics extends MemoryStatistics {
  /** The number of names of all zones, including the directory. */
  readonly names: number
  /** Bytes of all segments and of the index. */
  readonly reservedBytes: number
  readonly indexSlots: number
  /** The number of slots of removed names. */
  readonly tombstones: number
}

const SLOTS_PER_STEP = 1024
/** Flags that do not follow from a name's own records, so a new state of the name keeps them. */
const KEPT_FLAGS = HAS_WILDCARD | INCOMPLETE
const DISCARD_WAIT_MS = 2
// The limit for a slow reader of a capture: a million changed names and more.
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

  /** The current handles, for another thread to read with. */
  get handles(): TableHandles {
    return {
      control: this.control.buffer,
      hashKey: this.#hashes.key,
      segments: [...this.#memory.segments],
      index: this.#index.index.buffer,
    }
  }

  /** @param listener passes the handles to every reading thread, before any entry is only found with them */
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

  /** Creates an empty set of names that readers cannot find yet. */
  addZone(apex: FoldedName): ZoneNames {
    this.#lastZone += 1
    const zone = new ZoneNames(this.#lastZone, apex.labels, this.#wordsOf)
    this.#hashes.addZone(zone.number, apex.hashes[0] as number)
    return zone
  }

  /**
   * Writes the whole state of a name: a new one, or another one for a name that exists.
   *
   * @param name of which suffix `label` is at or below the zone's apex
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
    const before = this.reader.find(zone.number, name, label, name.labels - zone.apexLabels)
    return before === 0
      ? this.insert(zone, name, label, flags, rrsets)
      : this.replace(zone, name, label, before, flags, rrsets)
  }

  /** Like `put`, for a name that is known not to exist. */
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

  /** Like `put`, for a name whose entry is known. The flags about names below it are kept. */
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

  /** Copies whole entries in (`EntryMemory.copyIn`). Each must then be linked. */
  copyIn(zone: ZoneNames, entries: Uint8Array): number {
    return this.#memory.copyIn(zone.number, entries)
  }

  /** Adds a copied or written entry to the index. Its name must not exist yet. */
  link(zone: ZoneNames, ref: number, hash: number): void {
    zone.append(ref)
    this.#index.insert(hash, ref, this.#isSeen(zone))
  }

  /** Replaces an existing entry in the index. The flags about names below it are kept. */
  linkInPlace(zone: ZoneNames, before: number, ref: number, hash: number): void {
    const words = this.#wordsOf(ref)
    words[wordOf(ref) + CHILDREN] = this.childrenOf(before)
    const word = wordOf(ref) + SIZE
    words[word] = (words[word] as number) | (this.reader.flagsOf(before) & KEPT_FLAGS)
    zone.replace(before, ref)
    this.#index.replace(hash, before, ref)
    this.#memory.takeOut(before)
  }

  /** Makes room in the index for this many additional names, at once. */
  expect(names: number): void {
    this.#index.expect(names)
  }

  /** The hash of a name one label below the apex, whose octets are at `at`. */
  labelHash(zone: ZoneNames, octets: Uint8Array, at: number): number {
    return this.#hashes.ofLabel(zone.number, octets, at)
  }

  /** Removes a name from its zone. */
  remove(zone: ZoneNames, ref: number): void {
    this.#index.remove(this.#hashes.of(ref, this.reader), ref)
    zone.remove(ref)
    this.#memory.takeOut(ref)
  }

  /** The number of existing names one label below this one. */
  childrenOf(ref: number): number {
    return this.#wordsOf(ref)[wordOf(ref) + CHILDREN] as number
  }

  addToChildren(ref: number, difference: number): void {
    const words = this.#wordsOf(ref)
    words[wordOf(ref) + CHILDREN] = (words[wordOf(ref) + CHILDREN] as number) + difference
  }

  /** Sets or clears flags of an entry that can be found. They share a word, so readers see all or none. */
  setFlags(ref: number, flags: number, on: boolean): void {
    const words = this.#wordsOf(ref)
    const at = wordOf(ref) + SIZE
    const word = words[at] as number
    Atomics.store(words, at, on ? word | flags : word & ~flags)
  }

  /**
   * Makes look-ups for names at and below the zone's apex use this zone, instead of another one with that apex.
   */
  serve(zone: ZoneNames, apex: FoldedName): void {
    zone.isServed = true
    this.put(this.#directory, apex, 0, PUBLISHED, zoneNumberRRset(zone.number))
    this.control.longestApex = Math.max(this.control.longestApex, apex.length)
  }

  /** Makes look-ups no longer find a zone with this apex. */
  unserve(apex: FoldedName): void {
    const ref = this.reader.find(DIRECTORY, apex, 0, apex.labels)
    if (ref === 0) return
    this.remove(this.#directory, ref)
    this.control.longestApex = longestApex(this.#directory, this.reader)
  }

  /** Starts to capture all names of a zone at one moment. The caller continues the capture and releases it. */
  capture(zone: ZoneNames): NamesCapture {
    return new NamesCapture(zone, this.#memory.pin(), (pin) => this.#memory.release(pin))
  }

  /**
   * Discards a zone that is no longer served (`unserve`, or replaced). Its memory is reused when no reader can hold
   * it. This takes a while, in slices.
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

  /** Frees what no reader can still hold. Changes also do that, a few entries at a time. */
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
    const apexLabel = name.labels - zone.apexLabels
    return this.#memory.write(zone.number, name, label, apexLabel, flags, rrsets)
  }

  /** Whether readers may have found the zone. */
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
