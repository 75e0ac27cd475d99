/*
 * The catalog zone (RFC 9432, version 2): a zone that lists the zones of this server, so that secondaries that follow
 * it add new zones and delete old ones automatically.
 *
 * It is kept in the store like other zones, under its own ID. It is therefore in the snapshot and the log, keeps its
 * serial across restarts, and is transferred like any other zone, including incrementally. Its serial starts at the
 * seconds since 1970 and increases by one with each change, so it is later than any earlier one even if the folder was
 * lost.
 */
import { createHash, randomUUID } from 'node:crypto'
import { nameFromText, nameKey, nameToText, nextSerial, ROOT_NAME, TYPE } from '../names/index.ts'
import { CATALOG_ID, type ZoneStore } from '../store/index.ts'
import { WorkSlice } from '../store/work-slice.ts'
import { type OwnerState, type RRset, type SoaParameters, Zone } from '../zone/index.ts'

const TTL_SECONDS = 60
// RFC 9432 §4.1: catalog zones are not queried, and the RFC recommends this name for the NS record.
const INVALID = nameFromText('invalid', ROOT_NAME)
const SOA: SoaParameters = {
  mname: INVALID,
  rname: nameFromText('hostmaster.invalid', ROOT_NAME),
  refreshSeconds: 3600,
  retrySeconds: 600,
  expireSeconds: 2_147_483_646,
  minimumSeconds: 60,
  ttlSeconds: TTL_SECONDS,
}
const FEED_ID = 'catalog'
const LABEL_DIGITS = 32
// The number of names written in one step of about 2 ms. Questions are answered between steps.
const PART_NAMES = 1_000

/** Reports why a catalog cannot be served. */
export type CatalogProblem = (text: string) => void

export class Catalog {
  readonly #store: ZoneStore
  readonly #onProblem: CatalogProblem
  readonly #nowSeconds: () => number
  #name: Uint8Array | undefined
  /** A cache of labels by zone ID, which saves hashing again. */
  readonly #labels = new Map<string, KnownLabel>()
  /** The catalog that `#listed` describes. */
  #listedIn: Zone | undefined
  /** The member labels of the loaded catalog. */
  #listed = new Set<string>()
  #updating: Promise<void> | undefined
  #isStale = false

  constructor(
    store: ZoneStore,
    onProblem: CatalogProblem,
    nowSeconds: () => number = () => Math.floor(Date.now() / 1000),
  ) {
    this.#store = store
    this.#onProblem = onProblem
    this.#nowSeconds = nowSeconds
  }

  /**
   * Serves the catalog under this name, or no catalog. Call it only after all zones are loaded, because secondaries
   * delete zones that are missing from a catalog.
   */
  async serve(name: Uint8Array | undefined): Promise<void> {
    this.#name = name
    await this.update()
  }

  /**
   * Updates the catalog to the loaded zones. Simultaneous changes are combined into one. It never rejects: a failure is
   * reported, and the next update corrects it.
   */
  async update(): Promise<void> {
    this.#isStale = true
    this.#updating ??= this.#updateAll().finally(() => {
      this.#updating = undefined
    })
    await this.#updating
  }

  async #updateAll(): Promise<void> {
    try {
      while (this.#isStale) {
        this.#isStale = false
        await this.#updateOnce()
      }
    } catch (error) {
      // The update may be partly done, so the members are read from the catalog again.
      this.#listedIn = undefined
      const why = error instanceof Error ? error.message : String(error)
      this.#onProblem(`The catalog does not list the current zones: ${why}`)
    }
  }

  async #updateOnce(): Promise<void> {
    const name = this.#name
    if (name === undefined) {
      await this.#end()
      return
    }
    const wanted = await this.#members()
    const held = this.#store.held(CATALOG_ID)
    const other = this.#store.zones.get(nameKey(name))
    if (other !== undefined && other !== held) {
      this.#onProblem(
        `${nameToText(name)} is already a zone, so the catalog cannot have this name.`,
      )
      await this.#end()
      return
    }
    // The past serials of an incomplete catalog are unknown. A new catalog starts above them.
    const goesOn = held?.key === nameKey(name) && !held.isIncomplete
    if (goesOn) await this.#change(held, wanted)
    else await this.#begin(name, held, wanted)
  }

  async #end(): Promise<void> {
    if (this.#store.held(CATALOG_ID) !== undefined) await this.#store.remove(CATALOG_ID)
  }

  async #begin(name: Uint8Array, before: Zone | undefined, wanted: Members): Promise<void> {
    const after = nextSerial(before?.version.serial ?? 0n)
    const now = BigInt(this.#nowSeconds())
    const serial = now > after ? now : after
    const version = { serial, feedId: FEED_ID, token: randomUUID() }
    const zone = new Zone(name, version, SOA, this.#store.zones.table)
    zone.apply(fixedStates(name), version)
    const states = [...wanted].map(([label, member]) => memberState(name, label, member))
    const slice = new WorkSlice()
    for (const part of partsOf(states)) {
      zone.apply(part, version)
      if (slice.isOver) await slice.rest()
    }
    await this.#store.replace(CATALOG_ID, zone)
    this.#listedIn = zone
    this.#listed = new Set(wanted.keys())
  }

  async #change(zone: Zone, wanted: Members): Promise<void> {
    if (this.#listedIn !== zone) {
      this.#listed = labelsIn(zone)
      this.#listedIn = zone
    }
    const changes: OwnerState[] = []
    for (const [label, member] of wanted) {
      if (!this.#listed.has(label)) changes.push(memberState(zone.apex, label, member))
    }
    for (const label of this.#listed) {
      if (!wanted.has(label)) changes.push(memberState(zone.apex, label, null))
    }
    if (changes.length === 0) return
    let { serial, token: previousToken } = zone.version
    // Many changes are split into change sets, and questions are answered in between.
    const sets = partsOf(changes).map((part) => {
      serial = nextSerial(serial)
      const version = { serial, feedId: FEED_ID, token: randomUUID() }
      const set = { version, previousToken, changes: part }
      previousToken = version.token
      return set
    })
    await this.#store.apply(CATALOG_ID, sets)
    this.#listed = new Set(wanted.keys())
  }

  /** The members that the catalog should have. */
  async #members(): Promise<Members> {
    const members = new Map<string, Uint8Array>()
    const slice = new WorkSlice()
    for (const [zoneId, zone] of this.#store.entries()) {
      if (zoneId !== CATALOG_ID) members.set(this.#labelOf(zoneId, zone), zone.apex)
      if (slice.isOver) await slice.rest()
    }
    for (const zoneId of this.#labels.keys()) {
      if (this.#store.held(zoneId) === undefined) this.#labels.delete(zoneId)
    }
    return members
  }

  #labelOf(zoneId: string, { key, apex }: Zone): string {
    const known = this.#labels.get(zoneId)
    if (known?.apexKey === key) return known.label
    const label = memberLabel(zoneId, apex)
    this.#labels.set(zoneId, { apexKey: key, label })
    return label
  }
}

/** Zone apexes by member label. */
type Members = ReadonlyMap<string, Uint8Array>

interface KnownLabel {
  readonly apexKey: string
  readonly label: string
}

/** The labels of a catalog's members. */
function labelsIn(zone: Zone): Set<string> {
  const labels = new Set<string>()
  for (const { owner, rrsets } of zone.owners()) {
    const isMember = rrsets?.some(({ type }) => type === TYPE.PTR) === true
    if (isMember) labels.add(owner.toString('latin1', 1, 1 + (owner[0] ?? 0)))
  }
  return labels
}

/** @param apex of the listed zone, null to remove it */
function memberState(catalog: Uint8Array, label: string, apex: Uint8Array | null): OwnerState {
  const owner = nameFromText(`${label}.zones`, catalog)
  return { owner, rrsets: apex === null ? null : [recordOf(TYPE.PTR, apex)] }
}

/** Splits states into parts that are each written in one step. */
function partsOf(states: readonly OwnerState[]): OwnerState[][] {
  const parts: OwnerState[][] = []
  for (let from = 0; from < states.length; from += PART_NAMES) {
    parts.push(states.slice(from, from + PART_NAMES))
  }
  return parts
}

/**
 * The label of a member. It is the same on every server of the same database. It changes when a zone is deleted and
 * recreated, so that secondaries reset the zone (RFC 9432 §5.4).
 */
function memberLabel(zoneId: string, apex: Uint8Array): string {
  const hash = createHash('sha256').update(zoneId).update(' ').update(nameKey(apex), 'latin1')
  return hash.digest('hex').slice(0, LABEL_DIGITS)
}

function fixedStates(name: Uint8Array): OwnerState[] {
  const owner = Buffer.from(name)
  const version = nameFromText('version', name)
  return [
    { owner, rrsets: [recordOf(TYPE.NS, INVALID)] },
    { owner: version, rrsets: [recordOf(TYPE.TXT, Buffer.from('\u00012'))] },
  ]
}

function recordOf(type: number, rdata: Uint8Array): RRset {
  return { type, ttlSeconds: TTL_SECONDS, rdata: [Buffer.from(rdata)] }
}
