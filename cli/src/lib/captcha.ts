/** The CAPTCHA that the service makes itself: work for a machine, which this program does as a browser would. */
import type { ApiClient, components } from '@homing/openapi/client'
import { bodyOf } from './api.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'

type CaptchaTerms = components['schemas']['CaptchaTerms']

/** Longest work that is done, in milliseconds: a second or two is usual. */
const WORK_LIMIT_MS = 60_000

const BY_HAND =
  'The service wants to see that you are no machine, in a way that takes a browser. Sign in there, make an API key, and give it to homing login --with-token.'

/**
 * A token that says that the CAPTCHA is solved, for one call.
 *
 * @throws CommandFailure when it takes a person, or the work takes too long
 */
export async function solveCaptcha(api: ApiClient, { provider }: CaptchaTerms): Promise<string> {
  if (provider !== 'altcha') throw new CommandFailure(EXIT.auth, BY_HAND)
  const challenge = bodyOf(await api.GET('/api/captcha/challenge'), 'parameters', 'signature')
  const { solveChallenge } = await import('altcha-lib')
  const { deriveKey } = await import('altcha-lib/algorithms/pbkdf2')
  const solution = await solveChallenge({ challenge, deriveKey, timeout: WORK_LIMIT_MS })
  if (solution === null) {
    throw new CommandFailure(EXIT.failed, 'The check that the service asks for took too long.')
  }
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}
