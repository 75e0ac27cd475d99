/*
 * The live streams of this process.
 *
 *   NOTIFY of the feed ─► one read of the feed ─► one read of the changed domains ─► the streams of their owners
 *
 * One loop serves all streams, so that the cost of a change does not depend on their number. A turn of the loop follows a
 * notification, at most five times a second, and otherwise every half second: it ends the streams whose sessions have ended,
 * reads what changed for all accounts that have a stream, and sends it. Each second the serials of all zones are compared too,
 * because notifications can be lost, and poolers do not pass them on. Without streams there is no loop and no connection.
 *
 * Streams that ask for it also get the queries for the domains of their account, which are read once a second (`QueryWatch`).
 *
 * An event carries the state of a domain when it was read, not what a single update did. So several updates become one event,
 * and an event that is sent twice does no harm (docs/decisions/0064).
 */
import type { Readable } from 'node:stream'
import type { SessionPrincipal } from '../caller/principal.ts'
import { Refusal } from '../rules/errors.ts'
import { StreamLoop, type StreamLoopOptions } from './stream-loop.ts'
import { type EventName, OpenStream } from './open-stream.ts'
import { StreamRegistry } from './stream-registry.ts'

const STREAMS_LIMIT = 2_000
const ACCOUNT_LIMIT = 10
const HEARTBEAT_MS = 25_000
const RETRY_AFTER_SECONDS = 30

export interface LiveOptions extends Omit<StreamLoopOptions, 'heartbeatMs'> {
  /** As for `StreamLoop`. Default: 25 seconds. */
  readonly heartbeatMs?: number
  /** Maximum number of streams of an account; the oldest one ends when there are more. */
  readonly accountLimit?: number
  /** Maximum number of streams of this process. */
  readonly streamsLimit?: number
}

/** The request of a client. */
export interface StreamRequest {
  /** The header `Last-Event-ID`; undefined without one. */
  readonly lastEventId: string | undefined
  readonly watchesQueries: boolean
}

export class LiveStreams {
  readonly #options: LiveOptions
  readonly #registry: StreamRegistry
  #loop: StreamLoop | undefined
  #running: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(options: LiveOptions) {
    this.#options = options
    this.#registry = new StreamRegistry(options.accountLimit ?? ACCOUNT_LIMIT)
  }

  /** Open streams. */
  get size(): number {
    return this.#registry.size
  }

  /** Events sent since the start, by name. */
  get sent(): ReadonlyMap<EventName, number> {
    return this.#registry.sent
  }

  /**
   * Opens a stream for the caller's session.
   *
   * @returns the body of the response
   * @throws Refusal `unavailable` when there are too many streams
   */
  open(
    { account, sessionId, tokenDigest }: SessionPrincipal,
    { lastEventId, watchesQueries }: StreamRequest,
  ): Readable {
    if (this.#isStopped || this.size >= (this.#options.streamsLimit ?? STREAMS_LIMIT)) {
      throw new Refusal(
        'unavailable',
        'Too many live streams are open. Read your lists from time to time instead.',
        { retryAfterSeconds: RETRY_AFTER_SECONDS },
      )
    }
    const owner = { accountId: account.id, sessionId, tokenDigest, watchesQueries }
    const stream = new OpenStream(owner, () => this.#remove(stream))
    this.#registry.add(stream)
    void this.#currentLoop().begin(stream, lastEventId)
    return stream.body
  }

  /** Ends all streams. Clients connect again, to another process. */
  endAll(): void {
    for (const stream of this.#registry.all()) this.#registry.end(stream, 'stopping')
    this.#loop?.wake()
  }

  /** Ends all streams, opens no others, and waits until the database is no longer used. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.endAll()
    await this.#running
  }

  #currentLoop(): StreamLoop {
    if (this.#loop !== undefined && !this.#loop.isOver) return this.#loop
    const { heartbeatMs = HEARTBEAT_MS, ...options } = this.#options
    const loop = new StreamLoop({ ...options, heartbeatMs }, this.#registry)
    this.#loop = loop
    const before = this.#running
    this.#running = loop.run().then(() => before)
    return loop
  }

  #remove(stream: OpenStream): void {
    this.#registry.remove(stream)
    if (this.size === 0) this.#loop?.wake()
  }
}
