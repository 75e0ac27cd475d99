/** Signing in with only a passkey. */
import type { LoginAttempt, Me, PasskeyRequest, SignedIn } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import { openApiWorld } from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { runJobs } from '../../../test/support/mail.ts'
import { usePasskeyWorld } from '../../../test/support/passkey-world.ts'
import { NOT_ACCEPTED, WRONG } from '../../../test/support/passkeys.ts'
import { query } from '../../database/sql.ts'

const t = usePasskeyWorld()

describe('without a password', () => {
  test('allows any passkey of this service, and requires user verification', async () => {
    const reply = await call(t.world.app, 'POST', '/api/login/passkey/options', {
      body: {},
      headers: { host: 'evil.test' },
    })
    expect(reply.headers['cache-control']).toBe('no-store')
    const { challenge, ...rest } = reply.json<PasskeyRequest>()
    expect(Buffer.from(challenge, 'base64url')).toHaveLength(32)
    expect(rest).toEqual({
      rpId: 'localhost',
      timeout: 300_000,
      userVerification: 'required',
      allowCredentials: [],
    })
  })

  test('signs in the passkey’s owner, and records the use', async () => {
    const reply = await t.pages.signIn(t.key)
    expect([reply.status, await t.whoIs(reply)]).toEqual([200, t.ada.username])
    const [passkey] = await t.pages.list({
      headers: { authorization: `Bearer ${reply.json<SignedIn>().token}` },
    })
    expect(passkey?.last_used_at).toBe(t.clock.toISOString())
    const history = await t.get<LoginAttempt[]>('/api/me/login-history', t.ada)
    expect(history.map(({ success }) => success)).toEqual([true])
  })

  test('a browser gets a cookie that opens the account', async () => {
    const headers = { origin: 'http://localhost:8080', host: 'localhost:8080' }
    const options = await t.pages.post('/api/login/passkey/options', {}, { headers })
    const credential = t.key.get(options.json<PasskeyRequest>())
    const reply = await t.pages.post('/api/login/passkey', { credential }, { headers })
    expect(reply.json<SignedIn>().token).toBe('session')
    const cookie = String(reply.headers['set-cookie'])
    expect(cookie).toMatch(/^homing_session=[\w-]{43}; .*HttpOnly; SameSite=Lax$/)
    const me = await t.get<Me>('/api/me', { headers: { cookie: cookie.split(';')[0] ?? '' } })
    expect(me.username).toBe(t.ada.username)
  })

  test('a page of another site gets nothing', async () => {
    const headers = { origin: 'https://evil.test' }
    const credential = t.key.get(await t.pages.request())
    for (const [url, body] of [
      ['/api/login/passkey/options', {}],
      ['/api/login/passkey', { credential }],
    ] as const) {
      const reply = await t.pages.post(url, body, { headers })
      expect(problemOf(reply).code).toBe('cross-site')
      expect(reply.headers['set-cookie']).toBeUndefined()
    }
    expect((await t.pages.send(credential)).status).toBe(200)
  })

  test.each(WRONG)('with %s is refused', async (_, odd) => {
    expect(problemOf(await t.pages.signIn(t.key, odd))).toMatchObject(NOT_ACCEPTED)
  })

  test('with an authenticator that did not verify the user is refused', async () => {
    expect(problemOf(await t.pages.signIn(t.key, { isVerified: false }))).toMatchObject(
      NOT_ACCEPTED,
    )
  })

  test('without a user handle is refused', async () => {
    for (const userHandle of [null, '']) {
      expect(problemOf(await t.pages.signIn(t.key, { userHandle }))).toMatchObject(NOT_ACCEPTED)
    }
  })

  test('with an unknown passkey, and with a signature of another one, is refused', async () => {
    const stranger = t.pages.authenticator()
    // It creates a passkey of Ada's, which the service never receives.
    stranger.create(await t.pages.creation(t.ada))
    const request = await t.pages.request()
    const forged = { ...stranger.get(request), id: t.key.id, rawId: t.key.id }
    expect(problemOf(await t.pages.send(forged))).toMatchObject(NOT_ACCEPTED)
    expect(problemOf(await t.pages.signIn(stranger))).toMatchObject(NOT_ACCEPTED)
  })

  test('with a removed passkey is refused', async () => {
    const { authenticator, passkey } = await t.pages.added(t.ada)
    await t.remove(passkey.id)
    expect(problemOf(await t.pages.signIn(authenticator))).toMatchObject(NOT_ACCEPTED)
  })

  test('a response is accepted once, also of ten concurrent calls', async () => {
    const credential = t.key.get(await t.pages.request())
    const sent = await Promise.all(Array.from({ length: 10 }, () => t.pages.send(credential)))
    const statuses = sent.map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 401),
    ])
    expect(problemOf(await t.pages.send(credential))).toMatchObject(NOT_ACCEPTED)
  })

  test('a wrong response uses its challenge up', async () => {
    const request = await t.pages.request()
    await t.pages.send(t.key.get(request, { origin: 'https://evil.test' }))
    expect(problemOf(await t.pages.send(t.key.get(request)))).toMatchObject(NOT_ACCEPTED)
  })

  test('a response is valid for five minutes', async () => {
    const requests = [await t.pages.request(), await t.pages.request()]
    const [first, second] = requests.map((request) => t.key.get(request))
    if (first === undefined || second === undefined) throw new Error('there are two')
    t.clock = new Date(t.clock.getTime() + 299_999)
    expect((await t.pages.send(first)).status).toBe(200)
    t.clock = new Date(t.clock.getTime() + 1)
    expect(problemOf(await t.pages.send(second))).toMatchObject(NOT_ACCEPTED)
  })

  test.each([
    ['a banned account', 'enabled = false', 'account-disabled'],
    ['a disabled one', `account_type = 'disabled'`, 'account-disabled'],
    ['one whose address is not verified', 'email_verified_at = null', 'email-not-verified'],
  ])('%s gets the reason, but only with its passkey', async (_, change, code) => {
    await query(t.world.knex, `update users set ${change} where id = ?`, [t.ada.id])
    expect(problemOf(await t.pages.signIn(t.key)).code).toBe(code)
    const refused = await t.pages.signIn(t.key, { isVerified: false })
    expect(problemOf(refused)).toMatchObject(NOT_ACCEPTED)
  })

  test('keeps an account that was to be deleted, unless the deletion is due', async () => {
    await query(t.world.knex, 'update users set deletion_due_at = ? where id = ?', [
      new Date(t.clock.getTime() + 1_000),
      t.ada.id,
    ])
    expect((await t.pages.signIn(t.key)).status).toBe(200)
    await query(t.world.knex, 'update users set deletion_due_at = ? where id = ?', [
      t.clock,
      t.ada.id,
    ])
    expect(problemOf(await t.pages.signIn(t.key))).toMatchObject(NOT_ACCEPTED)
  })
})

describe('the signature counter', () => {
  test('must rise; a lower value is refused, reported and mailed', async () => {
    expect((await t.pages.signIn(t.key)).status).toBe(200)
    for (const signCount of [t.key.signCount, 1, 0]) {
      const problem = problemOf(await t.pages.signIn(t.key, { signCount }))
      expect(problem.code).toBe('wrong-credentials')
      expect(problem.detail).toContain('A copy of this passkey may exist')
    }
    await runJobs(t.world.services, t.mailer)
    const told = t.mailer.sent.filter(({ subject }) => subject.endsWith('was refused'))
    expect(told.map(({ to }) => to)).toEqual(Array(3).fill(`${t.ada.username}@mail.test`))
    await t.world.services.loginHistory.flush()
    const history = await t.get<LoginAttempt[]>('/api/me/login-history', t.ada)
    expect(history.filter(({ success }) => !success)).toHaveLength(3)
    expect(new Set(history.map(({ method }) => method))).toEqual(new Set(['passkey']))
    expect((await t.pages.signIn(t.key, { signCount: 100 })).status).toBe(200)
  })

  test('of two responses with one counter, one signs in', async () => {
    const requests = await Promise.all([t.pages.request(), t.pages.request(), t.pages.request()])
    const answers = requests.map((request) => t.key.get(request, { signCount: 50 }))
    const statuses = (await Promise.all(answers.map((answer) => t.pages.send(answer)))).map(
      ({ status }) => status,
    )
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401, 401])
  })

  test('is ignored if the authenticator does not count', async () => {
    const { authenticator } = await t.pages.added(t.ada, { isSynced: true })
    for (let n = 0; n < 3; n += 1) {
      expect((await t.pages.signIn(authenticator, { signCount: 0 })).status).toBe(200)
    }
  })
})

test('a network can begin 300 times an hour', async () => {
  const limited = await openApiWorld({ rateLimits: true })
  try {
    const ask = (ip: string) =>
      call(limited.app, 'POST', '/api/login/passkey/options', { body: {}, ip })
    await query(
      limited.knex,
      `update rate_limits set points = 300 where key like 'passkey-network:%'`,
    )
    expect((await ask('192.0.2.9')).status).toBe(200)
    await query(
      limited.knex,
      `update rate_limits set points = 300 where key like 'passkey-network:%'`,
    )
    expect(problemOf(await ask('192.0.2.9')).code).toBe('rate-limited')
    expect((await ask('198.51.100.9')).status).toBe(200)
  } finally {
    await limited.end()
  }
})
