import { nameToText } from '../../names/index.ts'
import type { ZoneTable } from '../../table/index.ts'
import { Zone } from '../../zone/index.ts'
import { applyChangeSet, continues } from '../change-set.ts'
import type { Entry, ZoneEntry } from './entry.ts'
import { FormatError } from './octets.ts'

/** Rebuilds zones in a table, entry by entry. */
export class Rebuilding {
  readonly zones = new Map<string, Zone>()
  readonly #begun = new Map<string, Zone>()
  readonly #stopped = new Set<string>()
  readonly findings: string[] = []
  readonly #table: ZoneTable

  /** @param table for the names of the zones */
  constructor(table: ZoneTable) {
    this.#table = table
  }

  /** @throws FormatError when the entry cannot follow those before it */
  take(entry: Entry): void {
    switch (entry.kind) {
      case 'zone':
        this.#begin(entry)
        return
      case 'names':
        this.#adopt(this.#unfinished(entry.zoneId), entry.octets)
        return
      case 'states': {
        const zone = this.#unfinished(entry.zoneId)
        zone.apply(entry.states, zone.version)
        return
      }
      case 'incomplete':
        this.#unfinished(entry.zoneId).markIncomplete()
        return
      case 'zone-end':
        this.#end(entry.zoneId)
        return
      case 'change-set':
        this.#apply(entry)
        return
      case 'zone-gone':
        this.#drop(entry.zoneId)
        return
      case 'end':
    }
  }

  /** Marks all current zones as incomplete, because changes of any of them may be lost. */
  markIncomplete(): void {
    for (const zone of this.zones.values()) zone.markIncomplete()
  }

  /** Drops zones that did not reach their end. */
  dropUnfinished(): void {
    for (const zone of this.#begun.values()) void zone.discard()
    this.#begun.clear()
  }

  /** Drops everything, because the file is not trustworthy. */
  dropAll(): void {
    this.dropUnfinished()
    for (const zoneId of this.zones.keys()) this.#drop(zoneId)
  }

  #begin({ zoneId, apex, version, soa, names }: ZoneEntry): void {
    void this.#begun.get(zoneId)?.discard()
    const zone = new Zone(apex, version, soa, this.#table)
    zone.expect(names)
    this.#begun.set(zoneId, zone)
  }

  #unfinished(zoneId: string): Zone {
    const zone = this.#begun.get(zoneId)
    if (zone === undefined) throw new FormatError('names are outside a zone')
    return zone
  }

  #adopt(zone: Zone, octets: Buffer): void {
    try {
      zone.adopt(octets)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      throw new FormatError('a piece of names is invalid')
    }
  }

  #drop(zoneId: string): void {
    void this.zones.get(zoneId)?.discard()
    this.zones.delete(zoneId)
  }

  #end(zoneId: string): void {
    const zone = this.#unfinished(zoneId)
    this.#begun.delete(zoneId)
    this.#stopped.delete(zoneId)
    // A zone that was deleted and recreated has another ID and the same names.
    for (const [id, other] of this.zones) {
      if (id === zoneId || other.key === zone.key) this.#drop(id)
    }
    this.zones.set(zoneId, zone)
  }

  #apply({ zoneId, set }: Extract<Entry, { kind: 'change-set' }>): void {
    const zone = this.zones.get(zoneId)
    if (zone === undefined) return
    if (continues(set, zone.version)) {
      // Also after a gap: the log may continue there with changes that the feed sent for the served
      // version.
      this.#stopped.delete(zoneId)
      applyChangeSet(zone, set)
      return
    }
    if (this.#stopped.has(zoneId)) return
    this.#stopped.add(zoneId)
    zone.markIncomplete()
    const name = nameToText(zone.apex)
    this.findings.push(
      `${name} stays at serial ${zone.version.serial}: the log has no changes from there to ${set.version.serial}`,
    )
  }
}
