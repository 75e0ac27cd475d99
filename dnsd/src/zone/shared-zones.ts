import { TYPE } from '../names/index.ts'
import type { FoldedName, TableReader } from '../table/index.ts'
import { currentName } from './current-name.ts'
import { keyOctets, parentKey } from './name-key.ts'
import { ZoneReader } from './zone-reader.ts'

/** The zones that questions are answered from. */
export interface ServedZones {
  /**
   * The zone that answers a question. DS records belong to the parent side of a zone cut. At an apex, the parent
   * zone answers for them if this server also serves it (RFC 4035 §3.1.4.1).
   *
   * @param key of the QNAME
   */
  answering(key: string, type: number): ZoneReader | undefined
  /** Identifies this moment until names are added or removed. */
  readonly changes: number
  /**
   * Whether a missing name was missing in one version: no names were added or removed since that moment. During a
   * change it waits for the end of the change, for a limited time.
   */
  isQuiet(since: number): boolean
}

/** Implements `answering` with the look-up of the zone with the longest apex. */
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

// A change of a few names takes microseconds. For a very large change or a stalled writer, readers wait only once.
// Afterwards they answer from the current contents.
const WAIT_MS = 50

/**
 * The served zones, for a thread that only reads. As with the table's reader, results are valid from `enter` to
 * `leave`.
 */
export class SharedZones implements ServedZones {
  readonly #table: TableReader
  readonly #name: FoldedName
  // By apex: one object per zone, for as long as that zone is served.
  readonly #known = new Map<string, ZoneReader>()

  /** The change whose wait timed out; 0, which is never a change, for none. */
  #abandoned = 0

  constructor(table: TableReader) {
    this.#table = table
    this.#name = currentName(table)
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

  // The zone whose apex is the longest suffix of the name (RFC 1034 §4.3.2 step 2).
  #closestByKey(key: string): ZoneReader | undefined {
    const octets = keyOctets(key)
    if (this.#name.read(octets, 0) === 0) return undefined
    const number = this.#table.findZone(this.#name)
    if (number === 0) return undefined
    const apex = octets.subarray(this.#name.starts[this.#table.apexLabel])
    const apexKey = apex.toString('latin1')
    const known = this.#known.get(apexKey)
    if (known?.number === number) return known
    const zone = new ZoneReader(this.#table, number, apex)
    this.#known.set(apexKey, zone)
    return zone
  }
}
