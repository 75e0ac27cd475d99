/** An authenticator app in tests, and accounts that have one. */
import type { LoginAnswer, RecoveryCodes, SecondFactorRequired, TotpSetup } from '@homing/openapi'
import { Secret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import { type ApiWorld, type Caller, PASSWORD } from './api-world.ts'
import { call, type Reply } from './calls.ts'

export const STEP_MS = 30_000

/** The code that an app shows. @param steps how many steps after `at` */
export function codeAt(secret: string, at: Date, steps = 0): string {
  const generator = new TOTP({ secret: Secret.fromBase32(secret) })
  return generator.generate({ timestamp: at.getTime() + steps * STEP_MS })
}

/** A code that is not valid at any time near `at`. */
export function wrongCodeAt(secret: string, at: Date): string {
  const right = new Set([-2, -1, 0, 1, 2].map((steps) => codeAt(secret, at, steps)))
  const wrong = ['000000', '000001', '000002', '000003', '000004', '000005']
  return wrong.find((code) => !right.has(code)) ?? ''
}

export interface AppOwner {
  readonly secret: string
  readonly recoveryCodes: readonly string[]
}

/**
 * Turns two factors on.
 *
 * @param at the service's clock, if a test sets it: the first code is then that of the previous step, so that the
 * current one can be used afterwards. A real clock may reach the next step before the code arrives, so the first code
 * is the current one then.
 */
export async function addApp({ app }: ApiWorld, { headers }: Caller, at?: Date): Promise<AppOwner> {
  const begun = await call(app, 'POST', '/api/me/totp', { headers })
  expect(begun.text).toContain('secret')
  const { secret } = begun.json<TotpSetup>()
  const body = { code: at ? codeAt(secret, at, -1) : codeAt(secret, new Date()) }
  const confirmed = await call(app, 'POST', '/api/me/totp/confirm', { headers, body })
  expect(confirmed.status).toBe(200)
  return { secret, recoveryCodes: confirmed.json<RecoveryCodes>().recovery_codes ?? [] }
}

/** Signs in with the password, up to the second step. */
export async function passwordStep({ app }: ApiWorld, username: string): Promise<LoginAnswer> {
  const body = { username_or_email: username, password: PASSWORD }
  const reply = await call(app, 'POST', '/api/login', { body })
  expect(reply.status).toBe(200)
  return reply.json<LoginAnswer>()
}

/** The parameters of the second step. */
export async function loginTokenOf(world: ApiWorld, username: string): Promise<string> {
  return ((await passwordStep(world, username)) as SecondFactorRequired).login_token
}

/** The second step of signing in. @param fields `login_token`, and `code` or `recovery_code` */
export const secondStep = ({ app }: ApiWorld, fields: object): Promise<Reply> =>
  call(app, 'POST', '/api/login/second-factor', { body: fields })
