/** A passkey as the second step of signing in, and confirming by one. */
import type {
  Confirmed,
  LoginAttempt,
  Me,
  PasskeyRequest,
  SecondFactorRequired,
  SignedIn,
} from '@homing/openapi'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type ApiWorld,
  type Caller,
  openApiWorld,
  PASSWORD,
} from '../../../test/support/api-world.ts'
import type { Authenticator } from '../../../test/support/authenticator.ts'
import { call, problemOf, type Reply } from '../../../test/support/calls.ts'
import { KeepingMailer, runJobs } from '../../../test/support/mail.ts'
import { NOT_ACCEPTED, PasskeyPages, WRONG } from '../../../test/support/passkeys.ts'
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
