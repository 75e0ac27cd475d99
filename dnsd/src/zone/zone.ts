/*
 * One zone in memory: the tree of names that exist, from the apex down, in the table.
 *
 * A name is found by its octets, so an exact match costs one look-up and the closest encloser one more for
 * each label that does not exist. Each entry counts the names below it; a name without a published state
 * lives as long as that count is not zero. That is what makes empty non-terminals exist, which decides
 * between NODATA and NXDOMAIN and stops wildcards (RFC 4592 §2.2).
 *
 * A change set is applied in one synchronous step, so this thread answers a question from before it or from
 * after it and never from between. Other threads see names change one by one, each at once and as a whole;
 * the apex with the SOA record comes last, so whoever sees the new serial finds everything that it stands for.
 * Where names come or go the change is marked, so that nobody says of a name that it does not exist because the
 * wildcard that stood for it is gone and the name itself not there yet.
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
import { nameInHand } from './name-in-hand.ts'
import { NameTree } from './name-tree.ts'
import { checkOwnerState, type OwnerState, type RRset } from './rrset.ts'
import { RRsetOctets } from './rrset-octets.ts'
import { negativeSoa, soaRRset, type SoaParameters } from './soa.ts'
import { ZoneReader } from './zone-reader.ts'
import type { ZoneVersion } from './zone-version.ts'

// Questions that arrive meanwhile wait at most about this long, for each of the works that go on at the same time.
const SLICE_MS = 2

const PIECE_BYTES = 256 * 1024
/** What is larger is looked at closely before anything is added. */
const SMALL_STATE_BYTES = 64 * 1024

// What the records of a name are put together in: nothing awaits meanwhile, so one is enough.
const draft = new RRsetOctets()

export class Zone extends ZoneReader {
  readonly #table: ZoneTable
  readonly #tree: NameTree
  readonly #owner: FoldedName
  #apexRRsets: readonly RRset[] | null = null
  #version: ZoneVersion
  #soaParameters: SoaParameters
  #soa: RRset
  #negativeSoa: RRset

  /** @param table where its names are; one of its own when none is given */
  constructor(
    origin: Uint8Array,
    version: ZoneVersion,
    soa: SoaParameters,
    table: ZoneTable = new ZoneTable(),
  ) {
    const owner = nameInHand(table.reader)
    if (owner.read(origin, 0) === 0) throw new RangeError('the origin is no name')
    const soaSet = soaRRset(soa, version.serial)
    const names = table.addZone(owner)
    super(table.reader, names.number, origin)
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
   * Applies one whole change set: every state in it or, when one cannot be served, none. Nothing is
   * answered meanwhile on this thread (about 1 µs a name), so a whole zone is built in parts, before it is
   * served.
   *
   * @param soa the SOA's other fields, where they change with this version
   * @throws OwnerStateError
   */
  apply(
    states: readonly OwnerState[],
    version: ZoneVersion,
    soa: SoaParameters = this.#soaParameters,
  ): void {
    for (const state of states) checkOwnerState(this.key, state)
    // Built before anything changes, because it throws on numbers that do not fit.
    const soaSet = soaRRset(soa, version.serial)
    this.#tree.change(
      () => {
        for (const state of states) this.#publish(state)
        this.#soaParameters = soa
        this.#soa = soaSet
        this.#negativeSoa = negativeSoa(soaSet)
        this.#publishApex()
      },
      states.some((state) => hides(state, this.origin)),
    )
    this.#version = version
  }

  /**
   * Every published name and its state, for snapshots; the SOA is not among them. The zone may change
   * meanwhile: a name that goes before its turn is left out, a new one comes at the end.
   */
  *owners(): IterableIterator<OwnerState> {
    const cursor = new NameCursor(this.#tree.names)
    try {
      for (let ref = cursor.next(); ref !== 0; ref = cursor.next()) {
        const flags = this.table.flagsOf(ref)
        if ((flags & PUBLISHED) === 0) continue
        yield (flags & APEX) === 0
          ? stateAt(this.table, ref, this.origin)
          : { owner: this.origin, rrsets: this.#apexRRsets }
      }
    } finally {
      cursor.close()
    }
  }

  /**
   * Adds an RRset of one address to a name below the apex, before the zone is served: a zone of a million
   * names is mostly that.
   *
   * @param owner a name in wire form; octets behind its root do not count
   * @param type A or AAAA
   * @returns false, with nothing done, where it may not stand: out of the zone, at the apex, beside an alias
   * or one of its type, or beside more than fits. `apply` says what is wrong.
   */
  addAddress(owner: Uint8Array, type: number, ttlSeconds: number, rdata: Uint8Array): boolean {
    const name = this.#owner
    if (name.read(owner, 0) === 0 || !this.#isBelowOrigin(name)) return false
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

  #isBelowOrigin({ labels, octets, starts, length }: FoldedName): boolean {
    const origin = starts[labels - this.#tree.names.originLabels] ?? 0
    // At the apex it begins at 0; with fewer labels than the origin it is not there.
    return origin > 0 && this.origin.equals(octets.subarray(origin, length))
  }

  /** Makes room for so many names more. */
  expect(names: number): void {
    this.#table.expect(names)
  }

  /**
   * The published names below the apex as entries, octet for octet, in pieces of some 256 KiB. As with
   * `owners`, the zone may change meanwhile.
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
          // The first one of a piece may be larger than a piece.
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
   * Takes in what `pieces` gave, before the zone is served.
   *
   * @throws RangeError when it is something else
   */
  adopt(piece: Buffer): void {
    this.#tree.adopt(piece, this.origin)
  }

  /** Marks a zone that is not served yet as incomplete. It stays so: a complete one takes its place. */
  markIncomplete(): void {
    this.#tree.markIncomplete()
  }

  /** What is published at the apex, the SOA not among it; null for nothing. */
  get apexRRsets(): readonly RRset[] | null {
    return this.#apexRRsets
  }

  /**
   * The zone at one version: the newest one when its names are collected, which is done in slices between
   * which questions are answered and changes applied (about 50 ms for a million names).
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
      origin: this.origin,
      version: this.#version,
      soaParameters: this.#soaParameters,
      soa: this.#soa,
      apexRRsets: this.#apexRRsets,
    })
  }

  /** Gives the room of the zone back, in slices. It must not be served any more, and not be used afterwards. */
  async discard(): Promise<void> {
    await this.#table.discard(this.#tree.names)
  }

  /** Lets the questions of readers on other threads go to this zone. */
  serve(): void {
    this.#owner.read(this.origin, 0)
    this.#table.serve(this.#tree.names, this.#owner)
  }

  /** Lets them go to no zone of this origin. */
  unserve(): void {
    this.#owner.read(this.origin, 0)
    this.#table.unserve(this.#owner)
  }

  #publish({ owner, rrsets }: OwnerState): void {
    this.#owner.read(owner, 0)
    if (this.#owner.labels === this.#tree.names.originLabels) {
      this.#apexRRsets = rrsets
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
    // NS records of the apex are its own.
    const flags = flagsFor(published) & ~DELEGATES
    const hides = (flags & REDIRECTS) !== 0 || this.#tree.hasBarriers
    this.#owner.read(this.origin, 0)
    this.#tree.publishApex(
      this.#owner,
      APEX | flags | (this.#apexRRsets === null ? 0 : PUBLISHED) | (hides ? CUTS_BELOW : 0),
      draft,
    )
  }
}
