/**
 * How many batches this process handles at once. A batch can hold hundreds of locks for a second; more batches at once
 * would be no faster, because those of one zone publish one after another.
 */
import type { Knex } from 'knex'
import { Refusal } from '../../../rules/errors.ts'

const AT_ONCE_LIMIT = 4
const RETRY_AFTER_SECONDS = 2

/** Batches in progress, for each database. */
const underWay = new WeakMap<Knex, number>()

/**
 * Takes a place for a batch until the end of the caller's block.
 *
 * @throws Refusal `unavailable` when all places are taken
 */
export function takePlace(knex: Knex): Disposable {
  const taken = underWay.get(knex) ?? 0
  if (taken >= AT_ONCE_LIMIT) {
    const message = 'Too many batches are in progress. Please try again shortly.'
    throw new Refusal('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
  underWay.set(knex, taken + 1)
  return {
    [Symbol.dispose]() {
      underWay.set(knex, (underWay.get(knex) ?? 1) - 1)
    },
  }
}
