import { ZoneTable } from '../table/index.ts'
import { parentKey } from './name-key.ts'
import type { Zone } from './zone.ts'
import { answeringZone, type ServedZones } from './shared-zones.ts'

/**
 * The zones that this server is authoritative for, by origin. Reading threads use `SharedZones`.
 */
export class Zones implements ServedZones {
  /** The table for the names of zones that other threads answer for too. */
  readonly table: ZoneTable
  readonly #byOrigin = new Map<string, Zone>()
  // A name longer than every origin cannot be an origin, so hostile names of 127 labels cost few
  // look-ups.
  #longestKey = 0

  constructor(table: ZoneTable = new ZoneTable()) {
    this.table = table
  }

  /** @param originKey `nameKey` of the origin */
  get(originKey: string): Zone | undefined {
    return this.#byOrigin.get(originKey)
  }

  /** Adds the zone, or replaces the one with the same origin. */
  set(zone: Zone): void {
    this.#byOrigin.set(zone.key, zone)
    this.#longestKey = Math.max(this.#longestKey, zone.key.length)
    zone.serve()
  }

  delete(originKey: string): boolean {
    this.#byOrigin.get(originKey)?.unserve()
    const deleted = this.#byOrigin.delete(originKey)
    this.#longestKey = 0
    for (const key of this.#byOrigin.keys()) {
      this.#longestKey = Math.max(this.#longestKey, key.length)
    }
    return deleted
  }

  all(): IterableIterator<Zone> {
    return this.#byOrigin.values()
  }

  /**
   * The zone whose origin is the longest suffix of a name (RFC 1034 §4.3.2 step 2).
   *
   * @param key `nameKey` of the name
   */
  closest(key: string): Zone | undefined {
    let candidate: string | undefined = key
    while (candidate !== undefined) {
      const zone = candidate.length <= this.#longestKey ? this.#byOrigin.get(candidate) : undefined
      if (zone !== undefined) return zone
      candidate = parentKey(candidate)
    }
    return undefined
  }

  /** Changes are made on this thread, so no names are added or removed while it answers. */
  readonly changes = 0

  isQuiet(): boolean {
    return true
  }

  answering(key: string, type: number): Zone | undefined {
    return answeringZone(key, type, (name) => this.closest(name))
  }
}
