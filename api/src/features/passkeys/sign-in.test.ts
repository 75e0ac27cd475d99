/** Signing in by a passkey, as the second step or alone, and confirming by one. */
import type {
  Confirmed,
  LoginAttempt,
  Me,
  PasskeyRequest,
  SecondFactorRequired,
  SignedIn,
} from '@homing/openapi'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type ApiWorld,
  type Caller,
  openApiWorld,
  PASSWORD,
} from '../../../test/support/api-world.ts'
import type { Authenticator, Oddity } from '../../../test/support/authenticator.ts'
import { call, problemOf, type Reply } from '../../../test/support/calls.ts'
import { KeepingMailer, runJobs } from '../../../test/support/mail.ts'
import { PasskeyPages } from '../../../test/support/passkeys.ts'
import { query } from '../../sql.ts'

let world: ApiWorld
let pages: PasskeyPages
let clock = new Date()
let ada: Caller
let bob: Caller
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
  bob = await world.person(`bob${people}`, 'free')
  key = (await pages.added(ada)).authenticator
  await runJobs(world.services, mailer)
  mailer.close()
})

const NOT_ACCEPTED = {
  status: 401,
  code: 'wrong-credentials',
  detail: 'This passkey was not accepted. Please try again.',
}

const get = <T>(url: string, { headers }: Pick<Caller, 'headers'>) =>
  call(world.app, 'GET', url, { headers }).then((reply) => reply.json<T>())
const whoIs = async (reply: Reply) => {
  const headers = { authorization: `Bearer ${reply.json<SignedIn>().token}` }
  return (await get<Me>('/api/me', { headers })).username
}

/** What a right password gets. */
async function loginToken({ username }: Caller): Promise<string> {
  const reply = await pages.post('/api/login', { username_or_email: username, password: PASSWORD })
  return reply.json<SecondFactorRequired>().login_token
}

/** Everything that makes an answer of an authenticator worthless. */
const WRONG: readonly (readonly [string, Oddity])[] = [
  ['a page elsewhere', { origin: 'https://evil.test' }],
  ['a page of the same host at another port', { origin: 'http://localhost:1' }],
  ['another service', { rpId: 'evil.test' }],
  ['a challenge that nobody made', { challenge: randomBytes(32).toString('base64url') }],
  ['another ceremony', { type: 'webauthn.create' }],
  ['a frame of another site', { crossOrigin: true }],
  ['nobody who touched it', { isPresent: false }],
  ['a name of somebody else', { userHandle: 'c29tZWJvZHk' }],
]

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

describe('as the second step', () => {
  test('is what a right password is told to go on with', async () => {
    const reply = await pages.post('/api/login', {
      username_or_email: ada.username,
      password: PASSWORD,
    })
    expect(reply.json()).toMatchObject({
      requires_second_factor: true,
      methods: ['passkey', 'recovery_code'],
    })
    const request = await pages.request(reply.json<SecondFactorRequired>().login_token)
    expect(request).toMatchObject({
      userVerification: 'preferred',
      allowCredentials: [{ id: key.id, type: 'public-key', transports: ['usb'] }],
    })
  })

  test('signs in, without a PIN and without a name too; the token is used up', async () => {
    const token = await loginToken(ada)
    const odd = { loginToken: token, isVerified: false, userHandle: null }
    const reply = await pages.signIn(key, odd)
    expect([reply.status, await whoIs(reply)]).toEqual([200, ada.username])
    const again = await pages.post('/api/login/passkey/options', { login_token: token })
    expect(problemOf(again).code).toBe('sign-in-expired')
  })

  test.each(WRONG)('with %s is refused, and the token stays good', async (_, odd) => {
    const token = await loginToken(ada)
    const refused = await pages.signIn(key, { loginToken: token, ...odd })
    expect(problemOf(refused)).toMatchObject(NOT_ACCEPTED)
    expect((await pages.signIn(key, { loginToken: token })).status).toBe(200)
  })

  test('somebody else’s passkey is as one that nobody has, and is noted as a try', async () => {
    const { authenticator: bobs } = await pages.added(bob)
    const token = await loginToken(ada)
    for (const authenticator of [bobs, pages.authenticator()]) {
      const reply = await pages.signIn(authenticator, { loginToken: token })
      expect(problemOf(reply)).toMatchObject(NOT_ACCEPTED)
    }
    await world.services.loginHistory.flush()
    const failures = (await get<LoginAttempt[]>('/api/me/login-history', ada)).filter(
      ({ success }) => !success,
    )
    expect(failures).toHaveLength(2)
    expect(await get('/api/me/login-history', bob)).toEqual([])
  })

  test('an answer of one sign-in is worth nothing for another, and nothing alone', async () => {
    const [one, other] = [await loginToken(ada), await loginToken(ada)]
    const request = await pages.request(one)
    expect(problemOf(await pages.send(key.get(request), other))).toMatchObject(NOT_ACCEPTED)
    expect(problemOf(await pages.send(key.get(request)))).toMatchObject(NOT_ACCEPTED)
    const alone = key.get(await pages.request())
    expect(problemOf(await pages.send(alone, one))).toMatchObject(NOT_ACCEPTED)
    expect((await pages.send(key.get(request), one)).status).toBe(200)
  })

  test('of ten answers to one challenge, one signs in', async () => {
    const token = await loginToken(ada)
    const request = await pages.request(token)
    const sent = Array.from({ length: 10 }, () => pages.send(key.get(request), token))
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 401),
    ])
  })

  test('ends when another second factor comes or goes', async () => {
    const token = await loginToken(ada)
    const request = await pages.request(token)
    await pages.added(ada)
    const reply = await pages.send(key.get(request), token)
    expect(problemOf(reply).code).toBe('sign-in-expired')
  })

  test('asks for no passkey at all where the account has none left', async () => {
    const token = await loginToken(ada)
    await query(world.knex, 'delete from passkeys where user_id = ?', [ada.id])
    const reply = await pages.post('/api/login/passkey/options', { login_token: token })
    // An empty list would be taken for any passkey.
    expect(problemOf(reply)).toMatchObject(NOT_ACCEPTED)
  })

  test('a made-up token is told as one that has expired', async () => {
    for (const login_token of ['x'.repeat(43), '💥']) {
      const start = await pages.post('/api/login/passkey/options', { login_token })
      expect(problemOf(start).code).toBe('sign-in-expired')
      const credential = key.get(await pages.request())
      const end = await pages.post('/api/login/passkey', { login_token, credential })
      expect(problemOf(end).code).toBe('sign-in-expired')
    }
  })
})

describe('confirming who one is', () => {
  const OPTIONS = '/api/me/confirm/passkey/options'
  const CONFIRM = '/api/me/confirm/passkey'
  const ask = async (person: Pick<Caller, 'headers'>) =>
    (await pages.post(OPTIONS, undefined, person)).json<PasskeyRequest>()
  const isOpen = async (person: Pick<Caller, 'headers'>) =>
    (await pages.start(person)).status === 200

  test('opens what is dangerous for 15 minutes, under a new token', async () => {
    clock = new Date(clock.getTime() + 16 * 60_000)
    expect(await isOpen(ada)).toBe(false)
    const request = await ask(ada)
    expect(request).toMatchObject({
      userVerification: 'preferred',
      allowCredentials: [{ id: key.id }],
    })
    const reply = await pages.post(CONFIRM, { credential: key.get(request) }, ada)
    expect(reply.status).toBe(200)
    const { token, confirmed_until } = reply.json<Confirmed>()
    expect(confirmed_until).toBe(new Date(clock.getTime() + 15 * 60_000).toISOString())
    const renewed = { headers: { authorization: `Bearer ${token}` } }
    expect([await isOpen(renewed), await isOpen(ada)]).toEqual([true, false])
    clock = new Date(clock.getTime() + 15 * 60_000 + 1)
    expect(await isOpen(renewed)).toBe(false)
  })

  test('a browser’s cookie follows', async () => {
    const token = ada.headers['authorization']?.replace('Bearer ', '') ?? ''
    const headers = { cookie: `homing_session=${token}`, origin: 'http://localhost:8080' }
    const reply = await pages.post(
      CONFIRM,
      { credential: key.get(await ask({ headers })) },
      { headers },
    )
    expect(reply.json<Confirmed>().token).toBe('session')
    const cookie = /^homing_session=[\w-]{43}/.exec(String(reply.headers['set-cookie']))?.[0] ?? ''
    expect((await get<Me>('/api/me', { headers: { cookie } })).username).toBe(ada.username)
    expect((await call(world.app, 'GET', '/api/me', { headers })).status).toBe(401)
  })

  test('takes no passkey of somebody else, no wrong answer, and none twice', async () => {
    const { authenticator: bobs } = await pages.added(bob)
    const refused = async (credential: unknown) => {
      const reply = await pages.post(CONFIRM, { credential }, ada)
      return [reply.status, problemOf(reply).errors?.[0]?.field]
    }
    expect(await refused(bobs.get(await ask(ada)))).toEqual([422, 'credential'])
    for (const [, odd] of WRONG) {
      expect(await refused(key.get(await ask(ada), odd))).toEqual([422, 'credential'])
    }
    expect(await refused(key.get(await pages.request()))).toEqual([422, 'credential'])
    const request = await ask(ada)
    const elsewhere = { headers: await world.signIn(ada.id) }
    const answer = { credential: key.get(request) }
    expect((await pages.post(CONFIRM, answer, elsewhere)).status).toBe(422)
    expect((await pages.post(CONFIRM, answer, ada)).status).toBe(200)
    expect((await pages.post(CONFIRM, answer, ada)).status).toBe(401)
  })

  test('refuses what may be a copy, and says so', async () => {
    const reply = await pages.post(
      CONFIRM,
      { credential: key.get(await ask(ada), { signCount: 1 }) },
      ada,
    )
    const problem = problemOf(reply)
    expect(problem.code).toBe('validation-failed')
    expect(problem.detail).toContain('there may be a copy of it')
    await runJobs(world.services, mailer)
    expect(mailer.sent.map(({ subject }) => subject)).toEqual([
      expect.stringContaining('A passkey of your account was refused'),
    ])
  })

  test('is nothing for an account without passkeys', async () => {
    expect(problemOf(await pages.post(OPTIONS, undefined, bob)).code).toBe('conflict')
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
