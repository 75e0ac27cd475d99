/** The service's own CAPTCHA: a computation, which this program does as a browser would. */
import type { components } from '@homing/openapi/client'
import type { ApiClient } from './client.ts'
import { bodyOf } from './api.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'

type CaptchaTerms = components['schemas']['CaptchaTerms']

/** Time limit of the computation, in milliseconds: it usually takes a second or two. */
const WORK_LIMIT_MS = 60_000

const BY_HAND =
  'The service requires a CAPTCHA that needs a browser. Sign in there, create an API key, and pass it to homing login --with-token.'

/**
 * A token for one call that proves that the CAPTCHA is solved.
 *
 * @throws CommandFailure when it needs a person, or the computation takes too long
 */
export async function solveCaptcha(api: ApiClient, { provider }: CaptchaTerms): Promise<string> {
  if (provider !== 'altcha') throw new CommandFailure(EXIT.auth, BY_HAND)
  const challenge = bodyOf(await api.GET('/api/captcha/challenge'), 'parameters', 'signature')
  const { solveChallenge } = await import('altcha-lib')
  const { deriveKey } = await import('altcha-lib/algorithms/pbkdf2')
  const solution = await solveChallenge({ challenge, deriveKey, timeout: WORK_LIMIT_MS })
  if (solution === null) {
    throw new CommandFailure(EXIT.failed, 'Solving the CAPTCHA took too long. Try again.')
  }
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}
