import { canonicalName, nameKey, TYPE } from '../names/index.ts'
import { CUTS_BELOW, type FoldedName, INCOMPLETE, type TableReader } from '../table/index.ts'
import { currentName } from './current-name.ts'
import { ZoneNode } from './node.ts'
import type { RRset } from './rrset.ts'
import { readRRset } from './rrset-octets.ts'
import { negativeSoa } from './soa.ts'

/** The deepest existing name at or above a name, and whether it is the name itself. */
export interface ClosestEncloser {
  readonly node: ZoneNode
  readonly key: string
  readonly exact: boolean
}

// A buffer for converting keys to octets. It is shared, because there is no await before the look-up.
const keyRoom = Buffer.alloc(256)

/** The reading side of a zone, on any thread, which questions are answered from. The writing side is `Zone`. */
export class ZoneReader {
  /** Wire form with the root octet, A to Z in lower case. */
  readonly apex: Buffer
  /** The `nameKey` of the apex. */
  readonly key: string
  readonly table: TableReader
  /** The zone's number in the table. */
  readonly number: number
  readonly #apexLabels: number
  readonly #name: FoldedName
  /** The entry of the apex that is held; 0 when none is. */
  #apexRef = 0

  constructor(table: TableReader, number: number, apex: Uint8Array) {
    this.table = table
    this.number = number
    this.apex = canonicalName(apex)
    this.key = nameKey(this.apex)
    this.#name = currentName(table)
    this.#name.read(this.apex, 0)
    this.#apexLabels = this.#name.labels
  }

  /**
   * Keeps the current apex for the following look-ups of one answer. The writer publishes the apex after the
   * names of a change, so the names found are at least as new as the serial in the answer. A resolver that
   * compares serials therefore never takes old data for new.
   */
  holdApex(): void {
    this.#apexRef = this.find(this.key)
  }

  /** Whether zone cuts or redirections may hide names, now or when the apex was held. */
  get hasCuts(): boolean {
    return this.#apexHas(CUTS_BELOW)
  }

  /**
   * Whether changes of the zone were lost on disk and it has not been read from the database since. Existing
   * names may then be missing from it, so a missing name proves nothing.
   */
  get isIncomplete(): boolean {
    return this.#apexHas(INCOMPLETE)
  }

  /** The SOA RRset for answers to SOA questions, from the held apex. */
  get soa(): RRset {
    const apexRef = this.#apexRef === 0 ? this.find(this.key) : this.#apexRef
    const at = apexRef === 0 ? 0 : this.table.findRRset(apexRef, TYPE.SOA)
    // The writer creates the apex first, and it exists as long as the zone can be found.
    if (at === 0) throw new Error('the zone has no SOA')
    return readRRset(this.table, apexRef, at)
  }

  /** The SOA RRset as NODATA and NXDOMAIN carry it. */
  get negativeSoa(): RRset {
    return negativeSoa(this.soa)
  }

  /** The node of the name with this key, if the name exists. */
  node(key: string): ZoneNode | undefined {
    const ref = this.find(key)
    return ref === 0 ? undefined : new ZoneNode(this, key, ref)
  }

  /**
   * RFC 4592 §3.3.1. Searches upwards from the name itself, because most questions are for existing names.
   *
   * @param key of a name at or below the apex
   */
  closestEncloser(key: string): ClosestEncloser {
    const name = this.#name
    // The name is parsed once and not again for each of its ancestors, of which there may be more than a
    // hundred.
    const apexLabel = this.#read(key)
    for (let label = 0; label <= apexLabel; label++) {
      const ref = this.table.find(this.number, name, label, apexLabel)
      if (ref === 0) continue
      const found = key.slice(name.starts[label])
      return { node: new ZoneNode(this, found, ref), key: found, exact: label === 0 }
    }
    // Only a name of another zone gets here, which has no correct result.
    throw new RangeError('the name is not in the zone')
  }

  /** Whether the apex has a flag, now or when it was held. */
  #apexHas(flag: number): boolean {
    if (this.#apexRef !== 0 && (this.table.flagsOf(this.#apexRef) & flag) !== 0) return true
    const apexRef = this.find(this.key)
    return apexRef !== 0 && (this.table.flagsOf(apexRef) & flag) !== 0
  }

  /** The entry of the name with this key, 0 when it does not exist. */
  find(key: string): number {
    const apexLabel = this.#read(key)
    return apexLabel < 0 ? 0 : this.table.find(this.number, this.#name, 0, apexLabel)
  }

  /**
   * Reads the key into the shared name. @returns which suffix of it is the apex, -1 when it is outside the
   * zone
   */
  #read(key: string): number {
    if (key.length < this.key.length || !key.endsWith(this.key)) return -1
    const name = this.#name
    const length = keyRoom.write(key, 'latin1')
    if (name.read(keyRoom.subarray(0, length), 0) === 0) return -1
    const apexLabel = name.labels - this.#apexLabels
    // Octets that match the apex may be part of a label.
    const isInZone = apexLabel >= 0 && name.starts[apexLabel] === length - this.key.length
    return isInZone ? apexLabel : -1
  }
}
