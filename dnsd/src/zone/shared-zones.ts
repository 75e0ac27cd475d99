import { TYPE } from '../names/index.ts'
import type { FoldedName, TableReader } from '../table/index.ts'
import { nameInHand } from './name-in-hand.ts'
import { keyOctets, parentKey } from './name-key.ts'
import { ZoneReader } from './zone-reader.ts'

/** The zones that questions are answered from. */
export interface ServedZones {
  /**
   * The zone that answers a question. DS records stand on the parent's side of a cut, so at an apex
   * they are asked of the zone above when it is served here too (RFC 4035 §3.1.4.1).
   *
   * @param key of the name asked
   */
  answering(key: string, type: number): ZoneReader | undefined
  /** Stands for this moment, until names come or go. */
  readonly changes: number
  /**
   * Whether what is missing was missing from one version: no names came or went since that moment. If some are
   * just coming and going, it waits for the others, though not for long.
   */
  isQuiet(since: number): boolean
}

/** `answering`, from the look-up of the zone with the longest origin. */
export function answeringZone<Z extends ZoneReader>(
  key: string,
  type: number,
  closest: (key: string) => Z | undefined,
): Z | undefined {
  const zone = closest(key)
  if (type !== TYPE.DS || zone?.key !== key) return zone
  const above = parentKey(key)
  return (above === undefined ? undefined : closest(above)) ?? zone
}

// A change of a few names takes microseconds. One of very many, or a writer that stands still, is waited for once:
// afterwards answers are of what is there.
const WAIT_MS = 50

/**
 * The zones that are served, as a thread finds them that only reads. As with the table's reader, what it
 * gives is good from `enter` to `leave`.
 */
export class SharedZones implements ServedZones {
  readonly #table: TableReader
  readonly #name: FoldedName
  // By origin: one object for a zone, as long as it is the one that is served.
  readonly #known = new Map<string, ZoneReader>()

  /** The change that was waited for in vain; 0, which is no change, for none. */
  #abandoned = 0

  constructor(table: TableReader) {
    this.#table = table
    this.#name = nameInHand(table)
  }

  answering(key: string, type: number): ZoneReader | undefined {
    const zone = answeringZone(key, type, (name) => this.#closestByKey(name))
    zone?.holdApex()
    return zone
  }

  get changes(): number {
    return this.#table.control.changes
  }

  isQuiet(since: number): boolean {
    const { control } = this.#table
    if (control.isQuiet(since)) return true
    const { changes } = control
    if (changes === this.#abandoned) return true
    control.awaitQuiet(WAIT_MS)
    if (control.changes === changes && (changes & 1) === 1) this.#abandoned = changes
    return false
  }

  // The zone whose origin is the longest suffix of the name (RFC 1034 §4.3.2 step 2).
  #closestByKey(key: string): ZoneReader | undefined {
    const octets = keyOctets(key)
    if (this.#name.read(octets, 0) === 0) return undefined
    const number = this.#table.findZone(this.#name)
    if (number === 0) return undefined
    const origin = octets.subarray(this.#name.starts[this.#table.originLabel])
    const originKey = origin.toString('latin1')
    const known = this.#known.get(originKey)
    if (known?.number === number) return known
    const zone = new ZoneReader(this.#table, number, origin)
    this.#known.set(originKey, zone)
    return zone
  }
}
