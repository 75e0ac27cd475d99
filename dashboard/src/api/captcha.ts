/** The service's CAPTCHA. Its own is a proof of work: the browser computes it; the user does nothing. */
import type { Challenge, Solution } from 'altcha-lib'
import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { answerOf } from './problem.ts'

/** The CAPTCHA that registration requires. */
export const captchaQuery = queryOptions({
  queryKey: ['captcha'],
  queryFn: async ({ signal }) => (await answerOf(api.GET('/api/captcha', { signal }))).data,
  staleTime: 300_000,
})

/** Solves a challenge; null after a time-out or an abort. */
async function solve(challenge: Challenge, controller: AbortController): Promise<Solution | null> {
  // Browsers offer the Web Crypto API only on HTTPS pages.
  if (!isSecureContext) {
    const { solveInWorkers } = await import('./captcha-workers.ts')
    return solveInWorkers(challenge, controller)
  }
  const [{ solveChallenge }, { deriveKey }] = await Promise.all([
    import('altcha-lib'),
    import('altcha-lib/algorithms/web/pbkdf2'),
  ])
  return solveChallenge({ challenge, deriveKey, controller })
}

/**
 * Fetches a challenge and solves it without blocking the page.
 *
 * @returns the solution's token, valid for one call
 * @throws ApiProblem, NetworkFailure, and DOMException `AbortError` after an abort
 */
export async function solveCaptcha(signal: AbortSignal): Promise<string> {
  const { data: challenge } = await answerOf(api.GET('/api/captcha/challenge', { signal }))
  const controller = new AbortController()
  signal.addEventListener('abort', () => controller.abort())
  const solution = await solve(challenge, controller)
  signal.throwIfAborted()
  if (solution === null) throw new Error('The CAPTCHA timed out. Please try again.')
  return btoa(JSON.stringify({ challenge, solution }))
}
