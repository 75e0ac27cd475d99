/** Solves the service's own CAPTCHA, like the widget does. */
import type { CaptchaChallenge } from '@homing/openapi'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { FastifyInstance } from 'fastify'
import { call } from './calls.ts'

/** The token of a solution, in the form that the widget returns. */
export const captchaToken = (payload: object) =>
  Buffer.from(JSON.stringify(payload)).toString('base64')

/** Gets a challenge and solves it. */
export async function solvedCaptcha(app: FastifyInstance): Promise<{
  readonly challenge: CaptchaChallenge
  readonly solution: { readonly counter: number; readonly derivedKey: string }
}> {
  const challenge = (await call(app, 'GET', '/api/captcha/challenge')).json<CaptchaChallenge>()
  const solution = await solveChallenge({ challenge, deriveKey })
  if (solution === null) throw new Error('the challenge has no solution')
  return { challenge, solution }
}

/** Gets a challenge and solves it. @returns the value for `captcha_token` */
export async function solveCaptcha(app: FastifyInstance): Promise<string> {
  return captchaToken(await solvedCaptcha(app))
}
