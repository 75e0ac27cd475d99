/*
 * The catalog zone (RFC 9432, version 2): a list of the zones held here in the form of a zone, so that secondaries
 * that follow it take up new zones and drop old ones by themselves.
 *
 * It is kept in the store beside the others, under an id of its own. So it is in the snapshot and the log,
 * comes back after a restart at the serial that secondaries know, and is transferred, also as differences, like
 * any other zone. Its serial begins with the seconds since 1970 and rises by one with each change, so that it is a later
 * one even where the folder was lost.
 */
import { createHash, randomUUID } from 'node:crypto'
import { nameFromText, nameKey, nameToText, nextSerial, ROOT_NAME, TYPE } from '../names/index.ts'
import { CATALOG_ID, type ZoneStore } from '../store/index.ts'
import { type OwnerState, type RRset, type SoaParameters, Zone } from '../zone/index.ts'

const TTL_SECONDS = 60
// RFC 9432 §4.1: nobody asks these servers, and a name that says so is what the RFC advises.
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

/** Tells of a catalog that cannot be. */
export type CatalogProblem = (text: string) => void

export class Catalog {
  readonly #store: ZoneStore
  readonly #onProblem: CatalogProblem
  readonly #nowSeconds: () => number
  #name: Uint8Array | undefined
  /** `nameKey` of each member's owner name in the catalog. */
  readonly #members = new Set<string>()
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
   * Serves the catalog under this name, or none. It is not to be called before all zones are held: what is missing from
   * a catalog is deleted on the secondaries.
   */
  async serve(name: Uint8Array | undefined): Promise<void> {
    this.#name = name
    await this.update()
  }

  /** Makes the catalog follow the zones that are held. Changes that come at once are one change of it. */
  async update(): Promise<void> {
    this.#isStale = true
    this.#updating ??= this.#updateAll().finally(() => {
      this.#updating = undefined
    })
    await this.#updating
  }

  async #updateAll(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false
      await this.#updateOnce()
    }
  }

  async #updateOnce(): Promise<void> {
    const held = this.#store.held(CATALOG_ID)
    const name = this.#name
    if (name === undefined) {
      if (held !== undefined) await this.#store.remove(CATALOG_ID)
      return
    }
    const other = this.#store.zones.get(nameKey(name))
    if (other !== undefined && other !== held) {
      this.#onProblem(
        `${nameToText(name)} is a zone already, so the catalog cannot have this name.`,
      )
      if (held !== undefined) await this.#store.remove(CATALOG_ID)
      return
    }
    if (held?.key === nameKey(name)) await this.#change(held)
    else await this.#begin(name, held)
  }

  async #begin(name: Uint8Array, before: Zone | undefined): Promise<void> {
    const after = nextSerial(before?.version.serial ?? 0n)
    const now = BigInt(this.#nowSeconds())
    const serial = now > after ? now : after
    const version = { serial, feedId: FEED_ID, token: randomUUID() }
    const zone = new Zone(name, version, SOA, this.#store.zones.table)
    zone.apply([...fixedStates(name), ...this.#memberStates(name).values()], version)
    this.#learn(zone)
    await this.#store.replace(CATALOG_ID, zone)
  }

  async #change(zone: Zone): Promise<void> {
    if (this.#members.size === 0) this.#learn(zone)
    const wanted = this.#memberStates(zone.origin)
    const changes: OwnerState[] = []
    for (const [key, state] of wanted) if (!this.#members.has(key)) changes.push(state)
    for (const key of this.#members) {
      if (!wanted.has(key)) changes.push({ owner: Buffer.from(key, 'latin1'), rrsets: null })
    }
    if (changes.length === 0) return
    const { serial, token } = zone.version
    const version = { serial: nextSerial(serial), feedId: FEED_ID, token: randomUUID() }
    await this.#store.apply(CATALOG_ID, [{ version, previousToken: token, changes }])
    this.#members.clear()
    for (const key of wanted.keys()) this.#members.add(key)
  }

  #learn(zone: Zone): void {
    this.#members.clear()
    for (const { owner, rrsets } of zone.owners()) {
      if (rrsets?.some(({ type }) => type === TYPE.PTR) === true) this.#members.add(nameKey(owner))
    }
  }

  /** By `nameKey` of their owner names. */
  #memberStates(name: Uint8Array): Map<string, OwnerState> {
    const states = new Map<string, OwnerState>()
    const below = nameFromText('zones', name)
    for (const [zoneId, { origin }] of this.#store.entries()) {
      if (zoneId === CATALOG_ID) continue
      const owner = nameFromText(memberLabel(zoneId, origin), below)
      states.set(nameKey(owner), { owner, rrsets: [recordOf(TYPE.PTR, origin)] })
    }
    return states
  }
}

/**
 * The label of a member: the same on every server of the same database, and another one when a zone was deleted
 * and made again, so that secondaries begin it anew (RFC 9432 §5.4).
 */
function memberLabel(zoneId: string, origin: Uint8Array): string {
  const hash = createHash('sha256').update(zoneId).update(' ').update(nameKey(origin), 'latin1')
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
