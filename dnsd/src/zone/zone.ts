/*
 * One zone in memory: the tree of names that exist, from the apex down, in the table.
 *
 * A name is found by its octets, so an exact match costs one look-up, and the closest encloser one more for each
 * label that does not exist. Each entry counts its children. A name without a published state exists as long as
 * that count is not zero. Such names are the empty non-terminals, which decide between NODATA and NXDOMAIN and
 * stop wildcards (RFC 4592 §2.2).
 *
 * A change set is applied in one synchronous step, so this thread answers a question from the state before or
 * after it, never from a state in between. Other threads see names change one by one, each atomically. The apex
 * with the SOA record comes last, so a reader that sees the new serial finds all of its data. A change that adds
 * or removes names is marked. Otherwise a reader could report a name as missing when its wildcard is already
 * removed and the name itself is not added yet.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  ALIAS,
  APEX,
  copyEntry,
  CUTS_BELOW,
  DELEGATES,
  type FoldedName,
  NameCursor,
  PUBLISHED,
  REDIRECTS,
  UNIT_BYTES,
  ZoneTable,
} from '../table/index.ts'
import { flagsFor, hides } from './entry-flags.ts'
import { stateAt } from './entry-state.ts'
import { FrozenZone } from './frozen-zone.ts'
import { currentName } from './current-name.ts'
import { NameTree } from './name-tree.ts'
import { checkOwnerState, type OwnerState, type RRset } from './rrset.ts'
import { RRsetOctets } from './rrset-octets.ts'
import { negativeSoa, soaRRset, type SoaParameters } from './soa.ts'
import { ZoneReader } from './zone-reader.ts'
import type { ZoneVersion } from './zone-version.ts'

// About the longest delay of questions that arrive meanwhile, for each background task that is running.
const SLICE_MS = 2

const PIECE_BYTES = 256 * 1024
/** Larger states are checked before anything is added. */
const SMALL_STATE_BYTES = 64 * 1024

// The buffer for the records of a name. One is enough, because there is no await while it is in use.
const draft = new RRsetOctets()

/** An RRset with octets of its own: those of an entry from the disk are overwritten by later entries. */
const copyOf = ({ type, ttlSeconds, rdata }: RRset): RRset => ({
  type,
  ttlSeconds,
  rdata: rdata.map((one) => Buffer.from(one)),
})

export class Zone extends ZoneReader {
  readonly #table: ZoneTable
  readonly #tree: NameTree
  readonly #owner: FoldedName
  #apexRRsets: readonly RRset[] | null = null
  #version: ZoneVersion
  #soaParameters: SoaParameters
  #soa: RRset
  #negativeSoa: RRset

  /** @param table holds its names; by default, a new one */
  constructor(
    apex: Uint8Array,
    version: ZoneVersion,
    soa: SoaParameters,
    table: ZoneTable = new ZoneTable(),
  ) {
    const owner = currentName(table.reader)
    if (owner.read(apex, 0) === 0) throw new RangeError('the apex is not a valid name')
    const soaSet = soaRRset(soa, version.serial)
    const names = table.addZone(owner)
    super(table.reader, names.number, apex)
    this.#table = table
    this.#tree = new NameTree(table, names)
    this.#owner = owner
    this.#version = version
    this.#soaParameters = soa
    this.#soa = soaSet
    this.#negativeSoa = negativeSoa(soaSet)
    this.#publishApex()
  }

  get version(): ZoneVersion {
    return this.#version
  }

  get soaParameters(): SoaParameters {
    return this.#soaParameters
  }

  override get soa(): RRset {
    return this.#soa
  }

  override get negativeSoa(): RRset {
    return this.#negativeSoa
  }

  /** Existing names, empty non-terminals and the apex included. */
  get nameCount(): number {
    return this.#tree.names.count
  }

  /**
   * Applies one whole change set: every state in it or, if one cannot be served, none. This thread answers nothing
   * meanwhile (about 1 µs per name), so a whole zone is built in parts before it is served.
   *
   * @param soa the other SOA fields, if they change with this version
   * @throws OwnerStateError
   */
  apply(
    states: readonly OwnerState[],
    version: ZoneVersion,
    soa: SoaParameters = this.#soaParameters,
  ): void {
    for (const state of states) checkOwnerState(this.key, state)
    // Built before anything changes, because it throws on numbers that are out of range.
    const soaSet = soaRRset(soa, version.serial)
    this.#tree.change(
      () => {
        for (const state of states) this.#publish(state)
        this.#soaParameters = soa
        this.#soa = soaSet
        this.#negativeSoa = negativeSoa(soaSet)
        this.#publishApex()
      },
      states.some((state) => hides(state, this.apex)),
    )
    this.#version = version
  }

  /**
   * Every published name and its state, for snapshots, without the SOA. The zone may change meanwhile: a name that
   * is removed before its turn is left out, and a new one comes at the end.
   */
  *owners(): IterableIterator<OwnerState> {
    const cursor = new NameCursor(this.#tree.names)
    try {
      for (let ref = cursor.next(); ref !== 0; ref = cursor.next()) {
        const flags = this.table.flagsOf(ref)
        if ((flags & PUBLISHED) === 0) continue
        yield (flags & APEX) === 0
          ? stateAt(this.table, ref, this.apex)
          : { owner: this.apex, rrsets: this.#apexRRsets }
      }
    } finally {
      cursor.close()
    }
  }

  /**
   * Adds an RRset of one address to a name below the apex, before the zone is served. Most names of large zones
   * are of this kind.
   *
   * @param owner a name in wire form; octets after its root are ignored
   * @param type A or AAAA
   * @returns false, without a change, if it is not allowed: outside the zone, at the apex, beside an alias or an
   * RRset of its type, or above the size limit. `apply` reports the reason.
   */
  addAddress(owner: Uint8Array, type: number, ttlSeconds: number, rdata: Uint8Array): boolean {
    const name = this.#owner
    if (name.read(owner, 0) === 0 || !this.#isBelowApex(name)) return false
    draft.clear()
    let flags = 0
    const before = this.#tree.find(name, 0)
    if (before !== 0) {
      flags = this.table.flagsOf(before)
      const hasRoom = this.table.unitsOf(before) * UNIT_BYTES < SMALL_STATE_BYTES
      if ((flags & ALIAS) !== 0 || !hasRoom || this.table.findRRset(before, type) !== 0)
        return false
      draft.addAll(this.table, before)
    }
    draft.addOne(type, ttlSeconds, rdata)
    this.#tree.publish(name, flags & (DELEGATES | REDIRECTS), draft)
    return true
  }

  #isBelowApex({ labels, octets, starts, length }: FoldedName): boolean {
    const apexStart = starts[labels - this.#tree.names.apexLabels] ?? 0
    // At the apex it begins at 0; a name with fewer labels than the apex is not in the zone.
    return apexStart > 0 && this.apex.equals(octets.subarray(apexStart, length))
  }

  /** Reserves memory for this many additional names. */
  expect(names: number): void {
    this.#table.expect(names)
  }

  /**
   * The published names below the apex as entries, octet for octet, in pieces of some 256 KiB. As with `owners`,
   * the zone may change meanwhile.
   */
  *pieces(): IterableIterator<Buffer> {
    const cursor = new NameCursor(this.#tree.names)
    let piece = Buffer.allocUnsafe(PIECE_BYTES)
    let bytes = 0
    try {
      for (let ref = cursor.next(); ref !== 0; ref = cursor.next()) {
        if ((this.table.flagsOf(ref) & (PUBLISHED | APEX)) !== PUBLISHED) continue
        const entryBytes = this.table.unitsOf(ref) * UNIT_BYTES
        if (bytes + entryBytes > piece.length) {
          // The first entry of a piece may be larger than a piece.
          if (bytes > 0) yield piece.subarray(0, bytes)
          piece = Buffer.allocUnsafe(Math.max(PIECE_BYTES, entryBytes))
          bytes = 0
        }
        bytes = copyEntry(this.table, ref, piece, bytes)
      }
      if (bytes > 0) yield piece.subarray(0, bytes)
    } finally {
      cursor.close()
    }
  }

  /**
   * Adds the entries of a piece from `pieces`, before the zone is served.
   *
   * @throws RangeError when the piece is invalid
   */
  adopt(piece: Buffer): void {
    this.#tree.adopt(piece, this.apex)
  }

  /** Marks a zone that is not served yet as incomplete. The mark stays until a complete zone replaces it. */
  markIncomplete(): void {
    this.#tree.markIncomplete()
  }

  /** The RRsets published at the apex, without the SOA; null when nothing is published. */
  get apexRRsets(): readonly RRset[] | null {
    return this.#apexRRsets
  }

  /**
   * A capture of the zone at one version, the newest one when all its names are collected. Collecting runs in
   * slices; in between, questions are answered and changes applied (about 50 ms for a million names).
   */
  async capture(): Promise<FrozenZone> {
    const capture = this.#table.capture(this.#tree.names)
    try {
      while (!capture.collect(performance.now() + SLICE_MS)) await nextTurn()
    } catch (error) {
      capture.release()
      throw error
    }
    return new FrozenZone(this.table, capture, {
      apex: this.apex,
      version: this.#version,
      soaParameters: this.#soaParameters,
      soa: this.#soa,
      apexRRsets: this.#apexRRsets,
    })
  }

  /** Frees the memory of the zone, in slices. It must no longer be served, and not be used afterwards. */
  async discard(): Promise<void> {
    await this.#table.discard(this.#tree.names)
  }

  /** Makes readers on other threads answer from this zone. */
  serve(): void {
    this.#owner.read(this.apex, 0)
    this.#table.serve(this.#tree.names, this.#owner)
  }

  /** Makes readers on other threads no longer find a zone with this apex. */
  unserve(): void {
    this.#owner.read(this.apex, 0)
    this.#table.unserve(this.#owner)
  }

  #publish({ owner, rrsets }: OwnerState): void {
    this.#owner.read(owner, 0)
    if (this.#owner.labels === this.#tree.names.apexLabels) {
      this.#apexRRsets = rrsets?.map(copyOf) ?? null
    } else if (rrsets === null) {
      this.#tree.withdraw(this.#owner)
    } else {
      draft.collect(rrsets)
      this.#tree.publish(this.#owner, flagsFor(rrsets), draft)
    }
  }

  #publishApex(): void {
    const published = this.#apexRRsets ?? []
    draft.collect([this.#soa, ...published])
    // The NS records of the apex belong to the zone itself and are not a zone cut.
    const flags = flagsFor(published) & ~DELEGATES
    const hides = (flags & REDIRECTS) !== 0 || this.#tree.hasBarriers
    this.#owner.read(this.apex, 0)
    this.#tree.publishApex(
      this.#owner,
      APEX | flags | (this.#apexRRsets === null ? 0 : PUBLISHED) | (hides ? CUTS_BELOW : 0),
      draft,
    )
  }
}
