/** When this worker could last not use the database. */
import { isDatabaseAway } from '../database/silence.ts'
import type { Log } from '../process/log.ts'
import { isBadData } from './bad-data.ts'

export class DatabaseWatch {
  readonly #log: Log
  /** A monotonic clock, in milliseconds. */
  readonly #now: () => number
  #isAway = false
  #awayUntilMs = -Infinity

  constructor(log: Log, now: () => number) {
    this.#log = log
    this.#now = now
  }

  /** Milliseconds since it was last unavailable; 0 while it is, Infinity if it never was. */
  sinceOutageMs(): number {
    return this.#isAway ? 0 : this.#now() - this.#awayUntilMs
  }

  /** Runs statements. @throws their error, which is logged, once for each outage */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work()
      this.#isAway = false
      return result
    } catch (error) {
      const isAway = isDatabaseAway(error) && !isBadData(error)
      if (!isAway) this.#log.error({ err: error }, 'monitoring: a statement failed')
      else if (!this.#isAway) this.#log.warn({ err: error }, 'monitoring waits for the database')
      this.#isAway ||= isAway
      if (this.#isAway) this.#awayUntilMs = this.#now()
      throw error
    }
  }
}
