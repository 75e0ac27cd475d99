import { canonicalName, nameKey, TYPE } from '../names/index.ts'
import type { FoldedName, TableReader } from '../table/index.ts'
import { parentKey } from './name-key.ts'
import { ZoneNode } from './node.ts'
import type { RRset } from './rrset.ts'
import { negativeSoa } from './soa.ts'

/** The deepest existing name at or above a name, and whether it is that very name. */
export interface ClosestEncloser {
  readonly node: ZoneNode
  readonly key: string
  readonly exact: boolean
}

/**
 * The reading side of a zone, on any thread: what questions are answered from. The writing side is
 * `Zone`.
 */
export class ZoneReader {
  /** Wire form with the root octet, A to Z in lower case. */
  readonly origin: Buffer
  /** The `nameKey` of the origin. */
  readonly key: string
  readonly table: TableReader
  /** The zone's number in the table. */
  readonly number: number
  readonly #originLabels: number
  readonly #name: FoldedName
  readonly #octets = Buffer.alloc(256)

  constructor(table: TableReader, number: number, origin: Uint8Array) {
    this.table = table
    this.number = number
    this.origin = canonicalName(origin)
    this.key = nameKey(this.origin)
    this.#name = table.newName()
    this.#name.read(this.origin, 0)
    this.#originLabels = this.#name.labels
  }

  /** The SOA RRset as a question for it is answered. */
  get soa(): RRset {
    const soa = this.node(this.key)?.rrset(TYPE.SOA)
    // The writer makes the apex first, and it stays until the zone is found no more.
    if (soa === undefined) throw new Error('the zone has no SOA')
    return soa
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
   * RFC 4592 §3.3.1. Walks up from the name itself: most questions are for names that exist.
   *
   * @param key of a name at or below the origin
   */
  closestEncloser(key: string): ClosestEncloser {
    let candidate: string | undefined = key
    while (candidate !== undefined) {
      const node = this.node(candidate)
      if (node !== undefined) return { node, key: candidate, exact: candidate === key }
      candidate = parentKey(candidate)
    }
    // Only a name of another zone gets here, and there is nothing right to say about it.
    throw new RangeError('the name is not in the zone')
  }

  /** The entry of the name with this key, 0 when it does not exist. */
  find(key: string): number {
    if (key.length < this.key.length || !key.endsWith(this.key)) return 0
    const name = this.#name
    const length = this.#octets.write(key, 'latin1')
    if (name.read(this.#octets.subarray(0, length), 0) === 0) return 0
    const origin = name.labels - this.#originLabels
    // Octets that end like the origin may be a part of a label.
    if (origin < 0 || name.starts[origin] !== length - this.key.length) return 0
    return this.table.find(this.number, name, 0, origin)
  }
}
