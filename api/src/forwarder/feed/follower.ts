import { setTimeout as delay } from 'node:timers/promises'
import type { ForwardTable } from '../forward-table.ts'
import { ForwardSession, type SessionEvents } from './session.ts'

const POLL_MS = 1_000
/** Most losses are a short restart. A server that stays unavailable is tried once a second. */
const FIRST_RETRY_MS = 50
const LONGEST_RETRY_MS = 1_000
const TOLD_LIMIT = 10_000

export interface FollowerEvents extends Omit<SessionEvents, 'current'> {
  /** PostgreSQL is available again. */
  connected(): void
  /** PostgreSQL is not available, for a reason that is reported once. */
  lost(reason: Error): void
}

export interface FollowerOptions {
  /** Called before each connection. @throws an error that says how to set the database */
  readonly url: () => string
  readonly table: ForwardTable
  readonly events: FollowerEvents
  readonly pollMs?: number
}

/**
 * Keeps a table in sync with the forward feed, reconnecting as needed. While PostgreSQL is not available, the table
 * stays as it is.
 */
export class ForwardFollower {
  readonly #options: FollowerOptions
  readonly #stopping = new AbortController()
  readonly #told = new Set<string>()
  #session: ForwardSession | undefined
  #isConnected = false
  #lossTold = ''
  #retries = 0
  #currentAtMs: number | undefined
  #run: Promise<void> | undefined

  constructor(options: FollowerOptions) {
    this.#options = options
  }

  /** Seconds since the table was last known to have all changes; undefined if it never was. */
  get ageSeconds(): number | undefined {
    if (this.#currentAtMs === undefined) return undefined
    return (performance.now() - this.#currentAtMs) / 1_000
  }

  /** Starts following. Never fails: errors are reported and retried. */
  start(): void {
    this.#run ??= this.#follow()
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
        if (!signal.aborted) this.#isLost(error)
      }
      const retryMs = Math.min(FIRST_RETRY_MS * 2 ** this.#retries, LONGEST_RETRY_MS)
      this.#retries += 1
      await delay(retryMs, undefined, { signal }).catch(() => undefined)
    }
  }

  async #followOnce(): Promise<void> {
    const { url, table, events, pollMs = POLL_MS } = this.#options
    this.#session = new ForwardSession({
      url: url(),
      table,
      pollMs,
      events: {
        applied: (sets) => events.applied(sets),
        reread: (reason, names, ms) => events.reread(reason, names, ms),
        skipped: (name, reason) => this.#isSkipped(name, reason),
        current: () => this.#isCurrent(),
      },
    })
    await this.#session.run()
  }

  #isCurrent(): void {
    this.#currentAtMs = performance.now()
    this.#retries = 0
    this.#lossTold = ''
    if (this.#isConnected) return
    this.#isConnected = true
    this.#options.events.connected()
  }

  /** A row that cannot be served is reported once, not at each read. */
  #isSkipped(name: string, reason: string): void {
    const told = `${name} ${reason}`
    if (this.#told.has(told)) return
    if (this.#told.size >= TOLD_LIMIT) this.#told.clear()
    this.#told.add(told)
    this.#options.events.skipped(name, reason)
  }

  #isLost(error: unknown): void {
    const reason = error instanceof Error ? error : new Error(String(error))
    this.#isConnected = false
    if (this.#lossTold === reason.message) return
    this.#lossTold = reason.message
    this.#options.events.lost(reason)
  }
}
