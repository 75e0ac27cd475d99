import { nameToText } from '../../names/index.ts'
import type { ZoneTable } from '../../table/index.ts'
import { Zone } from '../../zone/index.ts'
import { applyChangeSet, continues } from '../change-set.ts'
import type { Entry } from './entry.ts'
import { FormatError } from './octets.ts'

/** Zones on their way back, entry by entry. */
export class Rebuilding {
  readonly zones = new Map<string, Zone>()
  readonly #begun = new Map<string, Zone>()
  readonly #stopped = new Set<string>()
  readonly findings: string[] = []
  readonly #table: ZoneTable

  /** @param table where their names are to be */
  constructor(table: ZoneTable) {
    this.#table = table
  }

  /** @throws FormatError when the entry cannot follow those before it */
  take(entry: Entry): void {
    switch (entry.kind) {
      case 'zone': {
        const { zoneId, origin, version, soa } = entry
        this.#begun.set(zoneId, new Zone(origin, version, soa, this.#table))
        return
      }
      case 'states': {
        const zone = this.#begun.get(entry.zoneId)
        if (zone === undefined) throw new FormatError('names stand outside a zone')
        zone.apply(entry.states, zone.version)
        return
      }
      case 'zone-end':
        this.#end(entry.zoneId)
        return
      case 'change-set':
        this.#apply(entry)
        return
      case 'zone-gone':
        this.zones.delete(entry.zoneId)
        return
      case 'end':
    }
  }

  #end(zoneId: string): void {
    const zone = this.#begun.get(zoneId)
    if (zone === undefined) throw new FormatError('a zone ends that did not begin')
    this.#begun.delete(zoneId)
    this.#stopped.delete(zoneId)
    // A zone that was deleted and made again has another id and the same names.
    for (const [id, other] of this.zones) if (other.key === zone.key) this.zones.delete(id)
    this.zones.set(zoneId, zone)
  }

  #apply({ zoneId, set }: Extract<Entry, { kind: 'change-set' }>): void {
    const zone = this.zones.get(zoneId)
    if (zone === undefined) return
    if (continues(set, zone.version)) {
      // Also behind a gap: there the log may begin again with what the feed gave to the zone as it was.
      this.#stopped.delete(zoneId)
      applyChangeSet(zone, set)
      return
    }
    if (this.#stopped.has(zoneId)) return
    this.#stopped.add(zoneId)
    const name = nameToText(zone.origin)
    this.findings.push(
      `${name} stays at serial ${zone.version.serial}: the log has no way from there to ${set.version.serial}`,
    )
  }
}
