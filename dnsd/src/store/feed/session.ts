/*
 * Following the feed over one connection, for as long as that lasts.
 *
 * A notification names a zone and wakes the reader at once. Nothing depends on it: each second all
 * zones are compared with what is held, which finds what a notification missed, zones that came and
 * zones that went, and works where there are no notifications at all (read replicas, poolers). Zones
 * that have to be read as a whole are read over a second connection, one after the other, while the
 * others go on.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Notification } from 'pg'
import { nameToText } from '../../names/index.ts'
import type { Zone } from '../../zone/index.ts'
import { continues } from '../change-set.ts'
import type { ResyncReason, StoreEvents } from '../events.ts'
import { CATALOG_ID, type NewChangeSet, type ZoneStore } from '../zone-store.ts'
import { readChanges } from './change-reader.ts'
import { connectToFeed, type FeedConnection } from './connection.ts'
import { readZone, UnservableZone } from './full-read.ts'
import { resyncReason } from './resync.ts'
import { versionOf, type ZoneRow } from './zone-row.ts'
import { WakeUp } from './wake-up.ts'

const CHANNEL = 'zone_change'
// SQLSTATE of a command that a standby cannot take, which LISTEN is.
const READ_ONLY_TRANSACTION = '25006'
// A zone of millions of names takes its time; only silence ends that.
const WHOLE_READ_LIMIT_MS = 600_000
// What comes so densely that one reading brings as many names is read together with what follows in the next moment: a
// reading costs as much as some five names do. Updates that come one by one never wait.
const DENSE_NAMES = 8
const DENSE_WAIT_MS = 10

type PolledRow = Pick<ZoneRow, 'zone_id' | 'name' | 'serial' | 'feed_id' | 'token'> & {
  readonly is_standby: boolean
}

const POLL = {
  name: 'poll-zones',
  text: `select zone_id, name, serial, feed_id, token, pg_is_in_recovery() as is_standby from dns_zone`,
}

export interface SessionOptions {
  readonly url: string
  readonly store: ZoneStore
  readonly events: StoreEvents
  readonly pollMs: number
  /** Called each time everything that was published is held. */
  readonly onCurrent: () => void
  /** The newest serial that the database has of a zone. */
  readonly onSeen: (zone: string, serial: bigint) => void
}

export class FeedSession {
  readonly #options: SessionOptions
  readonly #wakeUp = new WakeUp()
  readonly #stale = new Set<string>()
  /** Zones that wait to be read as a whole, or are being read. */
  readonly #wanted = new Map<string, ResyncReason>()
  /** Tokens of versions that cannot be served, by zone id: they are not tried again. */
  readonly #unservable = new Map<string, string>()
  #connection: FeedConnection | undefined
  #wholeReadsConnection: FeedConnection | undefined
  #wholeReads: Promise<void> = Promise.resolve()
  #failure: Error | undefined
  #isStopped = false
  #isStandby = false

  constructor(options: SessionOptions) {
    this.#options = options
  }

  /**
   * Follows until the connection is lost or `stop` is called.
   *
   * @throws why it could not go on
   */
  async run(): Promise<void> {
    try {
      this.#connection = await connectToFeed(this.#options.url)
      void this.#connection.lost.then((error) => this.#fail(error))
      if (this.#isStopped) return
      await this.#listen(this.#connection)
      await this.#follow(this.#connection)
    } finally {
      this.stop()
      // Two sessions must not put the same zone in place.
      await this.#wholeReads
    }
  }

  /** Ends `run` soon; what is being applied is applied as a whole. */
  stop(): void {
    this.#isStopped = true
    this.#connection?.drop()
    this.#wholeReadsConnection?.drop()
    this.#wakeUp.wake()
  }

  #fail(error: Error): void {
    this.#failure ??= error
    this.#wakeUp.wake()
  }

  async #listen({ client }: FeedConnection): Promise<void> {
    client.on('notification', ({ payload }: Notification) => {
      if (payload !== undefined) this.#stale.add(payload)
      this.#wakeUp.wake()
    })
    try {
      await client.query(`listen ${CHANNEL}`)
    } catch (error) {
      if ((error as { code?: string }).code !== READ_ONLY_TRANSACTION) throw error
      this.#options.events.finding(
        'The database is a standby: changes are looked for each second, since it sends no notifications.',
      )
    }
  }

  async #follow(connection: FeedConnection): Promise<void> {
    const { events, onCurrent, pollMs } = this.#options
    let pollAtMs = 0
    while (!this.#isStopped) {
      if (performance.now() >= pollAtMs) {
        await this.#poll(connection)
        pollAtMs = performance.now() + pollMs
      }
      let names = 0
      for (const zoneId of this.#stale) {
        this.#stale.delete(zoneId)
        names += await this.#catchUp(connection, zoneId)
      }
      if (this.#failure !== undefined) throw this.#failure
      const isCurrent = this.#stale.size === 0 && this.#wanted.size === 0
      events.source(isCurrent ? 'current' : 'reading')
      if (isCurrent) onCurrent()
      if (names >= DENSE_NAMES) await delay(DENSE_WAIT_MS)
      await this.#wakeUp.wait(Math.max(0, pollAtMs - performance.now()))
    }
  }

  async #poll({ client }: FeedConnection): Promise<void> {
    const { store, events, onSeen } = this.#options
    const { rows } = await client.query<PolledRow>(POLL)
    this.#isStandby = rows[0]?.is_standby ?? false
    const ids = new Set(rows.map((row) => row.zone_id))
    for (const row of rows) {
      const present = versionOf(row)
      onSeen(row.name, present.serial)
      if (this.#unservable.get(row.zone_id) === row.token) continue
      const held = store.held(row.zone_id)
      const isCurrent = held?.version.token === present.token && !held.isIncomplete
      if (!isCurrent) this.#stale.add(row.zone_id)
    }
    // Nobody deletes all zones. A database without any is one that is being restored, or the wrong one.
    if (rows.length === 0) return
    const unread = new Set(rows.filter((row) => !store.held(row.zone_id)).map((row) => row.name))
    for (const [zoneId, zone] of store.entries()) {
      if (zoneId === CATALOG_ID) continue
      const name = nameToText(zone.origin)
      // A zone that was made again under another id stays until that one is read, and is replaced by it.
      if (ids.has(zoneId) || unread.has(name)) continue
      await store.remove(zoneId)
      events.removed(name)
    }
  }

  /** @returns how many names changed */
  async #catchUp({ client }: FeedConnection, zoneId: string): Promise<number> {
    const { store, events, onSeen } = this.#options
    let names = 0
    while (!this.#isStopped && !this.#wanted.has(zoneId)) {
      const zone = store.held(zoneId)
      if (zone === undefined) {
        this.#readWhole(zoneId, 'new-zone')
        break
      }
      const name = nameToText(zone.origin)
      const read = await readChanges(client, zoneId, zone, this.#skipped(name))
      // The next poll sees whether it is gone for good.
      if (read === undefined) break
      onSeen(name, read.present.serial)
      const reason = resyncReason(zone, read, this.#isStandby)
      if (reason !== undefined) {
        this.#readWhole(zoneId, reason)
        break
      }
      const sets = chainOf(zone, read.sets)
      if (sets.length === 0) break
      await store.apply(zoneId, sets)
      events.applied(name, sets.length)
      names += sets.reduce((sum, { changes }) => sum + changes.length, 0)
      if (zone.version.serial === read.present.serial) break
    }
    return names
  }

  #skipped(zone: string): (owner: string, reason: string) => void {
    return (owner, reason) => this.#options.events.skipped(zone, owner, reason)
  }

  #readWhole(zoneId: string, reason: ResyncReason): void {
    this.#wanted.set(zoneId, reason)
    if (this.#wanted.size > 1) return
    this.#wholeReads = this.#readWanted().catch((error: unknown) => {
      this.#fail(error instanceof Error ? error : new Error(String(error)))
    })
  }

  async #readWanted(): Promise<void> {
    const connection = await connectToFeed(this.#options.url, {
      statementLimitMs: WHOLE_READ_LIMIT_MS,
      queryLimitMs: 0,
    })
    this.#wholeReadsConnection = connection
    try {
      for (const [zoneId, reason] of this.#wanted) {
        if (this.#isStopped) return
        const isHeld = await this.#readOne(connection, zoneId, reason)
        this.#wanted.delete(zoneId)
        // What was published while it was read.
        if (isHeld) this.#stale.add(zoneId)
        this.#wakeUp.wake()
      }
    } finally {
      connection.drop()
    }
  }

  /** @returns whether the zone is there and can be served */
  async #readOne(
    connection: FeedConnection,
    zoneId: string,
    reason: ResyncReason,
  ): Promise<boolean> {
    const { store, events } = this.#options
    const beganMs = performance.now()
    const held = store.held(zoneId)
    if (held !== undefined) events.resync(nameToText(held.origin), reason)
    try {
      const zone = await readZone(
        connection,
        zoneId,
        (name) => this.#skipped(name),
        store.zones.table,
      )
      if (zone === undefined) return false
      await store.replace(zoneId, zone)
      if (held === undefined) events.resync(nameToText(zone.origin), reason)
      events.loaded(nameToText(zone.origin), zone.nameCount, performance.now() - beganMs)
      return true
    } catch (error) {
      if (!(error instanceof UnservableZone)) throw error
      this.#unservable.set(zoneId, error.token)
      events.skipped(error.zone, error.zone, error.message)
      return false
    }
  }
}

/** As many of the sets as follow each other from what is held. */
function chainOf(zone: Zone, sets: readonly NewChangeSet[]): NewChangeSet[] {
  const chain: NewChangeSet[] = []
  let version = zone.version
  for (const set of sets) {
    if (!continues(set, version)) break
    chain.push(set)
    version = set.version
  }
  return chain
}
