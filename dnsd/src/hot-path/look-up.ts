/*
 * Looks up a name in a zone: RFC 1034 §4.3.2 step 3 with the wildcards of RFC 4592 §3.3, unless a
 * delegation or DNAME is on the path.
 */
import {
  CUTS_BELOW,
  DELEGATES,
  type FoldedName,
  HAS_WILDCARD,
  REDIRECTS,
  type TableReader,
} from '../table/index.ts'

/** The name is at or below a zone cut or below a DNAME, so the answer needs the pipeline. */
export const BEHIND_A_CUT = -1

/**
 * Finds names of one zone. It keeps the position of the last search in a field, so nothing is
 * allocated.
 */
export class LookUp {
  /** The suffix of the name that is its closest encloser: 0 when the name itself exists. */
  encloser = 0
  /** The entry of the closest encloser. */
  encloserRef = 0
  readonly #reader: TableReader

  constructor(reader: TableReader) {
    this.#reader = reader
  }

  /**
   * The entry that holds the records of a name: its own or that of a matching wildcard.
   *
   * @param apexLabel the suffix of the name that is the zone's apex
   * @param apexRef the zone's apex entry
   * @returns a ref, 0 when the name does not exist, or BEHIND_A_CUT
   */
  source(zone: number, name: FoldedName, apexLabel: number, apexRef: number): number {
    this.encloser = apexLabel
    this.encloserRef = apexRef
    if (apexLabel === 0) return apexRef
    const apexFlags = this.#reader.flagsOf(apexRef)
    if ((apexFlags & REDIRECTS) !== 0) return BEHIND_A_CUT
    // Most zones have no cuts. Then only the closest encloser matters, not the names above it.
    const found =
      (apexFlags & CUTS_BELOW) === 0
        ? this.#fromBelow(zone, name, apexLabel, apexRef)
        : this.#fromAbove(zone, name, apexLabel, apexRef)
    if (this.encloser === 0 || found === BEHIND_A_CUT) return found
    this.encloserRef = found
    // RFC 4592 §2.2.2 and §3.3.1: an existing name, even without records, stops the wildcards above it.
    // So only the wildcard below the closest encloser can match.
    if ((this.#reader.flagsOf(found) & HAS_WILDCARD) === 0) return 0
    return this.#reader.findWildcard(zone, name, this.encloser, apexLabel)
  }

  /**
   * Searches the closest encloser from the name upwards, because most queries are for existing names.
   */
  #fromBelow(zone: number, name: FoldedName, apexLabel: number, apexRef: number): number {
    for (let label = 0; label < apexLabel; label++) {
      const ref = this.#reader.find(zone, name, label, apexLabel)
      if (ref !== 0) {
        this.encloser = label
        return ref
      }
    }
    return apexRef
  }

  /**
   * Searches from the apex downwards, and checks for cuts and DNAMEs that hide the names below them.
   */
  #fromAbove(zone: number, name: FoldedName, apexLabel: number, apexRef: number): number {
    let encloser = apexRef
    for (let label = apexLabel - 1; label >= 0; label--) {
      const ref = this.#reader.find(zone, name, label, apexLabel)
      if (ref === 0) return encloser
      // A DNAME redirects the names below it, but not its own name (RFC 6672 §2.3).
      const hides = label === 0 ? DELEGATES : DELEGATES | REDIRECTS
      if ((this.#reader.flagsOf(ref) & hides) !== 0) return BEHIND_A_CUT
      encloser = ref
      this.encloser = label
    }
    return encloser
  }
}
