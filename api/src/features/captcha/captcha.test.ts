import type { CaptchaChallenge } from '@homing/openapi'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, openApiWorld } from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { captchaToken, solveCaptcha, solvedCaptcha } from '../../../test/support/captcha.ts'
import type { Captcha } from '../../integrations/captcha.ts'
import { captchaOf } from '../../integrations/configured-captcha.ts'
import { expire } from '../../jobs/expire.ts'
import { query } from '../../database/sql.ts'

const DAY_MS = 86_400_000
let world: ApiWorld
let clock = new Date()

beforeAll(async () => {
  world = await openApiWorld({ captcha: { provider: 'altcha' } }, { now: () => clock })
})
afterAll(() => world.end())
beforeEach(() => {
  clock = new Date()
})

/** The same CAPTCHA in another process: a replica, or this one after a restart. */
function elsewhere(): Captcha {
  const captcha = captchaOf(world.services)
  if (captcha === undefined) throw new Error('a CAPTCHA is asked for')
  return captcha
}
const accepts = (token: string) => elsewhere().accepts(token, 'register')
const usedOnes = () => query(world.knex, 'select 1 from used_captchas')

describe('the CAPTCHA of the service itself', () => {
  test('is described for pages, with the URL of its challenges', async () => {
    const reply = await call(world.app, 'GET', '/api/captcha')
    expect(reply.json()).toEqual({ provider: 'altcha', challenge_url: '/api/captcha/challenge' })
  })

  test('creates a different challenge each time, and stores none', async () => {
    const challenges: CaptchaChallenge[] = []
    for (let n = 0; n < 3; n += 1) {
      const reply = await call(world.app, 'GET', '/api/captcha/challenge')
      expect(reply.headers['cache-control']).toBe('no-store')
      challenges.push(reply.json<CaptchaChallenge>())
    }
    expect(new Set(challenges.map(({ signature }) => signature)).size).toBe(3)
    for (const { parameters } of challenges) {
      expect(parameters).toMatchObject({ algorithm: 'PBKDF2/SHA-256', cost: 2_000 })
      expect(parameters.expiresAt - clock.getTime() / 1_000).toBeGreaterThan(599 - 1)
      expect(parameters.expiresAt - clock.getTime() / 1_000).toBeLessThanOrEqual(600)
    }
  })

  test('accepts a solution once, at any replica', async () => {
    const token = await solveCaptcha(world.app)
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => accepts(token)))
    expect(verdicts.filter(Boolean)).toHaveLength(1)
    expect(await accepts(token)).toBe(false)
  })

  test('accepts a solution once, in any encoding', async () => {
    const { challenge, solution } = await solvedCaptcha(world.app)
    expect(await accepts(captchaToken({ challenge, solution }))).toBe(true)
    expect(await accepts(captchaToken({ solution, more: 1, challenge }))).toBe(false)
    const { signature, parameters } = challenge
    const upper = { parameters, signature: signature.toUpperCase() }
    expect(await accepts(captchaToken({ challenge: upper, solution }))).toBe(false)
    const later = { ...solution, time: 12, counter: solution.counter + 1 }
    expect(await accepts(captchaToken({ challenge, solution: later }))).toBe(false)
  })

  test('accepts it for ten minutes', async () => {
    const [early, late] = [await solveCaptcha(world.app), await solveCaptcha(world.app)]
    clock = new Date(clock.getTime() + 9 * 60_000)
    expect(await accepts(early)).toBe(true)
    clock = new Date(clock.getTime() + 2 * 60_000)
    expect(await accepts(late)).toBe(false)
  })

  test('remembers a used solution until it expires', async () => {
    await accepts(await solveCaptcha(world.app))
    expect((await usedOnes()).length).toBeGreaterThan(0)
    await expire(world.knex, new Date(clock.getTime() + 600_000))
    expect((await usedOnes()).length).toBeGreaterThan(0)
    await expire(world.knex, new Date(clock.getTime() + 2 * DAY_MS))
    expect(await usedOnes()).toEqual([])
  })

  test('accepts only its own, unchanged challenges', async () => {
    const { challenge, solution } = await solvedCaptcha(world.app)
    const { parameters, signature } = challenge
    const changes: object[] = [
      { parameters: { ...parameters, expiresAt: parameters.expiresAt + 600 }, signature },
      { parameters: { ...parameters, cost: 1 }, signature },
      { parameters: { ...parameters, keyPrefix: '00' }, signature },
      { parameters: { ...parameters, keySignature: undefined }, signature },
      { parameters, signature: 'f'.repeat(64) },
      { parameters },
      { parameters: null, signature },
      {},
    ]
    for (const changed of changes) {
      expect(await accepts(captchaToken({ challenge: changed, solution }))).toBe(false)
    }
    const ofOthers = captchaOf({
      ...world.services,
      config: { ...world.services.config, secretKey: Buffer.alloc(32, 1) },
    })
    const token = captchaToken({ challenge, solution })
    expect(await ofOthers?.accepts(token, 'login')).toBe(false)
    expect(await accepts(token)).toBe(true)
  })

  test('accepts a solution of a challenge that was signed with the previous key', async () => {
    const { config } = world.services
    const rotated = { secretKey: Buffer.alloc(32, 1), previousSecretKey: config.secretKey }
    const after = captchaOf({ ...world.services, config: { ...config, ...rotated } })
    const token = await solveCaptcha(world.app)
    expect(await after?.accepts(token, 'register')).toBe(true)
    expect(await accepts(token)).toBe(false)
  })

  test.each([
    ['nothing', ''],
    ['no base64', '%%%'],
    ['no JSON', Buffer.from('{').toString('base64')],
    ['null', captchaToken([null])],
    ['no object', Buffer.from('7').toString('base64')],
    ['a deep nest', Buffer.from('['.repeat(6_000)).toString('base64')],
    ['no counter', captchaToken({ challenge: { parameters: {}, signature: 'a' }, solution: {} })],
    [
      'a null solution',
      captchaToken({ challenge: { parameters: {}, signature: 'a' }, solution: null }),
    ],
  ])('%s is not a solution', async (_what, token) => {
    expect(await accepts(token)).toBe(false)
  })
})

test('without a CAPTCHA, no challenge exists', async () => {
  const open = await openApiWorld()
  try {
    expect((await call(open.app, 'GET', '/api/captcha')).json()).toEqual({ provider: 'none' })
    const reply = await call(open.app, 'GET', '/api/captcha/challenge')
    expect(problemOf(reply)).toMatchObject({ status: 404, code: 'not-found' })
  } finally {
    await open.end()
  }
})
