/*
 * The tree of the names of one zone: updates the entries around a name that is added or removed.
 *
 * A name implies all names above it, and each name counts its children. A name is added after its ancestors and
 * removed before them, so a reader on another thread never finds a name without its ancestors.
 */
import {
  areEntries,
  CUTS_BELOW,
  DELEGATES,
  type FoldedName,
  HAS_WILDCARD,
  INCOMPLETE,
  NAME_AT,
  octetOf,
  PUBLISHED,
  REDIRECTS,
  unitsFor,
  zoneHash,
  type ZoneNames,
  type ZoneTable,
} from '../table/index.ts'
import { currentName } from './current-name.ts'
import { RRsetOctets } from './rrset-octets.ts'

const NO_RRSETS = new RRsetOctets()
/** The flags that hide the names below from queries. */
const BARRIER = DELEGATES | REDIRECTS

export class NameTree {
  readonly names: ZoneNames
  readonly #table: ZoneTable
  readonly #name: FoldedName
  #apexRef = 0
  /** The number of zone cuts and redirections below the apex. */
  #barriers = 0
  /** Whether a change of served names is in progress, and whether it has added or removed names. */
  #isWatched = false
  #isMarked = false

  constructor(table: ZoneTable, names: ZoneNames) {
    this.#table = table
    this.names = names
    this.#name = currentName(table.reader)
  }

  /** Whether a name other than the apex may hide names below it. */
  get hasBarriers(): boolean {
    return this.#barriers > 0
  }

  /**
   * Makes all steps of one change. Other threads can see that a change is in progress, from the first name that
   * it adds or removes until it ends.
   *
   * @param hides whether the change adds a zone cut or a redirection below the apex. Other threads then see the
   * change from its beginning, and that the zone has a cut; otherwise they could find a name before the cut that
   * hides it.
   */
  change(steps: () => void, hides: boolean): void {
    this.#isWatched = this.names.isServed
    try {
      if (hides && this.#isWatched) {
        this.#markChange()
        this.#table.setFlags(this.#apexRef, CUTS_BELOW, true)
      }
      steps()
    } finally {
      if (this.#isMarked) this.#table.control.endChange()
      this.#isWatched = this.#isMarked = false
    }
  }

  // Replacing a name needs no mark, because a reader finds it in one state or the other. The exception is a name
  // that starts or stops hiding the names below it, some of which may still be in the old state.
  #markChange(): void {
    if (this.#isMarked || !this.#isWatched) return
    this.#isMarked = true
    this.#table.control.beginChange()
  }

  /** The entry of a suffix of the name, 0 when it does not exist. */
  find(name: FoldedName, label: number): number {
    const apexLabel = name.labels - this.names.apexLabels
    return this.#table.reader.find(this.names.number, name, label, apexLabel)
  }

  /** Publishes the apex, which has no parent in this zone. */
  publishApex(name: FoldedName, flags: number, rrsets: RRsetOctets): void {
    this.#apexRef = this.#table.put(this.names, name, 0, flags, rrsets)
  }

  /** Marks the zone as incomplete, with a flag at its apex. */
  markIncomplete(): void {
    this.#table.setFlags(this.#apexRef, INCOMPLETE, true)
  }

  /** Publishes the whole state of a name below the apex. */
  publish(name: FoldedName, flags: number, rrsets: RRsetOctets): void {
    const before = this.find(name, 0)
    if (before === 0) this.#insert(name, 0, flags | PUBLISHED, rrsets)
    else this.#replace(name, before, flags | PUBLISHED, rrsets)
  }

  /** Withdraws the published state of a name below the apex, if there is one. */
  withdraw(name: FoldedName): void {
    const before = this.find(name, 0)
    if (before === 0) return
    if (this.#table.childrenOf(before) === 0) this.#remove(name, 0, before)
    else this.#replace(name, before, 0, NO_RRSETS)
  }

  /**
   * Adds names below the apex as entries, octet for octet. The state of an existing name is replaced.
   *
   * @param entries as `copyEntry` makes them
   * @throws RangeError when they are invalid
   */
  adopt(entries: Buffer, apex: Uint8Array): void {
    if (!areEntries(entries, apex.length)) throw new RangeError('the entries are invalid')
    const { reader } = this.#table
    let ref = this.#table.copyIn(this.names, entries)
    const end = ref + unitsFor(entries.length)
    while (ref < end) {
      const units = reader.unitsOf(ref)
      const octets = reader.octetsOf(ref)
      const at = octetOf(ref) + NAME_AT
      const length = octets[at - 1] as number
      if ((octets[at] as number) + 1 === length) this.#adoptLabel(ref, octets, at, length)
      else this.#adoptName(ref, octets, at, length, apex)
      ref += units
    }
  }

  // Nearly all names are one label below the apex and need no look-up.
  #adoptLabel(ref: number, octets: Uint8Array, at: number, length: number): void {
    const hash = this.#table.labelHash(this.names, octets, at)
    const before = this.#table.reader.findHashed(this.names.number, hash, octets, at, length)
    this.#link(ref, hash, before, this.#apexRef, isAsterisk(octets, at))
  }

  #adoptName(ref: number, octets: Uint8Array, at: number, length: number, apex: Uint8Array): void {
    const name = this.#name
    name.read(Buffer.concat([octets.subarray(at, at + length), apex]), 0)
    const hash = zoneHash(name.hashes[0] as number, this.names.number)
    const parent = this.find(name, 1) || this.#insert(name, 1, 0, NO_RRSETS)
    this.#link(ref, hash, this.find(name, 0), parent, isWildcard(name, 0))
  }

  #link(ref: number, hash: number, before: number, parent: number, isWildcard: boolean): void {
    const { reader } = this.#table
    this.#countBarrier(before === 0 ? 0 : reader.flagsOf(before), reader.flagsOf(ref))
    if (before !== 0) {
      this.#table.linkInPlace(this.names, before, ref, hash)
      return
    }
    this.#table.link(this.names, ref, hash)
    this.#table.addToChildren(parent, 1)
    if (isWildcard) this.#table.setFlags(parent, HAS_WILDCARD, true)
  }

  #insert(name: FoldedName, label: number, flags: number, rrsets: RRsetOctets): number {
    this.#markChange()
    const parent = this.find(name, label + 1) || this.#insert(name, label + 1, 0, NO_RRSETS)
    this.#countBarrier(0, flags)
    const ref = this.#table.insert(this.names, name, label, flags, rrsets)
    this.#table.addToChildren(parent, 1)
    if (isWildcard(name, label)) this.#table.setFlags(parent, HAS_WILDCARD, true)
    return ref
  }

  #replace(name: FoldedName, before: number, flags: number, rrsets: RRsetOctets): void {
    const flagsBefore = this.#table.reader.flagsOf(before)
    if (((flagsBefore ^ flags) & BARRIER) !== 0) this.#markChange()
    this.#countBarrier(flagsBefore, flags)
    this.#table.replace(this.names, name, 0, before, flags, rrsets)
  }

  /** Removes a name that is no longer needed, and the empty non-terminals that existed only for it. */
  #remove(name: FoldedName, label: number, ref: number): void {
    const { reader } = this.#table
    this.#markChange()
    this.#countBarrier(reader.flagsOf(ref), 0)
    this.#table.remove(this.names, ref)
    const parent = this.find(name, label + 1)
    this.#table.addToChildren(parent, -1)
    if (isWildcard(name, label)) this.#table.setFlags(parent, HAS_WILDCARD, false)
    const isApex = name.labels - this.names.apexLabels === label + 1
    const isHeld = (reader.flagsOf(parent) & PUBLISHED) !== 0 || this.#table.childrenOf(parent) > 0
    if (!isApex && !isHeld) this.#remove(name, label + 1, parent)
  }

  // The apex flag is set before the first cut or redirection is added, and cleared with the next version after
  // the last one is removed.
  #countBarrier(before: number, after: number): void {
    if ((before & BARRIER) !== 0) this.#barriers -= 1
    if ((after & BARRIER) === 0) return
    this.#barriers += 1
    if (this.#barriers === 1) this.#table.setFlags(this.#apexRef, CUTS_BELOW, true)
  }
}

function isWildcard({ octets, starts }: FoldedName, label: number): boolean {
  return isAsterisk(octets, starts[label] as number)
}

function isAsterisk(octets: Uint8Array, at: number): boolean {
  return octets[at] === 1 && octets[at + 1] === 0x2a
}
