import { Refusal } from '../rules/errors.ts'
import type { PasswordHasher } from './password-hasher.ts'

/**
 * Evaluations that wait or are under way. One takes some twenty milliseconds of a core, so the last of them
 * waits for a second or two; more of them would only be given up by their callers.
 */
const EVALUATIONS_LIMIT = 64
const RETRY_AFTER_SECONDS = 2

/**
 * A hasher that says at once when it has too much to do, so that no flood of sign-ins makes everybody wait.
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
