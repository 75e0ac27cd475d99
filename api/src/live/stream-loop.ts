/** The loop that serves the open streams of a process. It begins with the first stream and ends after the last one. */
import { setImmediate, setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import { endedSessions } from '../credentials/ended-sessions.ts'
import type { Log } from '../process/log.ts'
import { callEvents, changeEvents, type EventsByAccount, monitorEvents } from './account-events.ts'
import { readZoneIds } from './changes.ts'
import { FeedListener } from './feed-listener.ts'
import { textOfPosition } from './feed-position.ts'
import { FeedReader } from './feed-reader.ts'
import { type LiveEvent, type OpenStream, SharedEvents } from './open-stream.ts'
import { QueryWatch } from './query-watch.ts'
import { firstEvents } from './resume.ts'
import type { StreamRegistry } from './stream-registry.ts'
import { WakeUp } from '../process/wake-up.ts'

/** Shortest pause after a turn, in which further changes are gathered. */
const GATHER_MS = 200
/** The pause as a multiple of the turn's duration, so that many streams with many changes slow updates only a little. */
const GATHER_FACTOR = 10
/** Longest pause between two turns. */
const TURN_EVERY_MS = 500
const POLL_EVERY_MS = 1_000
/** A session must end its streams within a second. */
const CHECK_EVERY_MS = 400
/** Clients rely on an open stream for current data. If no read succeeds for this long, the streams end. */
const UNREADABLE_LIMIT_MS = 10_000
/** Deletions are read soon after they happened. */
const DELETED_WITHIN_SECONDS = 60

export interface StreamLoopOptions {
  readonly knex: Knex
  readonly now: () => Date
  readonly log: Pick<Log, 'warn'>
  /** A stream without events gets a heartbeat after this time, in milliseconds. */
  readonly heartbeatMs: number
}

export class StreamLoop {
  readonly #options: StreamLoopOptions
  readonly #registry: StreamRegistry
  readonly #reader: FeedReader
  readonly #queries: QueryWatch
  readonly #listener: FeedListener
  readonly #wakeUp = new WakeUp()
  readonly #begun = Promise.withResolvers<void>()
  #calledIds = new Set<string>()
  /** The domains whose monitors have changed. */
  #monitoredIds = new Set<string>()
  #polledAt = -Infinity
  #checkedAt = -Infinity
  /** When the last turn succeeded, by performance.now(). */
  #readAt = performance.now()
  #isOver = false

  constructor(options: StreamLoopOptions, registry: StreamRegistry) {
    this.#options = options
    this.#registry = registry
    this.#reader = new FeedReader(options.knex)
    this.#queries = new QueryWatch(options.knex)
    this.#listener = new FeedListener(options.knex, {
      zone: (zoneId) => {
        this.#reader.markStale(zoneId)
        this.#wakeUp.wake()
      },
      updateCalls: (domainIds) => {
        for (const id of domainIds) this.#calledIds.add(id)
        this.#wakeUp.wake()
      },
      monitors: (domainIds) => {
        for (const id of domainIds) this.#monitoredIds.add(id)
        this.#wakeUp.wake()
      },
    })
    // Streams that begin wait for it, if there are any.
    this.#begun.promise.catch(() => undefined)
  }

  /** Whether the loop has ended, and serves no further streams. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Runs until the last stream is closed. It never throws. */
  async run(): Promise<void> {
    try {
      await this.#reader.begin()
      this.#begun.resolve()
      while (this.#registry.size > 0) await this.#next()
    } catch (error) {
      this.#fail(error)
      this.#begun.reject(error)
      this.#endAll()
    }
    this.#isOver = true
    await this.#queries.end().catch((error: unknown) => this.#fail(error))
    await this.#listener.close()
  }

  /** Ends the current pause. Without it, the loop would notice the end of the last stream only after the pause. */
  wake(): void {
    this.#wakeUp.wake()
  }

  /** Sends the first events of a stream. It never throws. */
  async begin(stream: OpenStream, lastEventId: string | undefined): Promise<void> {
    const { knex } = this.#options
    const { accountId } = stream.owner
    try {
      await this.#begun.promise
      const zoneIds = await readZoneIds(knex, accountId)
      const missed = await firstEvents({ knex, accountId, zoneIds, lastEventId })
      stream.zoneIds = new Set(zoneIds)
      this.#send(stream, [...missed, this.#heartbeat()])
    } catch (error) {
      this.#fail(error)
      this.#registry.end(stream, 'unavailable')
    }
  }

  async #next(): Promise<void> {
    const begunAt = performance.now()
    try {
      await this.#turn()
      this.#readAt = performance.now()
    } catch (error) {
      this.#fail(error)
      if (performance.now() - this.#readAt > UNREADABLE_LIMIT_MS) this.#endAll()
    }
    // The streams write what they were sent.
    await setImmediate()
    await this.#pause(performance.now() - begunAt)
  }

  async #turn(): Promise<void> {
    await this.#listener.ensureOpen().catch((error: unknown) => this.#fail(error))
    await this.#endSessions()
    if (performance.now() - this.#polledAt >= POLL_EVERY_MS) {
      this.#polledAt = performance.now()
      await this.#reader.poll()
    }
    await this.#sendChanges()
    await this.#sendCalls()
    await this.#sendMonitors()
    await this.#sendQueries()
    this.#sendHeartbeats()
  }

  /** Waits for the next notification; at least a moment, in which more can be gathered. */
  async #pause(tookMs: number): Promise<void> {
    const { heartbeatMs } = this.#options
    const gatherMs = Math.min(Math.max(GATHER_MS, tookMs * GATHER_FACTOR), TURN_EVERY_MS)
    await delay(Math.min(gatherMs, heartbeatMs))
    if (this.#registry.size === 0) return
    await this.#wakeUp.wait(Math.min(TURN_EVERY_MS - gatherMs, heartbeatMs))
  }

  async #endSessions(): Promise<void> {
    if (performance.now() - this.#checkedAt < CHECK_EVERY_MS) return
    const { knex, now } = this.#options
    const begunAt = performance.now()
    const streams = this.#registry.all()
    const used = streams.map((stream) => ({ ...stream.owner, stream }))
    for (const { stream } of await endedSessions(knex, used, now())) {
      this.#registry.end(stream, 'session-ended')
    }
    this.#checkedAt = begunAt
  }

  async #sendChanges(): Promise<void> {
    const { knex } = this.#options
    const touched = await this.#reader.read()
    if (touched === undefined) return
    if (!touched.isComplete) {
      this.#reader.moveTo(touched)
      for (const stream of this.#registry.all()) this.#send(stream, [['reload', {}]])
      return
    }
    try {
      const { accountIds } = this.#registry
      const found = await changeEvents(knex, touched, accountIds, DELETED_WITHIN_SECONDS)
      this.#reader.moveTo(touched)
      this.#deliver(found)
    } catch (error) {
      this.#reader.keep(touched)
      throw error
    }
  }

  async #sendCalls(): Promise<void> {
    const ids = this.#calledIds
    this.#calledIds = new Set()
    await this.#sendOf(ids, callEvents).catch((error: unknown) => {
      for (const id of ids) this.#calledIds.add(id)
      throw error
    })
  }

  async #sendMonitors(): Promise<void> {
    const ids = this.#monitoredIds
    this.#monitoredIds = new Set()
    await this.#sendOf(ids, monitorEvents).catch((error: unknown) => {
      for (const id of ids) this.#monitoredIds.add(id)
      throw error
    })
  }

  /** Sends the events of these domains. After a failure they must be sent again. */
  async #sendOf(ids: ReadonlySet<string>, read: typeof monitorEvents): Promise<void> {
    if (ids.size === 0) return
    this.#deliver(await read(this.#options.knex, [...ids], this.#registry.accountIds))
  }

  async #sendQueries(): Promise<void> {
    const watching = this.#registry.all().filter(({ owner }) => owner.watchesQueries)
    const accountIds = new Set(watching.map(({ owner }) => owner.accountId))
    const found = await this.#queries.next([...accountIds])
    for (const [accountId, events] of found) {
      const shared = new SharedEvents(events)
      for (const stream of this.#registry.of(accountId)) {
        if (stream.owner.watchesQueries) this.#sendShared(stream, shared)
      }
    }
  }

  #deliver(found: EventsByAccount): void {
    for (const [accountId, { events, zoneIds }] of found) {
      const shared = new SharedEvents(events)
      for (const stream of this.#registry.of(accountId)) {
        for (const zoneId of zoneIds) stream.zoneIds?.add(zoneId)
        this.#sendShared(stream, shared)
      }
    }
  }

  #sendHeartbeats(): void {
    const due = performance.now() - this.#options.heartbeatMs
    for (const stream of this.#registry.all()) {
      if (stream.sentAt <= due) this.#send(stream, [this.#heartbeat()])
    }
  }

  #heartbeat(): LiveEvent {
    return ['heartbeat', { at: this.#options.now().toISOString() }]
  }

  #send(stream: OpenStream, events: readonly LiveEvent[]): void {
    this.#sendShared(stream, new SharedEvents(events))
  }

  #sendShared(stream: OpenStream, shared: SharedEvents): void {
    // Until the client has what it missed, its position is the one with which it came.
    const { zoneIds } = stream
    const id = zoneIds && textOfPosition(this.#reader.positionIn(zoneIds))
    this.#registry.send(stream, shared, id)
  }

  #endAll(): void {
    for (const stream of this.#registry.all()) this.#registry.end(stream, 'unavailable')
  }

  #fail(error: unknown): void {
    this.#options.log.warn({ err: error }, 'live streams cannot read changes; trying again')
  }
}
