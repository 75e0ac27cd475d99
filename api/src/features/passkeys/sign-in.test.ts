/** Signing in by a passkey alone. */
import type { LoginAttempt, Me, PasskeyRequest, SignedIn } from '@homing/openapi'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../../../test/support/api-world.ts'
import type { Authenticator } from '../../../test/support/authenticator.ts'
import { call, problemOf, type Reply } from '../../../test/support/calls.ts'
import { KeepingMailer, runJobs } from '../../../test/support/mail.ts'
import { NOT_ACCEPTED, PasskeyPages, WRONG } from '../../../test/support/passkeys.ts'
import { query } from '../../sql.ts'

let world: ApiWorld
let pages: PasskeyPages
let clock = new Date()
let ada: Caller
let key: Authenticator
let people = 0
const mailer = new KeepingMailer()

beforeAll(async () => {
  world = await openApiWorld({}, { now: () => clock })
  pages = new PasskeyPages(world)
})
afterAll(() => world.end())
beforeEach(async () => {
  people += 1
  clock = new Date()
  ada = await world.person(`ada${people}`, 'free')
  key = (await pages.added(ada)).authenticator
  await runJobs(world.services, mailer)
  mailer.close()
})

const get = <T>(url: string, { headers }: Pick<Caller, 'headers'>) =>
  call(world.app, 'GET', url, { headers }).then((reply) => reply.json<T>())
const whoIs = async (reply: Reply) => {
  const headers = { authorization: `Bearer ${reply.json<SignedIn>().token}` }
  return (await get<Me>('/api/me', { headers })).username
}

describe('without a password', () => {
  test('asks for any passkey of this service, and for who uses it', async () => {
    const reply = await call(world.app, 'POST', '/api/login/passkey/options', {
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

  test('signs in whose passkey it is, and notes that it was used', async () => {
    const reply = await pages.signIn(key)
    expect([reply.status, await whoIs(reply)]).toEqual([200, ada.username])
    const [passkey] = await pages.list({
      headers: { authorization: `Bearer ${reply.json<SignedIn>().token}` },
    })
    expect(passkey?.last_used_at).toBe(clock.toISOString())
    const history = await get<LoginAttempt[]>('/api/me/login-history', ada)
    expect(history.map(({ success }) => success)).toEqual([true])
  })

  test('a browser gets a cookie that opens the account', async () => {
    const headers = { origin: 'http://localhost:8080', host: 'localhost:8080' }
    const options = await pages.post('/api/login/passkey/options', {}, { headers })
    const credential = key.get(options.json<PasskeyRequest>())
    const reply = await pages.post('/api/login/passkey', { credential }, { headers })
    expect(reply.json<SignedIn>().token).toBe('session')
    const cookie = String(reply.headers['set-cookie'])
    expect(cookie).toMatch(/^homing_session=[\w-]{43}; .*HttpOnly; SameSite=Lax$/)
    const me = await get<Me>('/api/me', { headers: { cookie: cookie.split(';')[0] ?? '' } })
    expect(me.username).toBe(ada.username)
  })

  test('a page of another site gets nothing', async () => {
    const headers = { origin: 'https://evil.test' }
    const credential = key.get(await pages.request())
    for (const [url, body] of [
      ['/api/login/passkey/options', {}],
      ['/api/login/passkey', { credential }],
    ] as const) {
      const reply = await pages.post(url, body, { headers })
      expect(problemOf(reply).code).toBe('cross-site')
      expect(reply.headers['set-cookie']).toBeUndefined()
    }
    expect((await pages.send(credential)).status).toBe(200)
  })

  test.each(WRONG)('with %s is refused', async (_, odd) => {
    expect(problemOf(await pages.signIn(key, odd))).toMatchObject(NOT_ACCEPTED)
  })

  test('with an authenticator that asked for no PIN is refused', async () => {
    expect(problemOf(await pages.signIn(key, { isVerified: false }))).toMatchObject(NOT_ACCEPTED)
  })

  test('with one that does not say whose it is, is refused', async () => {
    for (const userHandle of [null, '']) {
      expect(problemOf(await pages.signIn(key, { userHandle }))).toMatchObject(NOT_ACCEPTED)
    }
  })

  test('with a passkey that nobody has, and with a signature of another one, is refused', async () => {
    const stranger = pages.authenticator()
    // It learns whose passkeys it shall look like.
    stranger.create(await pages.creation(ada))
    const request = await pages.request()
    const forged = { ...stranger.get(request), id: key.id, rawId: key.id }
    expect(problemOf(await pages.send(forged))).toMatchObject(NOT_ACCEPTED)
    expect(problemOf(await pages.signIn(stranger))).toMatchObject(NOT_ACCEPTED)
  })

  test('with a passkey that was removed, is refused', async () => {
    const { authenticator, passkey } = await pages.added(ada)
    await call(world.app, 'DELETE', `/api/me/passkeys/${passkey.id}`, { headers: ada.headers })
    expect(problemOf(await pages.signIn(authenticator))).toMatchObject(NOT_ACCEPTED)
  })

  test('an answer is taken once, of ten at the same moment too', async () => {
    const credential = key.get(await pages.request())
    const sent = await Promise.all(Array.from({ length: 10 }, () => pages.send(credential)))
    const statuses = sent.map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 401),
    ])
    expect(problemOf(await pages.send(credential))).toMatchObject(NOT_ACCEPTED)
  })

  test('a wrong answer uses its challenge up', async () => {
    const request = await pages.request()
    await pages.send(key.get(request, { origin: 'https://evil.test' }))
    expect(problemOf(await pages.send(key.get(request)))).toMatchObject(NOT_ACCEPTED)
  })

  test('an answer counts for five minutes', async () => {
    const requests = [await pages.request(), await pages.request()]
    const [first, second] = requests.map((request) => key.get(request))
    if (first === undefined || second === undefined) throw new Error('there are two')
    clock = new Date(clock.getTime() + 299_999)
    expect((await pages.send(first)).status).toBe(200)
    clock = new Date(clock.getTime() + 1)
    expect(problemOf(await pages.send(second))).toMatchObject(NOT_ACCEPTED)
  })

  test.each([
    ['a banned account', 'enabled = false', 'account-disabled'],
    ['a disabled one', `account_type = 'disabled'`, 'account-disabled'],
    ['one whose address is not verified', 'email_verified_at = null', 'email-not-verified'],
  ])('%s is told why, but only to whoever has its passkey', async (_, change, code) => {
    await query(world.knex, `update users set ${change} where id = ?`, [ada.id])
    expect(problemOf(await pages.signIn(key)).code).toBe(code)
    const refused = await pages.signIn(key, { isVerified: false })
    expect(problemOf(refused)).toMatchObject(NOT_ACCEPTED)
  })

  test('keeps an account that was to be deleted, and none whose time is over', async () => {
    await query(world.knex, 'update users set deletion_due_at = ? where id = ?', [
      new Date(clock.getTime() + 1_000),
      ada.id,
    ])
    expect((await pages.signIn(key)).status).toBe(200)
    await query(world.knex, 'update users set deletion_due_at = ? where id = ?', [clock, ada.id])
    expect(problemOf(await pages.signIn(key))).toMatchObject(NOT_ACCEPTED)
  })
})

describe('how often it has signed', () => {
  test('must rise; less is refused, told and mailed', async () => {
    expect((await pages.signIn(key)).status).toBe(200)
    for (const signCount of [key.signCount, 1, 0]) {
      const problem = problemOf(await pages.signIn(key, { signCount }))
      expect(problem.code).toBe('wrong-credentials')
      expect(problem.detail).toContain('there may be a copy of it')
    }
    await runJobs(world.services, mailer)
    const told = mailer.sent.filter(({ subject }) => subject.endsWith('was refused'))
    expect(told.map(({ to }) => to)).toEqual(Array(3).fill(`${ada.username}@mail.test`))
    await world.services.loginHistory.flush()
    const history = await get<LoginAttempt[]>('/api/me/login-history', ada)
    expect(history.filter(({ success }) => !success)).toHaveLength(3)
    expect((await pages.signIn(key, { signCount: 100 })).status).toBe(200)
  })

  test('of two answers with one count, one signs in', async () => {
    const requests = await Promise.all([pages.request(), pages.request(), pages.request()])
    const answers = requests.map((request) => key.get(request, { signCount: 50 }))
    const statuses = (await Promise.all(answers.map((answer) => pages.send(answer)))).map(
      ({ status }) => status,
    )
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401, 401])
  })

  test('means nothing where the authenticator does not count', async () => {
    const { authenticator } = await pages.added(ada, { isSynced: true })
    for (let n = 0; n < 3; n += 1) {
      expect((await pages.signIn(authenticator, { signCount: 0 })).status).toBe(200)
    }
  })
})

test('a network begins 300 times an hour', async () => {
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
