import { APEX, type NamesCapture, PUBLISHED, type TableReader } from '../table/index.ts'
import { stateAt } from './entry-state.ts'
import { compareOwners } from './owner-order.ts'
import type { OwnerState, RRset } from './rrset.ts'
import type { SoaParameters } from './soa.ts'
import type { ZoneVersion } from './zone-version.ts'

/** The parts of a zone at one moment, besides its names. */
export interface ZoneMoment {
  readonly apex: Buffer
  readonly version: ZoneVersion
  readonly soaParameters: SoaParameters
  readonly soa: RRset
  /** Null: nothing is published at the apex. */
  readonly apexRRsets: readonly RRset[] | null
}

/**
 * A zone at one version, which can be read slowly while the zone itself changes. Call `release`, or leave
 * it to `using`.
 */
export class FrozenZone implements Disposable {
  readonly apex: Buffer
  readonly version: ZoneVersion
  readonly soaParameters: SoaParameters
  /** The SOA RRset of that version. */
  readonly soa: RRset
  readonly #apexRRsets: readonly RRset[] | null
  readonly #table: TableReader
  readonly #capture: NamesCapture

  constructor(table: TableReader, capture: NamesCapture, moment: ZoneMoment) {
    this.#table = table
    this.#capture = capture
    this.apex = moment.apex
    this.version = moment.version
    this.soaParameters = moment.soaParameters
    this.soa = moment.soa
    this.#apexRRsets = moment.apexRRsets
  }

  /**
   * Every published name and its state, the apex first, without the SOA.
   *
   * @throws CaptureLost when the memory of replaced entries had to be reused
   */
  *owners(): Generator<OwnerState> {
    if (this.#apexRRsets !== null) yield { owner: this.apex, rrsets: this.#apexRRsets }
    for (const ref of this.entries()) yield this.state(ref)
  }

  /**
   * The same without the apex, as table entries. Each is valid until this thread yields, and again after
   * the next one was requested.
   *
   * @throws CaptureLost
   */
  *entries(): Generator<number> {
    for (const ref of this.#capture.refs()) {
      const flags = this.#table.flagsOf(ref)
      if ((flags & PUBLISHED) !== 0 && (flags & APEX) === 0) yield ref
    }
  }

  /** Compares the names of two entries in canonical order (RFC 4034 §6.1). @throws CaptureLost */
  compareOwners(one: number, other: number): number {
    this.#capture.check()
    return compareOwners(this.#table, one, other)
  }

  /** A copy of the state in an entry. @throws CaptureLost */
  state(ref: number): OwnerState {
    this.#capture.check()
    return stateAt(this.#table, ref, this.apex)
  }

  /** The RRsets published at the apex, without the SOA. */
  get apexRRsets(): readonly RRset[] | null {
    return this.#apexRRsets
  }

  release(): void {
    this.#capture.release()
  }

  [Symbol.dispose](): void {
    this.release()
  }
}
