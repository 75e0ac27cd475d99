/*
 * The loaded zones, by their ID in the database, and the only way to change them.
 *
 * Every change is written to the journal before it is served. A restart therefore knows everything that answers ever
 * contained, and answers never go back in time. The journal decides what happens when it cannot write, because a full
 * disk must not stop DNS updates.
 */
import { nameKey } from '../names/index.ts'
import { type OwnerState, type RRset, type Zone, Zones } from '../zone/index.ts'
import { applyChangeSet, type ChangedName, type ChangeSet } from './change-set.ts'
import { publishedAt } from './published.ts'
import { WorkSlice } from './work-slice.ts'

/** A change of the loaded zones, as the journal records it. */
export type Change =
  | { readonly kind: 'sets'; readonly zoneId: string; readonly sets: readonly ChangeSet[] }
  | { readonly kind: 'zone'; readonly zoneId: string; readonly zone: Zone }
  | { readonly kind: 'zone-gone'; readonly zoneId: string }

/** The persistent record of changes. */
export interface Journal {
  /** Records a change, then calls `apply` to serve it. `apply` is called even if the change could not be recorded. */
  record(change: Change, apply: () => void | Promise<void>): Promise<void>
}

/** For callers that persist nothing. */
const NO_JOURNAL: Journal = {
  async record(_change, apply) {
    await apply()
  },
}

/**
 * The ID of the catalog zone, which this server makes itself; database IDs count from 1 and never reach it. It is
 * stored and served like any other zone, but the feed does not contain it.
 */
export const CATALOG_ID = String(2n ** 64n - 1n)

/** What happened to a zone. */
export type ZoneChange = 'changed' | 'replaced' | 'gone'

/** A change set as read from the feed, without the previous states. */
export type NewChangeSet = Omit<ChangeSet, 'changes'> & { readonly changes: readonly OwnerState[] }

export class ZoneStore {
  /** The zones that questions are answered from. */
  readonly zones = new Zones()
  readonly #byId = new Map<string, Zone>()
  #journal: Journal = NO_JOURNAL
  readonly #listeners: ((apexKey: string, change: ZoneChange) => void)[] = []

  /** Adds the zones that a journal contains, and records changes in it from now on. */
  restore(zones: ReadonlyMap<string, Zone>, journal: Journal): void {
    this.#journal = journal
    for (const [zoneId, zone] of zones) this.#put(zoneId, zone)
  }

  /** Whether no zone of the feed is loaded. */
  get isEmpty(): boolean {
    return this.#byId.size === (this.#byId.has(CATALOG_ID) ? 1 : 0)
  }

  /** Whether any zone is incomplete. Other zones may then be missing altogether. */
  get isIncomplete(): boolean {
    return [...this.#byId.values()].some((zone) => zone.isIncomplete)
  }

  /** Calls `listener` each time that a change is served. The listener must be quick. */
  onChange(listener: (apexKey: string, change: ZoneChange) => void): void {
    this.#listeners.push(listener)
  }

  /** The zone with this id in the database. */
  held(zoneId: string): Zone | undefined {
    return this.#byId.get(zoneId)
  }

  /** The ID of a loaded zone. */
  idOf(zone: Zone): string | undefined {
    for (const [zoneId, held] of this.#byId) if (held === zone) return zoneId
    return undefined
  }

  entries(): IterableIterator<[string, Zone]> {
    return this.#byId.entries()
  }

  /**
   * Serves change sets, each as a whole and in order. The caller has checked that they follow the loaded version, and
   * that every name in them can be served.
   */
  async apply(zoneId: string, newSets: readonly NewChangeSet[]): Promise<void> {
    const zone = this.#byId.get(zoneId)
    if (zone === undefined) throw new RangeError(`zone ${zoneId} is not loaded`)
    const sets = withBefore(zone, newSets)
    await this.#journal.record({ kind: 'sets', zoneId, sets }, async () => {
      const slice = new WorkSlice()
      for (const set of sets) {
        // Another zone may have replaced it during the write or between two slices.
        if (this.#byId.get(zoneId) !== zone) return
        applyChangeSet(zone, set)
        if (slice.isOver) await slice.rest()
      }
    })
    this.#tell(zone.key, 'changed')
  }

  /** Serves a zone in place of the one with its ID or its apex. */
  async replace(zoneId: string, zone: Zone): Promise<void> {
    await this.#journal.record({ kind: 'zone', zoneId, zone }, () => this.#put(zoneId, zone))
    this.#tell(zone.key, 'replaced')
  }

  /** Stops serving the zone. */
  async remove(zoneId: string): Promise<void> {
    const zone = this.#byId.get(zoneId)
    await this.#journal.record({ kind: 'zone-gone', zoneId }, () => this.#take(zoneId))
    if (zone !== undefined) this.#tell(zone.key, 'gone')
  }

  #tell(apexKey: string, change: ZoneChange): void {
    for (const listener of this.#listeners) listener(apexKey, change)
  }

  #put(zoneId: string, zone: Zone): void {
    const replaced = new Set<Zone>()
    for (const [id, other] of this.#byId) {
      if (id !== zoneId && other.key !== zone.key) continue
      // The new zone replaces the old one in one step, so no question finds neither.
      this.#byId.delete(id)
      if (other.key !== zone.key) this.zones.delete(other.key)
      replaced.add(other)
    }
    this.#byId.set(zoneId, zone)
    this.zones.set(zone)
    replaced.delete(zone)
    for (const other of replaced) void other.discard()
  }

  #take(zoneId: string): void {
    const zone = this.#byId.get(zoneId)
    if (zone === undefined) return
    this.#byId.delete(zoneId)
    if (this.zones.get(zone.key) === zone) this.zones.delete(zone.key)
    void zone.discard()
  }
}

/** The same sets with the previous state of each name, across all sets of the batch. */
function withBefore(zone: Zone, sets: readonly NewChangeSet[]): ChangeSet[] {
  const changed = new Map<string, readonly RRset[] | null>()
  return sets.map((set) => {
    const changes: ChangedName[] = set.changes.map((state) => {
      const key = nameKey(state.owner)
      const earlier = changed.get(key)
      const before = earlier === undefined ? publishedAt(zone, key) : earlier
      changed.set(key, state.rrsets)
      return { ...state, before }
    })
    return { ...set, changes }
  })
}
