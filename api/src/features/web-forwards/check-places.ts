/**
 * How many targets this process checks at once. A check holds its call for up to ten seconds, as long as the target wants;
 * without this limit, slow targets of two accounts would take all the calls that the API serves at once.
 */
import type { Knex } from 'knex'
import { Refusal } from '../../rules/errors.ts'

/** A quarter of the calls that are served at once. */
const AT_ONCE_LIMIT = 32
/** A browser makes six calls at once. */
const ACCOUNT_LIMIT = 8
const RETRY_AFTER_SECONDS = 2

/** For each database, the account of each check in progress. */
const underWay = new WeakMap<Knex, string[]>()

/** @throws Refusal `unavailable`, `rate-limited` */
function requireRoom(checks: readonly string[], userId: string): void {
  const retryAfterSeconds = RETRY_AFTER_SECONDS
  if (checks.length >= AT_ONCE_LIMIT) {
    const message = 'Too many targets are being checked. Please try again shortly.'
    throw new Refusal('unavailable', message, { retryAfterSeconds })
  }
  if (checks.filter((each) => each === userId).length < ACCOUNT_LIMIT) return
  throw new Refusal(
    'rate-limited',
    `${ACCOUNT_LIMIT} targets of your account are being checked. Please wait until one of these checks has finished.`,
    { retryAfterSeconds },
  )
}

/**
 * Takes a place for a check until the end of the caller's block.
 *
 * @throws Refusal `unavailable` when all places are taken, `rate-limited` when the account has all of its own
 */
export function takePlace(knex: Knex, userId: string): Disposable {
  const checks = underWay.get(knex) ?? []
  requireRoom(checks, userId)
  checks.push(userId)
  underWay.set(knex, checks)
  return { [Symbol.dispose]: () => void checks.splice(checks.indexOf(userId), 1) }
}
