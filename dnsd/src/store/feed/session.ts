/*
 * Follows the feed over one connection until the connection ends.
 *
 * A notification names a zone and wakes the reader at once. Correctness does not depend on notifications: each second
 * all zones are compared with the loaded ones, which finds missed changes, new zones and deleted zones, and also works
 * without notifications (read replicas, poolers). Whole zones are read over a second connection, one after the other,
 * while the other zones continue to update.
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
// SQLSTATE of a command that a standby cannot run, such as LISTEN.
const READ_ONLY_TRANSACTION = '25006'
// A zone of millions of names takes long to read; only silence aborts it sooner.
const WHOLE_READ_LIMIT_MS = 600_000
// When one read returns this many names, changes are dense, and the next read waits a moment to fetch more at once: a
// read costs about as much as five names. Single updates never wait.
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
  /** Called each time all published changes are loaded. */
  readonly onCurrent: () => void
  /** Called with the newest serial of a zone in the database. */
  readonly onSeen: (zone: string, serial: bigint) => void
}

export class FeedSession {
  readonly #options: SessionOptions
  readonly #wakeUp = new WakeUp()
  readonly #stale = new Set<string>()
  /** Zones whose whole read is pending or in progress. */
  readonly #wanted = new Map<string, ResyncReason>()
  /** Tokens of versions that cannot be served, by zone ID; they are not retried. */
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
   * @throws the error that ended it
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
      // Two sessions must not replace the same zone.
      await this.#wholeReads
    }
  }

  /** Ends `run` soon. A change set in progress is applied completely. */
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
        'The database is a standby, which sends no notifications. dnsd polls it for changes every second.',
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
    // An empty zone list is not a deletion of all zones. It is a database during a restore, or the wrong database.
    if (rows.length === 0) return
    const unread = new Set(rows.filter((row) => !store.held(row.zone_id)).map((row) => row.name))
    for (const [zoneId, zone] of store.entries()) {
      if (zoneId === CATALOG_ID) continue
      const name = nameToText(zone.apex)
      // A zone that was recreated under another ID is served until the new one is read and replaces it.
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
      const name = nameToText(zone.apex)
      const read = await readChanges(client, zoneId, zone, this.#skipped(name))
      // The next poll shows whether the zone was deleted.
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
        // Changes may have been published during the read.
        if (isHeld) this.#stale.add(zoneId)
        this.#wakeUp.wake()
      }
    } finally {
      connection.drop()
    }
  }

  /** @returns whether the zone exists and can be served */
  async #readOne(
    connection: FeedConnection,
    zoneId: string,
    reason: ResyncReason,
  ): Promise<boolean> {
    const { store, events } = this.#options
    const beganMs = performance.now()
    const held = store.held(zoneId)
    if (held !== undefined) events.resync(nameToText(held.apex), reason)
    try {
      const zone = await readZone(
        connection,
        zoneId,
        (name) => this.#skipped(name),
        store.zones.table,
      )
      if (zone === undefined) return false
      await store.replace(zoneId, zone)
      if (held === undefined) events.resync(nameToText(zone.apex), reason)
      events.loaded(nameToText(zone.apex), zone.nameCount, performance.now() - beganMs)
      return true
    } catch (error) {
      if (!(error instanceof UnservableZone)) throw error
      this.#unservable.set(zoneId, error.token)
      events.skipped(error.zone, error.zone, error.message)
      return false
    }
  }
}

/** The leading sets that form a chain from the loaded version. */
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
