/** How a signed-in user proves their identity again. */
import type { ApiKey, Confirmed } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import { type Caller, openApiWorld, PASSWORD } from '../../../test/support/api-world.ts'
import { bearer, call, problemOf } from '../../../test/support/calls.ts'
import { addApp, codeAt } from '../../../test/support/second-factor.ts'
import { useSecondFactorWorld } from '../../../test/support/second-factor-world.ts'
import { argon2Hasher } from '../../credentials/password-hasher.ts'

const MINUTE_MS = 60_000
const HALF_MINUTE_MS = 30_000
const ORIGIN = 'http://localhost:8080'
const t = useSecondFactorWorld()

type Headers = Caller['headers']
const confirm = (body: object, headers?: Headers) => t.post('/api/me/confirm', body, headers)
/** An operation that requires a fresh proof of identity. */
const makeKey = (headers?: Headers) => t.post('/api/api-keys/', { name: 'router' }, headers)

describe('POST /api/me/confirm', () => {
  test('with the password, for accounts without a second factor', async () => {
    t.later(16 * MINUTE_MS)
    const reply = await confirm({ password: PASSWORD })
    expect(reply.status).toBe(200)
    const { token, confirmed_until } = reply.json<Confirmed>()
    expect(confirmed_until).toBe(new Date(t.clock.getTime() + 15 * MINUTE_MS).toISOString())
    expect((await makeKey(bearer(token))).status).toBe(201)
  })

  test('the session continues with another token; the former one ends half a minute later', async () => {
    const { token } = (await confirm({ password: PASSWORD })).json<Confirmed>()
    expect(token).toMatch(/^[\w-]{43}$/)
    t.later(HALF_MINUTE_MS)
    expect((await t.me(t.ada.headers)).status).toBe(401)
    expect((await t.me(bearer(token))).status).toBe(200)
    const sessions = await call(t.world.app, 'GET', '/api/me/sessions', { headers: bearer(token) })
    expect(sessions.json()).toHaveLength(1)
  })

  test('a browser’s session continues with its cookie', async () => {
    const login = await call(t.world.app, 'POST', '/api/login', {
      body: { username_or_email: t.ada.username, password: PASSWORD },
      headers: { origin: ORIGIN },
    })
    const cookieOf = ({ headers }: typeof login) =>
      String(headers['set-cookie']).split(';', 1)[0] ?? ''
    const before = { cookie: cookieOf(login), origin: ORIGIN }
    const reply = await confirm({ password: PASSWORD }, before)
    expect(reply.json<Confirmed>().token).toBe('session')
    const after = { cookie: cookieOf(reply), origin: ORIGIN }
    expect(after.cookie).not.toBe(before.cookie)
    t.later(HALF_MINUTE_MS)
    expect((await t.me(before)).status).toBe(401)
    expect((await t.me(after)).status).toBe(200)
  })

  test('a wrong password is an error of its field, and confirms nothing', async () => {
    t.later(16 * MINUTE_MS)
    const reply = await confirm({ password: 'wrong password' })
    expect(reply.status).toBe(422)
    expect(problemOf(reply).errors).toEqual([expect.objectContaining({ field: 'password' })])
    expect(problemOf(await makeKey()).code).toBe('step-up-required')
  })

  test('with a code, for accounts with a second factor; each works once', async () => {
    const { secret } = await t.addApp()
    t.later(16 * MINUTE_MS)
    const code = codeAt(secret, t.clock)
    const { token } = (await confirm({ code })).json<Confirmed>()
    expect((await makeKey(bearer(token))).status).toBe(201)
    const again = await confirm({ code }, bearer(token))
    expect(again.status).toBe(422)
    expect(problemOf(again).errors).toEqual([
      { field: 'code', message: 'This code is wrong or was already used.' },
    ])
  })

  test('with a recovery code, once', async () => {
    const { recoveryCodes } = await t.addApp()
    t.later(16 * MINUTE_MS)
    const [recovery_code] = recoveryCodes
    const { token } = (await confirm({ recovery_code })).json<Confirmed>()
    expect((await makeKey(bearer(token))).status).toBe(201)
    expect(problemOf(await confirm({ recovery_code }, bearer(token))).status).toBe(422)
  })

  test('of five concurrent calls with one code one succeeds', async () => {
    const { secret } = await t.addApp()
    const code = codeAt(secret, t.clock)
    const sessions = await Promise.all(Array.from({ length: 5 }, () => t.world.signIn(t.ada.id)))
    const replies = await Promise.all(sessions.map((headers) => confirm({ code }, headers)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 422)).toHaveLength(4)
  })

  test('the password is not sufficient with a second factor', async () => {
    const { secret } = await t.addApp()
    for (const body of [
      { password: PASSWORD },
      { password: PASSWORD, code: codeAt(secret, t.clock) },
    ]) {
      const reply = await confirm(body)
      expect(reply.status).toBe(422)
      expect(problemOf(reply).errors).toEqual([expect.objectContaining({ field: 'password' })])
    }
  })

  test('a code is refused without a second factor', async () => {
    expect(problemOf(await confirm({ code: '123456' })).status).toBe(422)
    expect(problemOf(await confirm({})).status).toBe(422)
  })

  test('requires a session, and is refused to keys and other sites', async () => {
    const { key } = (await makeKey()).json<ApiKey & { key: string }>()
    const body = { password: PASSWORD }
    expect(problemOf(await confirm(body, bearer(key))).code).toBe('forbidden')
    expect((await confirm(body, {})).status).toBe(401)
    const cookie = `homing_session=${t.ada.headers['authorization']?.replace('Bearer ', '')}`
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

test('a password is not sufficient when a second factor was added during its evaluation', async () => {
  let meanwhile: (() => Promise<unknown>) | undefined
  const passwords = {
    ...argon2Hasher,
    async verify(stored: string, password: string) {
      await meanwhile?.()
      return argon2Hasher.verify(stored, password)
    },
  }
  const slow = await openApiWorld({}, { now: () => t.clock, passwords })
  try {
    const { app } = slow
    const eve = await slow.person('eve')
    const { headers } = eve
    meanwhile = async () => {
      meanwhile = undefined
      await addApp(slow, eve, t.clock)
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
