import { setTimeout as delay } from 'node:timers/promises'
import type { SourceState, StoreEvents } from './events.ts'
import { FeedSession } from './feed/session.ts'
import type { ZoneStore } from './zone-store.ts'

export interface PostgresFollowerOptions {
  /** Called before each connection; undefined when no database is known yet. */
  readonly url: () => string | undefined
  readonly store: ZoneStore
  readonly events: StoreEvents
  /** The interval between two polls of all zones. */
  readonly pollMs?: number
}

const POLL_MS = 1_000
// Most losses are a short restart. A server that stays unavailable is retried once a second.
const FIRST_RETRY_MS = 50
const LONGEST_RETRY_MS = 1_000
const TOLD_LIMIT = 10_000

/**
 * Keeps a store in sync with what PostgreSQL publishes, reconnecting as needed. While PostgreSQL is
 * unavailable, the store stays as it is.
 */
export class PostgresFollower {
  readonly #options: PostgresFollowerOptions
  readonly #stopping = new AbortController()
  readonly #told = new Set<string>()
  readonly #seen = new Map<string, bigint>()
  readonly #isCurrent = Promise.withResolvers<void>()
  #session: FeedSession | undefined
  #state: SourceState | undefined
  #reason = ''
  #retries = 0
  #currentAtMs: number | undefined
  #run: Promise<void> | undefined

  constructor(options: PostgresFollowerOptions) {
    this.#options = options
  }

  /** Starts following. Never fails: errors are reported and retried. */
  start(): void {
    this.#run ??= this.#follow()
  }

  /** Resolves when all published changes are loaded for the first time. */
  get current(): Promise<void> {
    return this.#isCurrent.promise
  }

  get state(): SourceState {
    return this.#state ?? 'away'
  }

  /** Seconds since the store was last known to be up to date; undefined if it never was. */
  get lagSeconds(): number | undefined {
    if (this.#currentAtMs === undefined) return undefined
    return (performance.now() - this.#currentAtMs) / 1000
  }

  /** The newest serial seen in the database, by zone name. */
  get seenSerials(): ReadonlyMap<string, bigint> {
    return this.#seen
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#session?.stop()
    await this.#run
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        await this.#followOnce()
      } catch (error) {
        if (!signal.aborted) this.#isAway(error)
      }
      const retryMs = Math.min(FIRST_RETRY_MS * 2 ** this.#retries, LONGEST_RETRY_MS)
      this.#retries += 1
      await delay(retryMs, undefined, { signal }).catch(() => undefined)
    }
  }

  async #followOnce(): Promise<void> {
    const { store, pollMs = POLL_MS } = this.#options
    const url = this.#options.url()
    if (url === undefined) throw new Error('no database is known yet')
    this.#session = new FeedSession({
      url,
      store,
      pollMs,
      events: this.#events(),
      onCurrent: () => {
        this.#currentAtMs = performance.now()
        this.#isCurrent.resolve()
      },
      onSeen: (zone, serial) => this.#seen.set(zone, serial),
    })
    await this.#session.run()
  }

  /** The events of a session. Some are reported once instead of each time. */
  #events(): StoreEvents {
    const { events } = this.#options
    return {
      ...events,
      source: (state) => {
        this.#retries = 0
        this.#reason = ''
        if (this.#state === state) return
        this.#state = state
        events.source(state)
      },
      skipped: (zone, owner, reason) => {
        const told = `${zone} ${owner} ${reason}`
        if (this.#told.has(told)) return
        if (this.#told.size >= TOLD_LIMIT) this.#told.clear()
        this.#told.add(told)
        events.skipped(zone, owner, reason)
      },
      removed: (zone) => {
        this.#seen.delete(zone)
        events.removed(zone)
      },
    }
  }

  #isAway(error: unknown): void {
    const reason = error instanceof Error ? error : new Error(String(error))
    if (this.#state === 'away' && this.#reason === reason.message) return
    this.#state = 'away'
    this.#reason = reason.message
    this.#options.events.source('away', reason)
  }
}
