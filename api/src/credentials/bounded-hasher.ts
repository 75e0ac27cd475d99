import { Refusal } from '../rules/errors.ts'
import type { PasswordHasher } from './password-hasher.ts'

/**
 * Evaluations that are waiting or running. One takes some twenty milliseconds of a core, so the last of
 * them waits a second or two; callers would give up on any more.
 */
const EVALUATIONS_LIMIT = 64
const RETRY_AFTER_SECONDS = 2

/**
 * A hasher that refuses work when it is overloaded, so that a flood of sign-ins does not make everybody
 * wait.
 *
 * @throws Refusal `unavailable`, from `hash` and `verify`
 */
export function boundedHasher(hasher: PasswordHasher, limit = EVALUATIONS_LIMIT): PasswordHasher {
  let underWay = 0
  async function bounded<T>(evaluate: () => Promise<T>): Promise<T> {
    if (underWay >= limit) {
      throw new Refusal('unavailable', 'Too many sign-ins are in progress. Please try again.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    }
    underWay += 1
    try {
      return await evaluate()
    } finally {
      underWay -= 1
    }
  }
  return {
    hash: (password) => bounded(() => hasher.hash(password)),
    verify: (stored, password) => bounded(() => hasher.verify(stored, password)),
  }
}
