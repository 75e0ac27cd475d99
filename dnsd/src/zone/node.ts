import { APEX, DELEGATES, PUBLISHED, REDIRECTS, type TableReader } from '../table/index.ts'
import type { OwnerState, RRset } from './rrset.ts'
import { readRRset, readRRsets } from './rrset-octets.ts'
import { keyOctets, parentKey } from './name-key.ts'

/** What a node needs of its zone. */
export interface NodeZone {
  readonly table: TableReader
  node(key: string): ZoneNode | undefined
}

/**
 * A name that exists in a zone. It exists because a state was published for it, or because a name
 * below it exists (an empty non-terminal, RFC 8499 §7), or both.
 *
 * It reads from the zone's table, so it is valid as long as its entry: until this thread yields. The
 * values that it returns are copies and stay valid.
 */
export class ZoneNode {
  readonly key: string
  readonly #zone: NodeZone
  readonly #ref: number

  constructor(zone: NodeZone, key: string, ref: number) {
    this.#zone = zone
    this.key = key
    this.#ref = ref
  }

  /** Wire form with the root octet, A to Z in lower case. */
  get owner(): Buffer {
    return keyOctets(this.key)
  }

  /** The node one label up; undefined at the apex, whose parent is in another zone. */
  get parent(): ZoneNode | undefined {
    if (this.#isApex) return undefined
    const key = parentKey(this.key)
    return key === undefined ? undefined : this.#zone.node(key)
  }

  /** The state published for this name; undefined for an empty non-terminal. */
  get state(): OwnerState | undefined {
    if (!this.#isApex && (this.#flags & PUBLISHED) === 0) return undefined
    return { owner: this.owner, rrsets: this.rrsets }
  }

  get rrsets(): readonly RRset[] {
    return readRRsets(this.#zone.table, this.#ref)
  }

  /** Whether this name is a zone cut: NS records below the apex (RFC 1034 §4.2). */
  get delegates(): boolean {
    return (this.#flags & DELEGATES) !== 0
  }

  /** Whether this name has a DNAME that redirects the names below it (RFC 6672 §2.3). */
  get redirects(): boolean {
    return (this.#flags & REDIRECTS) !== 0
  }

  rrset(type: number): RRset | undefined {
    const at = this.#zone.table.findRRset(this.#ref, type)
    return at === 0 ? undefined : readRRset(this.#zone.table, this.#ref, at)
  }

  get #isApex(): boolean {
    return (this.#flags & APEX) !== 0
  }

  get #flags(): number {
    return this.#zone.table.flagsOf(this.#ref)
  }
}
