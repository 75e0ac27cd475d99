import { nameKey, TYPE } from '../names/index.ts'
import { parentKey } from './rrset.ts'
import type { Zone } from './zone.ts'

/** The zones that this server answers for, by origin. */
export class Zones {
  readonly #byOrigin = new Map<string, Zone>()
  // A name longer than every origin cannot be one: hostile names of 127 labels cost few look-ups.
  #longestKey = 0

  /** @param originKey `nameKey` of the origin */
  get(originKey: string): Zone | undefined {
    return this.#byOrigin.get(originKey)
  }

  /** Adds the zone, or puts it in the place of the one with the same origin. */
  set(zone: Zone): void {
    this.#byOrigin.set(zone.key, zone)
    this.#longestKey = Math.max(this.#longestKey, zone.key.length)
  }

  delete(originKey: string): boolean {
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

  /** The zone whose origin is the longest suffix of the name (RFC 1034 §4.3.2 step 2). */
  closest(qname: Uint8Array): Zone | undefined {
    return this.closestByKey(nameKey(qname))
  }

  closestByKey(key: string | undefined): Zone | undefined {
    let candidate = key
    while (candidate !== undefined) {
      const zone = candidate.length <= this.#longestKey ? this.#byOrigin.get(candidate) : undefined
      if (zone !== undefined) return zone
      candidate = parentKey(candidate)
    }
    return undefined
  }

  /**
   * The zone that answers a question. DS records stand on the parent's side of a cut, so at an apex
   * they are asked of the zone above when it is served here too (RFC 4035 §3.1.4.1).
   */
  answering(key: string, type: number): Zone | undefined {
    const zone = this.closestByKey(key)
    if (type !== TYPE.DS || zone?.key !== key) return zone
    return this.closestByKey(parentKey(key)) ?? zone
  }
}
