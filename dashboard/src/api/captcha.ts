/** The service's own CAPTCHA: a proof of work. The browser computes it; the user does nothing. */
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { api } from './client.ts'
import { answerOf } from './problem.ts'

/** The page was loaded over HTTP. Browsers offer the Web Crypto API only on HTTPS pages. */
class InsecurePage extends Error {
  override readonly name = 'InsecurePage'
}

/**
 * Fetches a challenge and solves it without blocking the page.
 *
 * @returns the solution's token, valid for one call
 * @throws ApiProblem, NetworkFailure, InsecurePage, and DOMException `AbortError` after an abort
 */
export async function solveCaptcha(signal: AbortSignal): Promise<string> {
  if (!isSecureContext) {
    throw new InsecurePage(
      'This page does not use HTTPS, so the browser cannot solve the CAPTCHA. Open it over HTTPS.',
    )
  }
  const { data: challenge } = await answerOf(api.GET('/api/captcha/challenge', { signal }))
  const controller = new AbortController()
  signal.addEventListener('abort', () => controller.abort())
  const solution = await solveChallenge({ challenge, deriveKey, controller })
  signal.throwIfAborted()
  if (solution === null) throw new Error('The CAPTCHA timed out. Please try again.')
  return btoa(JSON.stringify({ challenge, solution }))
}
