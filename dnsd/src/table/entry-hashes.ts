/* Computes the hashes of entries for the writer: from an entry back to the hash that leads to it. */
import { NAME_LENGTH_AT, octetOf } from './layout.ts'
import { hashLabel, newHashKey, relativeHash, zoneHash } from './name-hash.ts'
import type { TableReader } from './table-reader.ts'

export class EntryHashes {
  /** The hash key, which the reading threads use too. */
  readonly key = newHashKey()
  readonly #words = new Int32Array(this.key)
  readonly #apexes = new Map<number, number>()

  /** @param apexHash of the zone's whole apex, before `zoneHash` */
  addZone(zone: number, apexHash: number): void {
    this.#apexes.set(zone, apexHash)
  }

  removeZone(zone: number): void {
    this.#apexes.delete(zone)
  }

  /** The hash of the name of one label below a zone's apex: that of its octets at `at`. */
  ofLabel(zone: number, octets: Uint8Array, at: number): number {
    return zoneHash(hashLabel(this.#words, this.#apexHash(zone), octets, at), zone)
  }

  /** The hash of the name of an entry. */
  of(ref: number, reader: TableReader): number {
    const octets = reader.octetsOf(ref)
    const at = octetOf(ref) + NAME_LENGTH_AT
    const zone = reader.zoneOf(ref)
    const apex = this.#apexHash(zone)
    return zoneHash(relativeHash(this.#words, apex, octets, at + 1, octets[at] as number), zone)
  }

  #apexHash(zone: number): number {
    const hash = this.#apexes.get(zone)
    if (hash === undefined) throw new RangeError(`there is no zone ${zone}`)
    return hash
  }
}
