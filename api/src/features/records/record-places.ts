/**
 * How many batches and imports of records this process handles at once. One can hold the lock of its account, and the
 * serial of its zone, for a second.
 */
import type { Knex } from 'knex'
import { Refusal } from '../../rules/errors.ts'

const AT_ONCE_LIMIT = 4
const RETRY_AFTER_SECONDS = 2

/** Batches and imports in progress, for each database. */
const underWay = new WeakMap<Knex, number>()

/**
 * Takes a place until the end of the caller's block.
 *
 * @throws Refusal `unavailable` when all places are taken
 */
export function takePlace(knex: Knex): Disposable {
  const taken = underWay.get(knex) ?? 0
  if (taken >= AT_ONCE_LIMIT) {
    const message = 'Too many batches and imports are in progress. Please try again shortly.'
    throw new Refusal('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
  underWay.set(knex, taken + 1)
  return {
    [Symbol.dispose]() {
      underWay.set(knex, (underWay.get(knex) ?? 1) - 1)
    },
  }
}
