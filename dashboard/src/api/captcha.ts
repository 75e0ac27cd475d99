/** The CAPTCHA that the service makes itself: work for a machine, which nobody has to read or click at. */
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { api } from './client.ts'
import { answerOf } from './problem.ts'

/** The page came over plain http, where browsers keep what is needed for the work to themselves. */
class InsecurePage extends Error {
  override readonly name = 'InsecurePage'
}

/**
 * Fetches a challenge and does its work, between which the page goes on.
 *
 * @returns the token of the solution, for one call
 * @throws ApiProblem, NetworkFailure, InsecurePage, and DOMException `AbortError` when it was given up
 */
export async function solveCaptcha(signal: AbortSignal): Promise<string> {
  if (!isSecureContext) {
    throw new InsecurePage('This page is not https, so the browser cannot do the check.')
  }
  const { data: challenge } = await answerOf(api.GET('/api/captcha/challenge', { signal }))
  const controller = new AbortController()
  signal.addEventListener('abort', () => controller.abort())
  const solution = await solveChallenge({ challenge, deriveKey, controller })
  signal.throwIfAborted()
  if (solution === null) throw new Error('The check took too long. Please try again.')
  return btoa(JSON.stringify({ challenge, solution }))
}
