/**
 * The timing of writes that nobody waits for: entries collect in memory and are
 * written together a moment later, by one write at a time.
 *
 * What collects, its bound and what happens to entries that PostgreSQL does not
 * accept belong to the class that uses it.
 */
import { setTimeout as delay } from 'node:timers/promises'

/** Longest wait for the last write when the service stops, in milliseconds. */
const STOP_LIMIT_MS = 1_000

/** Schedules the writes of one class, one at a time. */
export class WriteBehind {
  readonly #write: () => Promise<void>
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined

  /** @param write writes everything that has collected. It must not throw. */
  constructor(write: () => Promise<void>) {
    this.#write = write
  }

  /** Writes after `waitMs` milliseconds, unless a write is scheduled already. */
  schedule(waitMs: number): void {
    this.#timer ??= setTimeout(() => void this.flush(), waitMs).unref()
  }

  /** Writes now, after a write that is under way. It never throws. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    while (this.#writing !== undefined) await this.#writing
    this.#writing = this.#write().finally(() => (this.#writing = undefined))
    await this.#writing
  }

  /** Writes what has collected before the service closes the database, or gives up after a second. */
  async stop(): Promise<void> {
    await Promise.race([this.flush(), delay(STOP_LIMIT_MS, undefined, { ref: false })])
  }
}
