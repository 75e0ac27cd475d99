/*
 * One zone in memory: the tree of names that exist, from the apex down.
 *
 * Names are found through one Map from a name's key (its canonical wire form as a string) to its
 * node, so an exact match costs one look-up and the closest encloser one more for each label that
 * does not exist. Each node counts the names below it; a name without a published state lives as
 * long as that count is not zero. That is what makes empty non-terminals exist, which decides
 * between NODATA and NXDOMAIN and stops wildcards (RFC 4592 §2.2).
 *
 * A change set is applied in one synchronous step, so a question is answered from before it or from
 * after it and never from between; the SOA record follows last.
 */
import { nameKey } from '../names/index.ts'
import { ZoneNode } from './node.ts'
import { checkOwnerState, parentKey, type OwnerState, type RRset } from './rrset.ts'
import { negativeSoa, soaRRset, type SoaParameters } from './soa.ts'

/** Which version of a zone is served: the feed's serial, whose feed, and the change set's token. */
export interface ZoneVersion {
  readonly serial: bigint
  readonly feedId: string
  readonly token: string
}

/** The deepest existing name at or above a name, and whether it is that very name. */
export interface ClosestEncloser {
  readonly node: ZoneNode
  readonly key: string
  readonly exact: boolean
}

export class Zone {
  readonly origin: Buffer
  /** The `nameKey` of the origin. */
  readonly key: string
  readonly #nodes = new Map<string, ZoneNode>()
  readonly #apex = new ZoneNode(undefined)
  #apexState: OwnerState | undefined
  #version: ZoneVersion
  #soaParameters: SoaParameters
  #soa: RRset
  #negativeSoa: RRset

  constructor(origin: Buffer, version: ZoneVersion, soa: SoaParameters) {
    this.origin = origin
    this.key = nameKey(origin)
    this.#nodes.set(this.key, this.#apex)
    this.#version = version
    this.#soaParameters = soa
    this.#soa = soaRRset(soa, version.serial)
    this.#negativeSoa = negativeSoa(this.#soa, soa)
    this.#publishApex()
  }

  get version(): ZoneVersion {
    return this.#version
  }

  get soaParameters(): SoaParameters {
    return this.#soaParameters
  }

  /** The SOA RRset as a question for it is answered. */
  get soa(): RRset {
    return this.#soa
  }

  /** The SOA RRset as NODATA and NXDOMAIN carry it. */
  get negativeSoa(): RRset {
    return this.#negativeSoa
  }

  /** Existing names, empty non-terminals and the apex included. */
  get nameCount(): number {
    return this.#nodes.size
  }

  /**
   * Applies one whole change set: every state in it or, when one cannot be served, none. Nothing is
   * answered meanwhile (about 1 µs a name), so a whole zone is built in parts, before it is served.
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
    for (const state of states) this.#publish(state)
    this.#soaParameters = soa
    this.#soa = soaSet
    this.#negativeSoa = negativeSoa(soaSet, soa)
    this.#publishApex()
    this.#version = version
  }

  /**
   * Every published name and its state, for snapshots and transfers; the SOA is not among them.
   * States are immutable but the tree is not: take `[...owners()]` before awaiting anything.
   */
  *owners(): IterableIterator<OwnerState> {
    if (this.#apexState !== undefined) yield this.#apexState
    for (const node of this.#nodes.values()) {
      if (node !== this.#apex && node.state !== undefined) yield node.state
    }
  }

  /** The node of the name with this key, if the name exists. */
  node(key: string): ZoneNode | undefined {
    return this.#nodes.get(key)
  }

  /**
   * RFC 4592 §3.3.1. Walks up from the name itself: most questions are for names that exist.
   *
   * @param key of a name at or below the origin
   */
  closestEncloser(key: string): ClosestEncloser {
    let candidate: string | undefined = key
    while (candidate !== undefined) {
      const node = this.#nodes.get(candidate)
      if (node !== undefined) return { node, key: candidate, exact: candidate === key }
      candidate = parentKey(candidate)
    }
    // Only a name of another zone gets here, and there is nothing right to say about it.
    throw new RangeError('the name is not in the zone')
  }

  #publish(state: OwnerState): void {
    const key = nameKey(state.owner)
    if (key === this.key) {
      this.#apexState = state.rrsets === null ? undefined : state
    } else if (state.rrsets === null) {
      const node = this.#nodes.get(key)
      node?.publish(undefined)
      this.#prune(key, node)
    } else {
      this.#grow(key).publish(state)
    }
  }

  #publishApex(): void {
    const published = this.#apexState?.rrsets ?? []
    this.#apex.publish({ owner: this.origin, rrsets: [this.#soa, ...published] })
  }

  /** Makes the name exist, and with it every name between it and the apex. */
  #grow(key: string): ZoneNode {
    const existing = this.#nodes.get(key)
    if (existing !== undefined) return existing
    // Every key here was checked to be below the apex, which always exists.
    const parent = this.#grow(parentKey(key) ?? this.key)
    parent.childCount += 1
    const node = new ZoneNode(parent)
    this.#nodes.set(key, node)
    return node
  }

  /** Removes a name that nothing holds any more, and the empty non-terminals it alone held up. */
  #prune(fromKey: string, from: ZoneNode | undefined): void {
    let key: string | undefined = fromKey
    let node = from
    while (key !== undefined && node?.parent !== undefined) {
      if (node.state !== undefined || node.childCount > 0) return
      this.#nodes.delete(key)
      node.parent.childCount -= 1
      node = node.parent
      key = parentKey(key)
    }
  }
}
