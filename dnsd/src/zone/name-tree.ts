/*
 * The tree of the names of one zone: what has to change around a name when it comes or goes.
 *
 * Names above a name exist with it, and each counts the names one label below it. A name comes after those
 * above it and goes before them, so whoever looks meanwhile on another thread never meets one without its
 * parents.
 */
import {
  CUTS_BELOW,
  DELEGATES,
  type FoldedName,
  HAS_WILDCARD,
  PUBLISHED,
  REDIRECTS,
  type ZoneNames,
  type ZoneTable,
} from '../table/index.ts'
import { RRsetOctets } from './rrset-octets.ts'

const NO_RRSETS = new RRsetOctets()
/** What keeps questions for names below from going further. */
const BARRIER = DELEGATES | REDIRECTS

export class NameTree {
  readonly names: ZoneNames
  readonly #table: ZoneTable
  /** Cuts and redirections below the apex. */
  #barriers = 0

  constructor(table: ZoneTable, names: ZoneNames) {
    this.#table = table
    this.names = names
  }

  /** Whether names may be hidden by one above them, other than the apex. */
  get hasBarriers(): boolean {
    return this.#barriers > 0
  }

  /** The entry of a suffix of the name, 0 when it does not exist. */
  find(name: FoldedName, label: number): number {
    const origin = name.labels - this.names.originLabels
    return this.#table.reader.find(this.names.number, name, label, origin)
  }

  /** Publishes the apex, which has nothing above it here. */
  publishApex(name: FoldedName, flags: number, rrsets: RRsetOctets): void {
    const { octets, length } = rrsets
    this.#table.put(this.names, name, 0, flags, octets, length)
  }

  /** Publishes the whole state of a name below the apex. */
  publish(name: FoldedName, flags: number, rrsets: RRsetOctets): void {
    const before = this.find(name, 0)
    if (before === 0) this.#insert(name, 0, flags | PUBLISHED, rrsets)
    else this.#replace(name, before, flags | PUBLISHED, rrsets)
  }

  /** Takes back what was published for a name below the apex, if anything. */
  withdraw(name: FoldedName): void {
    const before = this.find(name, 0)
    if (before === 0) return
    if (this.#table.childrenOf(before) === 0) this.#remove(name, 0, before)
    else this.#replace(name, before, 0, NO_RRSETS)
  }

  #insert(name: FoldedName, label: number, flags: number, rrsets: RRsetOctets): number {
    const parent = this.find(name, label + 1) || this.#insert(name, label + 1, 0, NO_RRSETS)
    this.#countBarrier(name, 0, flags)
    const { octets, length } = rrsets
    const ref = this.#table.insert(this.names, name, label, flags, octets, length)
    this.#table.addToChildren(parent, 1)
    if (isWildcard(name, label)) this.#table.setFlags(parent, HAS_WILDCARD, true)
    return ref
  }

  #replace(name: FoldedName, before: number, flags: number, rrsets: RRsetOctets): void {
    this.#countBarrier(name, this.#table.reader.flagsOf(before), flags)
    const { octets, length } = rrsets
    this.#table.replace(this.names, name, 0, before, flags, octets, length)
  }

  /** Removes a name that nothing holds any more, and the empty non-terminals it alone held up. */
  #remove(name: FoldedName, label: number, ref: number): void {
    const { reader } = this.#table
    this.#countBarrier(name, reader.flagsOf(ref), 0)
    this.#table.remove(this.names, ref)
    const parent = this.find(name, label + 1)
    this.#table.addToChildren(parent, -1)
    if (isWildcard(name, label)) this.#table.setFlags(parent, HAS_WILDCARD, false)
    const isApex = name.labels - this.names.originLabels === label + 1
    const isHeld = (reader.flagsOf(parent) & PUBLISHED) !== 0 || this.#table.childrenOf(parent) > 0
    if (!isApex && !isHeld) this.#remove(name, label + 1, parent)
  }

  // The apex says so before the first barrier comes, and at the next version when the last one has gone.
  #countBarrier(name: FoldedName, before: number, after: number): void {
    if ((before & BARRIER) !== 0) this.#barriers -= 1
    if ((after & BARRIER) === 0) return
    this.#barriers += 1
    if (this.#barriers > 1) return
    const apex = this.find(name, name.labels - this.names.originLabels)
    this.#table.setFlags(apex, CUTS_BELOW, true)
  }
}

function isWildcard({ octets, starts }: FoldedName, label: number): boolean {
  const at = starts[label] ?? 0
  return octets[at] === 1 && octets[at + 1] === 0x2a
}
