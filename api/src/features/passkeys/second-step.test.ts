/** A passkey as the second step of signing in, and for confirming the identity. */
import type {
  Confirmed,
  LoginAttempt,
  Me,
  PasskeyRequest,
  SecondFactorRequired,
} from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import { type Caller, PASSWORD } from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { runJobs } from '../../../test/support/mail.ts'
import { usePasskeyWorld } from '../../../test/support/passkey-world.ts'
import { NOT_ACCEPTED, WRONG } from '../../../test/support/passkeys.ts'
import { query } from '../../database/sql.ts'

const t = usePasskeyWorld()

/** The response to a right password. */
async function loginToken({ username }: Caller): Promise<string> {
  const reply = await t.pages.post('/api/login', {
    username_or_email: username,
    password: PASSWORD,
  })
  return reply.json<SecondFactorRequired>().login_token
}

describe('as the second step', () => {
  test('is offered after a right password', async () => {
    const reply = await t.pages.post('/api/login', {
      username_or_email: t.ada.username,
      password: PASSWORD,
    })
    expect(reply.json()).toMatchObject({
      requires_second_factor: true,
      methods: ['passkey', 'recovery_code'],
    })
    const request = await t.pages.request(reply.json<SecondFactorRequired>().login_token)
    expect(request).toMatchObject({
      userVerification: 'preferred',
      allowCredentials: [{ id: t.key.id, type: 'public-key', transports: ['usb'] }],
    })
  })

  test('signs in, without a PIN and without a name too; the token is used up', async () => {
    const token = await loginToken(t.ada)
    const odd = { loginToken: token, isVerified: false, userHandle: null }
    const reply = await t.pages.signIn(t.key, odd)
    expect([reply.status, await t.whoIs(reply)]).toEqual([200, t.ada.username])
    const again = await t.pages.post('/api/login/passkey/options', { login_token: token })
    expect(problemOf(again).code).toBe('sign-in-expired')
  })

  test.each(WRONG)('with %s is refused, and the token stays valid', async (_, odd) => {
    const token = await loginToken(t.ada)
    const refused = await t.pages.signIn(t.key, { loginToken: token, ...odd })
    expect(problemOf(refused)).toMatchObject(NOT_ACCEPTED)
    expect((await t.pages.signIn(t.key, { loginToken: token })).status).toBe(200)
  })

  test('a passkey of another account gets the response for an unknown one, and is recorded as an attempt', async () => {
    const { authenticator: bobs } = await t.pages.added(t.bob)
    const token = await loginToken(t.ada)
    for (const authenticator of [bobs, t.pages.authenticator()]) {
      const reply = await t.pages.signIn(authenticator, { loginToken: token })
      expect(problemOf(reply)).toMatchObject(NOT_ACCEPTED)
    }
    await t.world.services.loginHistory.flush()
    const failures = (await t.get<LoginAttempt[]>('/api/me/login-history', t.ada)).filter(
      ({ success }) => !success,
    )
    const method = 'password_passkey'
    expect(failures).toMatchObject([{ method }, { method }])
    expect((await t.pages.signIn(t.key, { loginToken: token })).status).toBe(200)
    const [latest] = await t.get<LoginAttempt[]>('/api/me/login-history', t.ada)
    expect(latest).toMatchObject({ success: true, method })
    expect(await t.get('/api/me/login-history', t.bob)).toEqual([])
  })

  test('a response for one sign-in is invalid for another, and on its own', async () => {
    const [one, other] = [await loginToken(t.ada), await loginToken(t.ada)]
    const request = await t.pages.request(one)
    expect(problemOf(await t.pages.send(t.key.get(request), other))).toMatchObject(NOT_ACCEPTED)
    expect(problemOf(await t.pages.send(t.key.get(request)))).toMatchObject(NOT_ACCEPTED)
    const alone = t.key.get(await t.pages.request())
    expect(problemOf(await t.pages.send(alone, one))).toMatchObject(NOT_ACCEPTED)
    expect((await t.pages.send(t.key.get(request), one)).status).toBe(200)
  })

  test('of ten answers to one challenge, one signs in', async () => {
    const token = await loginToken(t.ada)
    const request = await t.pages.request(token)
    const sent = Array.from({ length: 10 }, () => t.pages.send(t.key.get(request), token))
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 401),
    ])
  })

  test('ends when a second factor is added or removed', async () => {
    const token = await loginToken(t.ada)
    const request = await t.pages.request(token)
    await t.pages.added(t.ada)
    const reply = await t.pages.send(t.key.get(request), token)
    expect(problemOf(reply).code).toBe('sign-in-expired')
  })

  test('requires no passkey if the account has none left', async () => {
    const token = await loginToken(t.ada)
    await query(t.world.knex, 'delete from passkeys where user_id = ?', [t.ada.id])
    const reply = await t.pages.post('/api/login/passkey/options', { login_token: token })
    // An empty list would allow any passkey.
    expect(problemOf(reply)).toMatchObject(NOT_ACCEPTED)
  })

  test('a made-up token gets the response for an expired one', async () => {
    for (const login_token of ['x'.repeat(43), '💥']) {
      const start = await t.pages.post('/api/login/passkey/options', { login_token })
      expect(problemOf(start).code).toBe('sign-in-expired')
      const credential = t.key.get(await t.pages.request())
      const end = await t.pages.post('/api/login/passkey', { login_token, credential })
      expect(problemOf(end).code).toBe('sign-in-expired')
    }
  })
})

describe('confirming the identity', () => {
  const OPTIONS = '/api/me/confirm/passkey/options'
  const CONFIRM = '/api/me/confirm/passkey'
  const ask = async (person: Pick<Caller, 'headers'>) =>
    (await t.pages.post(OPTIONS, undefined, person)).json<PasskeyRequest>()
  const isOpen = async (person: Pick<Caller, 'headers'>) =>
    (await t.pages.start(person)).status === 200

  test('allows dangerous operations for 15 minutes, with a new token', async () => {
    t.clock = new Date(t.clock.getTime() + 16 * 60_000)
    expect(await isOpen(t.ada)).toBe(false)
    const request = await ask(t.ada)
    expect(request).toMatchObject({
      userVerification: 'preferred',
      allowCredentials: [{ id: t.key.id }],
    })
    const reply = await t.pages.post(CONFIRM, { credential: t.key.get(request) }, t.ada)
    expect(reply.status).toBe(200)
    const { token, confirmed_until } = reply.json<Confirmed>()
    expect(confirmed_until).toBe(new Date(t.clock.getTime() + 15 * 60_000).toISOString())
    const renewed = { headers: { authorization: `Bearer ${token}` } }
    expect([await isOpen(renewed), await isOpen(t.ada)]).toEqual([true, false])
    t.clock = new Date(t.clock.getTime() + 15 * 60_000 + 1)
    expect(await isOpen(renewed)).toBe(false)
  })

  test('also renews a browser’s cookie', async () => {
    const token = t.ada.headers['authorization']?.replace('Bearer ', '') ?? ''
    const headers = { cookie: `homing_session=${token}`, origin: 'http://localhost:8080' }
    const reply = await t.pages.post(
      CONFIRM,
      { credential: t.key.get(await ask({ headers })) },
      { headers },
    )
    expect(reply.json<Confirmed>().token).toBe('session')
    const cookie = /^homing_session=[\w-]{43}/.exec(String(reply.headers['set-cookie']))?.[0] ?? ''
    expect((await t.get<Me>('/api/me', { headers: { cookie } })).username).toBe(t.ada.username)
    t.clock = new Date(t.clock.getTime() + 30_000)
    expect((await call(t.world.app, 'GET', '/api/me', { headers })).status).toBe(401)
  })

  test('accepts no passkey of another account, no wrong response, and none twice', async () => {
    const { authenticator: bobs } = await t.pages.added(t.bob)
    const refused = async (credential: unknown) => {
      const reply = await t.pages.post(CONFIRM, { credential }, t.ada)
      return [reply.status, problemOf(reply).errors?.[0]?.field]
    }
    expect(await refused(bobs.get(await ask(t.ada)))).toEqual([422, 'credential'])
    for (const [, odd] of WRONG) {
      expect(await refused(t.key.get(await ask(t.ada), odd))).toEqual([422, 'credential'])
    }
    expect(await refused(t.key.get(await t.pages.request()))).toEqual([422, 'credential'])
    const request = await ask(t.ada)
    const elsewhere = { headers: await t.world.signIn(t.ada.id) }
    const answer = { credential: t.key.get(request) }
    expect((await t.pages.post(CONFIRM, answer, elsewhere)).status).toBe(422)
    expect((await t.pages.post(CONFIRM, answer, t.ada)).status).toBe(200)
    expect((await t.pages.post(CONFIRM, answer, t.ada)).status).toBe(422)
  })

  test('refuses a possible copy, and says so', async () => {
    const reply = await t.pages.post(
      CONFIRM,
      { credential: t.key.get(await ask(t.ada), { signCount: 1 }) },
      t.ada,
    )
    const problem = problemOf(reply)
    expect(problem.code).toBe('validation-failed')
    expect(problem.detail).toContain('A copy of this passkey may exist')
    await runJobs(t.world.services, t.mailer)
    expect(t.mailer.sent.map(({ subject }) => subject)).toEqual([
      expect.stringContaining('A passkey of your account was refused'),
    ])
  })

  test('is refused for accounts without passkeys', async () => {
    expect(problemOf(await t.pages.post(OPTIONS, undefined, t.bob)).code).toBe('conflict')
  })
})
