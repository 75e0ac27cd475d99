import { ZoneTable } from '../table/index.ts'
import { parentKey } from './name-key.ts'
import type { Zone } from './zone.ts'
import { answeringZone, type ServedZones } from './shared-zones.ts'

/**
 * The zones that this server is authoritative for, by apex. Reading threads use `SharedZones`.
 */
export class Zones implements ServedZones {
  /** The table for the names of zones that other threads answer for too. */
  readonly table: ZoneTable
  readonly #byApex = new Map<string, Zone>()
  // A name longer than every apex cannot be an apex, so hostile names of 127 labels cost few
  // look-ups.
  #longestKey = 0

  constructor(table: ZoneTable = new ZoneTable()) {
    this.table = table
  }

  /** @param apexKey `nameKey` of the apex */
  get(apexKey: string): Zone | undefined {
    return this.#byApex.get(apexKey)
  }

  /** Adds the zone, or replaces the one with the same apex. */
  set(zone: Zone): void {
    this.#byApex.set(zone.key, zone)
    this.#longestKey = Math.max(this.#longestKey, zone.key.length)
    zone.serve()
  }

  delete(apexKey: string): boolean {
    this.#byApex.get(apexKey)?.unserve()
    const deleted = this.#byApex.delete(apexKey)
    this.#longestKey = 0
    for (const key of this.#byApex.keys()) {
      this.#longestKey = Math.max(this.#longestKey, key.length)
    }
    return deleted
  }

  all(): IterableIterator<Zone> {
    return this.#byApex.values()
  }

  /**
   * The zone whose apex is the longest suffix of a name (RFC 1034 §4.3.2 step 2).
   *
   * @param key `nameKey` of the name
   */
  closest(key: string): Zone | undefined {
    let candidate: string | undefined = key
    while (candidate !== undefined) {
      const zone = candidate.length <= this.#longestKey ? this.#byApex.get(candidate) : undefined
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
