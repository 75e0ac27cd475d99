/** What is dangerous asks for a fresh proof of who calls, and how that is given. */
import type { ApiKey, Confirmed } from '@homing/openapi'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type ApiWorld,
  type Caller,
  openApiWorld,
  PASSWORD,
} from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { listedOperations } from '../../../test/support/contract-table.ts'
import { addApp, codeAt, STEP_MS, wrongCodeAt } from '../../../test/support/second-factor.ts'
import { buildApp } from '../../app.ts'
import { argon2Hasher } from '../../credentials/password-hasher.ts'
import { createServices, stopServices } from '../../services.ts'
import { query } from '../../sql.ts'

const MINUTE_MS = 60_000
const ORIGIN = 'http://localhost:8080'
let world: ApiWorld
let clock = new Date()
let people = 0
let ada: Caller

beforeAll(async () => {
  world = await openApiWorld({}, { now: () => clock })
})
afterAll(() => world.end())
beforeEach(async () => {
  people += 1
  clock = new Date(Math.floor(Date.now() / STEP_MS) * STEP_MS + 10_000)
  ada = await world.person(`ada${people}`)
})

type Headers = Readonly<Record<string, string>>
const later = (ms: number) => (clock = new Date(clock.getTime() + ms))
const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` })
const post = (url: string, body: object | undefined, headers: Headers = ada.headers) =>
  call(world.app, 'POST', url, { headers, body })
const confirm = (body: object, headers?: Headers) => post('/api/me/confirm', body, headers)
/** Something that asks for a fresh proof. */
const makeKey = (headers?: Headers) => post('/api/api-keys/', { name: 'router' }, headers)
const me = (headers: Headers) => call(world.app, 'GET', '/api/me', { headers })

test('these ask for it', () => {
  const asking = listedOperations.filter((operation) => 'stepUp' in operation)
  expect(Object.fromEntries(asking.map(({ id, stepUp }) => [id, stepUp]))).toMatchObject({
    startTotp: true,
    confirmTotp: true,
    endTotp: true,
    renewRecoveryCodes: true,
    startPasskey: true,
    addPasskey: true,
    removePasskey: true,
    createApiKey: true,
    rotateApiKey: true,
    createTrustPolicy: true,
    exportAccount: true,
    resetSecondFactors: true,
    changePassword: 'with-second-factor',
    changeEmail: 'with-second-factor',
    deleteAccount: 'with-second-factor',
  })
  for (const { access } of asking) expect(['session', 'administrator']).toContain(access)
})

describe('a session', () => {
  test('is trusted for 15 minutes after signing in', async () => {
    later(15 * MINUTE_MS)
    expect((await makeKey()).status).toBe(201)
    later(1)
    const reply = await makeKey()
    expect(reply.status).toBe(403)
    expect(problemOf(reply)).toMatchObject({
      code: 'step-up-required',
      detail: expect.stringMatching(/your password .*POST \/api\/me\/confirm/),
    })
    expect((await me(ada.headers)).status).toBe(200)
  })

  test('that was there before proofs were noted is not', async () => {
    await query(world.knex, 'update sessions set confirmed_at = null where user_id = ?', [ada.id])
    expect(problemOf(await makeKey()).code).toBe('step-up-required')
  })

  test('is not, when its proof lies in the future by more than clocks differ', async () => {
    later(-16 * MINUTE_MS)
    expect(problemOf(await makeKey()).code).toBe('step-up-required')
    later(2 * MINUTE_MS)
    expect((await makeKey()).status).toBe(201)
  })

  test('another one of the same person changes nothing about it', async () => {
    later(16 * MINUTE_MS)
    const other = await world.signIn(ada.id)
    expect((await makeKey(other)).status).toBe(201)
    expect(problemOf(await makeKey()).code).toBe('step-up-required')
  })

  test('of an account with a second factor needs a proof for what else asks for the password alone', async () => {
    const change = { current_password: PASSWORD, new_password: 'another password' }
    await addApp(world, ada, clock)
    later(16 * MINUTE_MS)
    for (const [url, body] of [
      ['/api/change-password', change],
      ['/api/change-email', { email: 'other@example.net', password: PASSWORD }],
      ['/api/delete-account', { password: PASSWORD }],
    ] as const) {
      const problem = problemOf(await post(url, body))
      expect(problem.code).toBe('step-up-required')
      expect(problem.detail).toContain('your second factor')
    }
    const bob = await world.person(`bob${people}`)
    later(16 * MINUTE_MS)
    expect((await post('/api/change-password', change, bob.headers)).status).toBe(200)
  })
})

describe('POST /api/me/confirm', () => {
  test('with the password, where that is all', async () => {
    later(16 * MINUTE_MS)
    const reply = await confirm({ password: PASSWORD })
    expect(reply.status).toBe(200)
    const { token, confirmed_until } = reply.json<Confirmed>()
    expect(confirmed_until).toBe(new Date(clock.getTime() + 15 * MINUTE_MS).toISOString())
    expect((await makeKey(bearer(token))).status).toBe(201)
  })

  test('the session goes on under another token; the one before is worth nothing', async () => {
    const { token } = (await confirm({ password: PASSWORD })).json<Confirmed>()
    expect(token).toMatch(/^[\w-]{43}$/)
    expect((await me(ada.headers)).status).toBe(401)
    expect((await me(bearer(token))).status).toBe(200)
    const sessions = await call(world.app, 'GET', '/api/me/sessions', { headers: bearer(token) })
    expect(sessions.json()).toHaveLength(1)
  })

  test('a browser’s goes on in its cookie', async () => {
    const login = await call(world.app, 'POST', '/api/login', {
      body: { username_or_email: ada.username, password: PASSWORD },
      headers: { origin: ORIGIN },
    })
    const cookieOf = ({ headers }: typeof login) =>
      String(headers['set-cookie']).split(';', 1)[0] ?? ''
    const before = { cookie: cookieOf(login), origin: ORIGIN }
    const reply = await confirm({ password: PASSWORD }, before)
    expect(reply.json<Confirmed>().token).toBe('session')
    const after = { cookie: cookieOf(reply), origin: ORIGIN }
    expect(after.cookie).not.toBe(before.cookie)
    expect((await me(before)).status).toBe(401)
    expect((await me(after)).status).toBe(200)
  })

  test('a wrong password is a fault of its field, and confirms nothing', async () => {
    later(16 * MINUTE_MS)
    const reply = await confirm({ password: 'wrong password' })
    expect(reply.status).toBe(422)
    expect(problemOf(reply).errors).toEqual([expect.objectContaining({ field: 'password' })])
    expect(problemOf(await makeKey()).code).toBe('step-up-required')
  })

  test('with a code, where there is a second factor; each is taken once', async () => {
    const { secret } = await addApp(world, ada, clock)
    later(16 * MINUTE_MS)
    const code = codeAt(secret, clock)
    const { token } = (await confirm({ code })).json<Confirmed>()
    expect((await makeKey(bearer(token))).status).toBe(201)
    const again = await confirm({ code }, bearer(token))
    expect(again.status).toBe(422)
    expect(problemOf(again).errors).toEqual([
      { field: 'code', message: 'This code is not right, or it was used already.' },
    ])
  })

  test('with a recovery code, once', async () => {
    const { recoveryCodes } = await addApp(world, ada, clock)
    later(16 * MINUTE_MS)
    const [recovery_code] = recoveryCodes
    const { token } = (await confirm({ recovery_code })).json<Confirmed>()
    expect((await makeKey(bearer(token))).status).toBe(201)
    expect(problemOf(await confirm({ recovery_code }, bearer(token))).status).toBe(422)
  })

  test('of five at once with one code one succeeds', async () => {
    const { secret } = await addApp(world, ada, clock)
    const code = codeAt(secret, clock)
    const sessions = await Promise.all(Array.from({ length: 5 }, () => world.signIn(ada.id)))
    const replies = await Promise.all(sessions.map((headers) => confirm({ code }, headers)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 422)).toHaveLength(4)
  })

  test('the password does not do where there is a second factor', async () => {
    const { secret } = await addApp(world, ada, clock)
    for (const body of [
      { password: PASSWORD },
      { password: PASSWORD, code: codeAt(secret, clock) },
    ]) {
      const reply = await confirm(body)
      expect(reply.status).toBe(422)
      expect(problemOf(reply).errors).toEqual([expect.objectContaining({ field: 'password' })])
    }
  })

  test('a code does not do where there is none', async () => {
    expect(problemOf(await confirm({ code: '123456' })).status).toBe(422)
    expect(problemOf(await confirm({})).status).toBe(422)
  })

  test('is for sessions, not for keys or nobody, and not for other sites', async () => {
    const { key } = (await makeKey()).json<ApiKey & { key: string }>()
    const body = { password: PASSWORD }
    expect(problemOf(await confirm(body, bearer(key))).code).toBe('forbidden')
    expect((await confirm(body, {})).status).toBe(401)
    const cookie = `homing_session=${ada.headers['authorization']?.replace('Bearer ', '')}`
    const elsewhere = { cookie, origin: 'https://elsewhere.example' }
    expect(problemOf(await confirm(body, elsewhere)).code).toBe('cross-site')
  })

  test.each([
    { password: '' },
    { password: 7 },
    { password: 'x'.repeat(257) },
    { code: '12345' },
    { password: PASSWORD, confirmed_at: '2099-01-01T00:00:00Z' },
  ])('refuses %j', async (body) => {
    expect((await confirm(body)).status).toBe(422)
  })
})

test('a password does not do when a second factor came while it was looked at', async () => {
  let meanwhile: (() => Promise<unknown>) | undefined
  const passwords = {
    ...argon2Hasher,
    async verify(stored: string, password: string) {
      await meanwhile?.()
      return argon2Hasher.verify(stored, password)
    },
  }
  const slow = await openApiWorld({}, { now: () => clock, passwords })
  try {
    const { app } = slow
    const eve = await slow.person('eve')
    const { headers } = eve
    meanwhile = async () => {
      meanwhile = undefined
      await addApp(slow, eve, clock)
    }
    const reply = await call(app, 'POST', '/api/me/confirm', {
      headers,
      body: { password: PASSWORD },
    })
    expect(reply.status).toBe(422)
    expect((await call(app, 'GET', '/api/me', { headers })).status).toBe(200)
  } finally {
    await slow.end()
  }
})

describe('with limits', () => {
  let limited: ApiWorld
  beforeAll(async () => {
    limited = await openApiWorld({ rateLimits: true }, { now: () => clock })
  })
  afterAll(() => limited.end())

  test('five wrong codes of an account are looked at in five minutes, wherever they are given', async () => {
    const eve = await limited.person('eve')
    const { secret } = await addApp(limited, eve, clock)
    const { headers } = eve
    const wrong = wrongCodeAt(secret, clock)
    const statuses: number[] = []
    for (let n = 0; n < 5; n += 1) {
      const reply = await call(limited.app, 'POST', '/api/me/confirm', {
        headers,
        body: { code: wrong },
      })
      statuses.push(reply.status)
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422])
    const reply = await call(limited.app, 'POST', '/api/me/confirm', {
      headers: await limited.signIn(eve.id),
      body: { code: codeAt(secret, clock) },
    })
    expect(problemOf(reply).code).toBe('rate-limited')
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(200)
    expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(300)
  })

  test('a code that cannot be looked at is no try', async () => {
    const hal = await limited.person('hal')
    const { secret } = await addApp(limited, hal, clock)
    const { headers } = hal
    const [kept] = await query<{ sealed_secret: string }>(
      limited.knex,
      'select sealed_secret from totp_secrets where user_id = ?',
      [hal.id],
    )
    const seal = (text: string) =>
      query(limited.knex, 'update totp_secrets set sealed_secret = ? where user_id = ?', [
        text,
        hal.id,
      ])
    const give = async () => {
      const body = { code: codeAt(secret, clock) }
      return (await call(limited.app, 'POST', '/api/me/confirm', { headers, body })).status
    }
    await seal('v1.of another secret key')
    const seen: number[] = []
    for (let n = 0; n < 7; n += 1) seen.push(await give())
    await seal(kept?.sealed_secret ?? '')
    seen.push(await give())
    expect(seen).toEqual([503, 503, 503, 503, 503, 503, 503, 200])
  })

  test('a right code costs no try, and recovery codes are counted apart', async () => {
    const fay = await limited.person('fay')
    const { secret, recoveryCodes } = await addApp(limited, fay, clock)
    let headers: Headers = fay.headers
    const give = async (body: object) => {
      const reply = await call(limited.app, 'POST', '/api/me/confirm', { headers, body })
      if (reply.status === 200) headers = bearer(reply.json<Confirmed>().token)
      return reply.status
    }
    const wrong = wrongCodeAt(secret, clock)
    const seen = [await give({ code: codeAt(secret, clock, 0) })]
    for (let n = 0; n < 5; n += 1) seen.push(await give({ code: wrong }))
    seen.push(await give({ code: wrong }))
    seen.push(await give({ recovery_code: recoveryCodes[0] }))
    expect(seen).toEqual([200, 422, 422, 422, 422, 422, 429, 200])
  })

  test('many at once cannot pass the limit together, nor does a new process forget', async () => {
    const gus = await limited.person('gus')
    const { secret } = await addApp(limited, gus, clock)
    const code = wrongCodeAt(secret, clock)
    const body = { username_or_email: 'gus', password: PASSWORD }
    const login = await call(limited.app, 'POST', '/api/login', { body })
    const { login_token } = login.json<{ login_token: string }>()
    const replies = await Promise.all(
      Array.from({ length: 12 }, () =>
        call(limited.app, 'POST', '/api/login/second-factor', { body: { login_token, code } }),
      ),
    )
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(7)
    const services = createServices(limited.services)
    const restarted = await buildApp(services)
    try {
      const right = { login_token, code: codeAt(secret, clock) }
      const reply = await call(restarted, 'POST', '/api/login/second-factor', { body: right })
      expect(reply.status).toBe(429)
    } finally {
      await restarted.close()
      await stopServices(services)
    }
  })
})
