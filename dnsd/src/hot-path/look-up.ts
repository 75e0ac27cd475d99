/*
 * Looks a name up in a zone: RFC 1034 §4.3.2 step 3 with the wildcards of RFC 4592 §3.3, as long as
 * nothing on the way is delegated or redirected.
 */
import {
  CUTS_BELOW,
  DELEGATES,
  type FoldedName,
  HAS_WILDCARD,
  REDIRECTS,
  type TableReader,
} from '../table/index.ts'

/** The name is at or below a zone cut or below a DNAME, so its answer is another kind of message. */
export const BEHIND_A_CUT = -1

/** Finds names of one zone. It holds the place of the one it looks for, so nothing is made for it. */
export class LookUp {
  /** The suffix of the name that is its closest encloser: 0 when the name itself exists. */
  encloser = 0
  readonly #reader: TableReader

  constructor(reader: TableReader) {
    this.#reader = reader
  }

  /**
   * The entry that holds the records of a name: its own or that of a matching wildcard.
   *
   * @param origin the suffix of the name that is the zone's origin
   * @param apex the zone's apex entry
   * @returns a ref, 0 when the name does not exist, or BEHIND_A_CUT
   */
  source(zone: number, name: FoldedName, origin: number, apex: number): number {
    this.encloser = origin
    if (origin === 0) return apex
    const apexFlags = this.#reader.flagsOf(apex)
    if ((apexFlags & REDIRECTS) !== 0) return BEHIND_A_CUT
    // Most zones have no cut in them; then where the name is does not matter, only what is there.
    const found =
      (apexFlags & CUTS_BELOW) === 0
        ? this.#fromBelow(zone, name, origin, apex)
        : this.#fromAbove(zone, name, origin, apex)
    if (this.encloser === 0 || found === BEHIND_A_CUT) return found
    // RFC 4592 §2.2.2 and §3.3.1: an existing name, even without records, stops the wildcards above it.
    // Hence that of the closest encloser is the only one there is to look at.
    if ((this.#reader.flagsOf(found) & HAS_WILDCARD) === 0) return 0
    return this.#reader.findWildcard(zone, name, this.encloser, origin)
  }

  /** The closest encloser from the name upwards: most questions are for names that exist. */
  #fromBelow(zone: number, name: FoldedName, origin: number, apex: number): number {
    for (let label = 0; label < origin; label++) {
      const ref = this.#reader.find(zone, name, label, origin)
      if (ref !== 0) {
        this.encloser = label
        return ref
      }
    }
    return apex
  }

  /** The same from the apex downwards, past whatever could hide what is below it. */
  #fromAbove(zone: number, name: FoldedName, origin: number, apex: number): number {
    let encloser = apex
    for (let label = origin - 1; label >= 0; label--) {
      const ref = this.#reader.find(zone, name, label, origin)
      if (ref === 0) return encloser
      // A DNAME redirects what is below it and not its own name (RFC 6672 §2.3).
      const hides = label === 0 ? DELEGATES : DELEGATES | REDIRECTS
      if ((this.#reader.flagsOf(ref) & hides) !== 0) return BEHIND_A_CUT
      encloser = ref
      this.encloser = label
    }
    return encloser
  }
}
