/**
 * Places for work of which this process does only so much at once: further work is refused, not queued. No account
 * has all of them.
 */
import type { Knex } from 'knex'
import { Refusal } from '../rules/errors.ts'

const RETRY_AFTER_SECONDS = 2

interface PlacesOptions {
  readonly limit: number
  readonly accountLimit: number
  /** What to say to an account while all places are taken, and while it has all of its own. */
  readonly messages: { readonly all: string; readonly own: string }
}

export class Places {
  readonly #options: PlacesOptions
  /** For each database, the account of each place that is taken. */
  readonly #taken = new WeakMap<Knex, string[]>()

  constructor(options: PlacesOptions) {
    this.#options = options
  }

  /**
   * Takes a place until the end of the caller's block.
   *
   * @throws Refusal `unavailable` when all places are taken, `rate-limited` when the account has all of its own
   */
  take(knex: Knex, userId: string): Disposable {
    const taken = this.#taken.get(knex) ?? []
    this.#requireRoom(taken, userId)
    taken.push(userId)
    this.#taken.set(knex, taken)
    return { [Symbol.dispose]: () => void taken.splice(taken.indexOf(userId), 1) }
  }

  #requireRoom(taken: readonly string[], userId: string): void {
    const { limit, accountLimit, messages } = this.#options
    const again = { retryAfterSeconds: RETRY_AFTER_SECONDS }
    if (taken.length >= limit) throw new Refusal('unavailable', messages.all, again)
    if (taken.filter((each) => each === userId).length < accountLimit) return
    throw new Refusal('rate-limited', messages.own, again)
  }
}
