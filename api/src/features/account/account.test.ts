import type { LoginAttempt, Me, Session, SignedIn } from '@homing/openapi'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type ApiWorld,
  type Caller,
  openApiWorld,
  PASSWORD,
} from '../../../test/support/api-world.ts'
import { call, type Method, problemOf } from '../../../test/support/calls.ts'
import { KeepingMailer, linkTokenOf, runJobs } from '../../../test/support/mail.ts'
import { query } from '../../sql.ts'

const DAY_MS = 86_400_000
const NEW_PASSWORD = 'a password of her own'
const mailer = new KeepingMailer()
let world: ApiWorld
let clock = new Date()
let people = 0
let ada: Caller
let bob: Caller

beforeAll(async () => {
  const countryOf = async (ip: string) => (ip === '192.0.2.7' ? 'SE' : null)
  world = await openApiWorld({}, { now: () => clock, countryOf })
})
afterAll(() => world.end())
beforeEach(async () => {
  people += 1
  clock = new Date()
  ada = await world.person(`ada${people}`)
  bob = await world.person(`bob${people}`)
  mailer.sent.length = 0
  await query(world.knex, 'delete from pgboss.job')
})

type Headers = Caller['headers']
const as = (headers: Headers, method: Method, url: string, body?: unknown) =>
  call(world.app, method, url, { headers, ...(body === undefined ? {} : { body }) })
const login = (fields: object = {}, headers: Headers = {}) =>
  call(world.app, 'POST', '/api/login', {
    headers,
    body: { username_or_email: ada.username, password: PASSWORD, ...fields },
  })
const isSignedIn = async (headers: Headers) => (await as(headers, 'GET', '/api/me')).status === 200
const sessionsOf = async (headers: Headers) =>
  (await as(headers, 'GET', '/api/me/sessions')).json<Session[]>()
async function loginsOf(headers: Headers): Promise<LoginAttempt[]> {
  await world.services.loginHistory.flush()
  return (await as(headers, 'GET', '/api/me/login-history')).json<LoginAttempt[]>()
}

interface Route {
  readonly method: Method
  readonly url: string
  readonly body?: object
}

const ROUTES: readonly Route[] = [
  { method: 'PUT', url: '/api/profile', body: { given_name: 'Ada' } },
  {
    method: 'POST',
    url: '/api/change-password',
    body: { current_password: PASSWORD, new_password: NEW_PASSWORD },
  },
  { method: 'GET', url: '/api/me/sessions' },
  { method: 'DELETE', url: '/api/me/sessions' },
  { method: 'DELETE', url: '/api/me/sessions/1' },
  { method: 'GET', url: '/api/me/login-history' },
]

describe.each(ROUTES)('$method $url', ({ method, url, body }) => {
  test('is for people who are signed in', async () => {
    expect(problemOf(await as({}, method, url, body)).code).toBe('unauthenticated')
    const stranger = { authorization: `Bearer ${'x'.repeat(43)}` }
    expect(problemOf(await as(stranger, method, url, body)).code).toBe('unauthenticated')
  })

  test('is not for API keys', async () => {
    const made = await as(ada.headers, 'POST', '/api/api-keys', { name: 'all' })
    const key = { authorization: `Bearer ${made.json<{ key: string }>().key}` }
    expect(problemOf(await as(key, method, url, body)).code).toBe('forbidden')
  })

  test('is not for accounts that are disabled', async () => {
    await query(world.knex, 'update users set enabled = false where id = ?', [ada.id])
    expect(problemOf(await as(ada.headers, method, url, body)).code).toBe('account-disabled')
  })
})

test.each(ROUTES.filter(({ method }) => method !== 'GET'))(
  '$method $url is not for other sites',
  async ({ method, url, body }) => {
    const reply = await login({}, { origin: 'http://localhost:8080' })
    const cookie = String(reply.headers['set-cookie']).split(';', 1)[0] ?? ''
    const elsewhere = { cookie, origin: 'https://elsewhere.example' }
    expect(problemOf(await as(elsewhere, method, url, body)).code).toBe('cross-site')
  },
)

describe('PUT /api/profile', () => {
  const put = (fields: object) => as(ada.headers, 'PUT', '/api/profile', fields)

  test('changes what it mentions, of the caller alone', async () => {
    expect((await put({ given_name: 'Ada', surname: 'Lovelace' })).json<Me>()).toMatchObject({
      username: ada.username,
      given_name: 'Ada',
      surname: 'Lovelace',
    })
    expect((await put({ surname: 'King' })).json()).toMatchObject({
      given_name: 'Ada',
      surname: 'King',
    })
    expect((await put({ given_name: null, surname: '' })).json()).toMatchObject({
      given_name: null,
      surname: null,
    })
    expect((await put({})).status).toBe(200)
    expect((await as(bob.headers, 'GET', '/api/me')).json()).toMatchObject({ given_name: null })
  })

  test.each([
    ['given_name', { given_name: 'x'.repeat(101) }],
    ['surname', { surname: 'line\nbreak' }],
    ['surname', { surname: 7 }],
    ['email', { email: 'other@example.net' }],
    ['username', { username: 'root' }],
    ['account_type', { account_type: 'admin' }],
  ])('names %s: %j', async (field, fields) => {
    const reply = await put(fields)
    expect(reply.status).toBe(422)
    expect(problemOf(reply).errors).toEqual([expect.objectContaining({ field })])
  })
})

describe('POST /api/change-password', () => {
  const change = (fields: object = {}) =>
    as(ada.headers, 'POST', '/api/change-password', {
      current_password: PASSWORD,
      new_password: NEW_PASSWORD,
      ...fields,
    })

  test('sets the password, keeps this session and ends the others', async () => {
    const elsewhere = await world.signIn(ada.id)
    expect((await login()).status).toBe(200)
    expect((await change()).json()).toEqual({ message: 'Your password was changed.' })
    expect(await isSignedIn(ada.headers)).toBe(true)
    expect(await isSignedIn(elsewhere)).toBe(false)
    expect(await isSignedIn(bob.headers)).toBe(true)
    expect((await login()).status).toBe(401)
    expect((await login({ password: NEW_PASSWORD })).status).toBe(200)
  })

  test('tells the owner by mail', async () => {
    await change()
    expect(await runJobs(world.services, mailer)).toEqual(['mail'])
    expect(mailer.sent).toMatchObject([
      { to: `${ada.username}@mail.test`, subject: 'Homing: Your password was changed' },
    ])
  })

  test('a link that sets a password is worth nothing any more', async () => {
    await call(world.app, 'POST', '/api/forgot-password', {
      body: { email: `${ada.username}@mail.test` },
    })
    await runJobs(world.services, mailer)
    const token = linkTokenOf(mailer.sent.at(-1))
    await change()
    const reply = await call(world.app, 'GET', `/api/verify-reset-token/${token}`)
    expect(problemOf(reply).code).toBe('link-invalid')
  })

  test('a wrong present password is a fault of its field, and nothing changes', async () => {
    const elsewhere = await world.signIn(ada.id)
    const reply = await change({ current_password: 'wrong password' })
    expect(reply.status).toBe(422)
    expect(problemOf(reply).errors).toEqual([
      { field: 'current_password', message: 'This is not your present password.' },
    ])
    expect(await isSignedIn(elsewhere)).toBe(true)
    expect((await login()).status).toBe(200)
    await runJobs(world.services, mailer)
    expect(mailer.sent).toEqual([])
  })

  test('one that was right until it was changed elsewhere is wrong', async () => {
    expect((await login()).status).toBe(200)
    const other = await world.signIn(ada.id)
    await change()
    ada = { ...ada, headers: await world.signIn(ada.id) }
    expect((await change({ new_password: 'and another one' })).status).toBe(422)
    expect(await isSignedIn(other)).toBe(false)
  })

  test('of five at once one succeeds', async () => {
    const replies = await Promise.all(
      Array.from({ length: 5 }, (_, n) => change({ new_password: `the password ${n}` })),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 422)).toHaveLength(4)
  })

  test.each([
    ['current_password', { current_password: '' }],
    ['current_password', { current_password: 7 }],
    ['new_password', { new_password: 'seven77' }],
    ['new_password', { new_password: 'Password1' }],
    ['new_password', { new_password: 'homing-2026' }],
    ['new_password', { new_password: 'x'.repeat(257) }],
    ['new_password', { new_password: undefined }],
    ['username', { username: 'admin' }],
  ])('names %s: %j', async (field, fields) => {
    const reply = await change(fields)
    expect(reply.status).toBe(422)
    expect(problemOf(reply).errors).toEqual([expect.objectContaining({ field })])
  })

  test('a stolen session guesses no faster than anybody else', async () => {
    const limited = await openApiWorld({ rateLimits: true })
    try {
      const victim = await limited.person('victim')
      const statuses: number[] = []
      for (let n = 0; n < 7; n += 1) {
        const reply = await call(limited.app, 'POST', '/api/change-password', {
          headers: victim.headers,
          body: { current_password: `guess ${n}`, new_password: NEW_PASSWORD },
        })
        statuses.push(reply.status)
      }
      expect(statuses).toEqual([422, 422, 422, 422, 422, 422, 429])
    } finally {
      await limited.end()
    }
  })
})

describe('sessions', () => {
  test('are listed with where they began, the caller’s marked', async () => {
    const { token } = (await login({}, { 'user-agent': 'Test/1.0 (a computer)' })).json<SignedIn>()
    const mine = { authorization: `Bearer ${token}` }
    const sessions = await sessionsOf(mine)
    expect(sessions).toHaveLength(2)
    expect(sessions.find(({ is_current }) => is_current)).toEqual({
      id: expect.stringMatching(/^\d+$/),
      created_at: clock.toISOString(),
      last_used_at: clock.toISOString(),
      expires_at: new Date(clock.getTime() + 30 * DAY_MS).toISOString(),
      ip: '127.0.0.1',
      client: 'Test/1.0 (a computer)',
      is_current: true,
    })
    expect(JSON.stringify(sessions)).not.toContain(token)
  })

  test('that have ended are not', async () => {
    await query(world.knex, 'update sessions set expires_at = ? where user_id = ?', [clock, ada.id])
    expect(await sessionsOf(await world.signIn(ada.id))).toHaveLength(1)
  })

  test('one ends, and no replay brings it back', async () => {
    const other = await world.signIn(ada.id)
    const [id] = (await sessionsOf(ada.headers))
      .filter(({ is_current }) => !is_current)
      .map((session) => session.id)
    expect((await as(ada.headers, 'DELETE', `/api/me/sessions/${id}`)).status).toBe(204)
    expect(await isSignedIn(other)).toBe(false)
    expect(await isSignedIn(ada.headers)).toBe(true)
    const again = await as(ada.headers, 'DELETE', `/api/me/sessions/${id}`)
    expect(problemOf(again).code).toBe('not-found')
  })

  test('one’s own ends as by signing out', async () => {
    const reply = await login({}, { origin: 'http://localhost:8080' })
    const cookie = String(reply.headers['set-cookie']).split(';', 1)[0] ?? ''
    const browser = { cookie, origin: 'http://localhost:8080' }
    const own = (await sessionsOf(browser)).find(({ is_current }) => is_current)
    const ended = await as(browser, 'DELETE', `/api/me/sessions/${own?.id}`)
    expect(ended.status).toBe(204)
    expect(String(ended.headers['set-cookie'])).toMatch(/^homing_session=; Max-Age=0; /)
    expect(await isSignedIn(browser)).toBe(false)
  })

  test('somebody else’s is one that does not exist', async () => {
    const [theirs] = await sessionsOf(bob.headers)
    const foreign = await as(ada.headers, 'DELETE', `/api/me/sessions/${theirs?.id}`)
    const missing = await as(ada.headers, 'DELETE', '/api/me/sessions/999999999')
    expect({ ...problemOf(foreign), requestId: '' }).toEqual({
      ...problemOf(missing),
      requestId: '',
    })
    expect(foreign.status).toBe(404)
    expect(await isSignedIn(bob.headers)).toBe(true)
  })

  test('all others end', async () => {
    const others = [await world.signIn(ada.id), await world.signIn(ada.id)]
    expect((await as(ada.headers, 'DELETE', '/api/me/sessions')).status).toBe(204)
    for (const headers of others) expect(await isSignedIn(headers)).toBe(false)
    expect(await isSignedIn(ada.headers)).toBe(true)
    expect(await isSignedIn(bob.headers)).toBe(true)
  })

  test.each(['0', '-1', 'x', '1e3', '9'.repeat(19)])('id %s: 422', async (id) => {
    expect((await as(ada.headers, 'DELETE', `/api/me/sessions/${id}`)).status).toBe(422)
  })
})

describe('the login history', () => {
  const attempt = (success: boolean, ip = '127.0.0.1') => ({
    time: clock.toISOString(),
    ip,
    cc: null,
    success,
  })

  test('has who signed in and who tried, the newest first, of the caller alone', async () => {
    expect(await loginsOf(ada.headers)).toEqual([])
    await login()
    expect(await loginsOf(ada.headers)).toEqual([attempt(true)])
    await call(world.app, 'POST', '/api/login', {
      ip: '2001:db8::7',
      body: { username_or_email: `${ada.username}@mail.test`, password: 'wrong password' },
    })
    expect(await loginsOf(ada.headers)).toEqual([attempt(false, '2001:db8::7'), attempt(true)])
    expect(await loginsOf(bob.headers)).toEqual([])
  })

  test('has a right password that was refused', async () => {
    await query(world.knex, 'update users set enabled = false where id = ?', [ada.id])
    expect((await login()).status).toBe(403)
    await query(world.knex, 'update users set enabled = true where id = ?', [ada.id])
    expect(await loginsOf(ada.headers)).toEqual([attempt(false)])
  })

  test('is told of a hundred at most', async () => {
    await query(
      world.knex,
      `insert into login_history (user_id, at, ip, success)
       select ?, now() - n * interval '1 hour', '192.0.2.1', true from generate_series(1, 120) n`,
      [ada.id],
    )
    const logins = await loginsOf(ada.headers)
    expect(logins).toHaveLength(100)
    expect(logins.map(({ time }) => time)).toEqual(
      logins
        .map(({ time }) => time)
        .toSorted()
        .toReversed(),
    )
  })

  test('a failure of an account that went meanwhile stops no other', async () => {
    const { loginHistory } = world.services
    for (const userId of [bob.id, ada.id]) {
      loginHistory.noteFailure({ userId, at: clock, ip: '192.0.2.1' })
    }
    await query(world.knex, 'delete from users where id = ?', [bob.id])
    expect(await loginsOf(ada.headers)).toEqual([attempt(false, '192.0.2.1')])
  })
})

describe('a sign-in from elsewhere', () => {
  const signIn = (ip: string, client: string) =>
    call(world.app, 'POST', '/api/login', {
      ip,
      headers: { 'user-agent': client },
      body: { username_or_email: ada.username, password: PASSWORD },
    })

  /** Signs in, and gives what is mailed. */
  async function mailedAfter(ip: string, client: string): Promise<string[]> {
    mailer.sent.length = 0
    expect((await signIn(ip, client)).status).toBe(200)
    await runJobs(world.services, mailer)
    return mailer.sent.map(({ text }) => text)
  }

  test('is told by mail, once for each network and client; the first of all is not', async () => {
    expect(await mailedAfter('192.0.2.1', 'One/1')).toEqual([])
    expect(await mailedAfter('192.0.2.1', 'One/1')).toEqual([])
    const [text, ...others] = await mailedAfter('192.0.2.7', 'One/1')
    expect(others).toEqual([])
    expect(mailer.sent).toMatchObject([
      { to: `${ada.username}@mail.test`, subject: 'Homing: A new sign-in to your account' },
    ])
    expect(text).toContain('Address: 192.0.2.7 (SE)')
    expect(text).toContain('Client: One/1')
    expect(text).toContain('http://localhost:8080/#forgot-password')
    expect(await mailedAfter('192.0.2.7', 'One/1')).toEqual([])
    expect(await mailedAfter('192.0.2.1', 'Two/1')).toHaveLength(1)
  })

  test('an IPv6 network is a /64', async () => {
    expect(await mailedAfter('2001:db8::1', 'One/1')).toEqual([])
    expect(await mailedAfter('2001:db8::2', 'One/1')).toEqual([])
    expect(await mailedAfter('2001:db8:0:1::1', 'One/1')).toHaveLength(1)
    expect(await mailedAfter('192.0.2.1', 'One/1')).toHaveLength(1)
  })

  test('a failed one makes nothing known', async () => {
    await signIn('192.0.2.1', 'One/1')
    await call(world.app, 'POST', '/api/login', {
      ip: '192.0.2.7',
      headers: { 'user-agent': 'One/1' },
      body: { username_or_email: ada.username, password: 'wrong password' },
    })
    await world.services.loginHistory.flush()
    expect(await mailedAfter('192.0.2.7', 'One/1')).toHaveLength(1)
  })

  test('what a client calls itself stays text', async () => {
    await signIn('192.0.2.1', 'One/1')
    await mailedAfter('192.0.2.1', '<script>alert(1)</script>')
    expect(mailer.sent[0]?.html).not.toContain('<script>')
  })

  test('its country is in the history and with the account', async () => {
    await signIn('192.0.2.7', 'One/1')
    await call(world.app, 'POST', '/api/login', {
      ip: '192.0.2.7',
      body: { username_or_email: ada.username, password: 'wrong password' },
    })
    expect((await loginsOf(ada.headers)).map(({ cc }) => cc)).toEqual(['SE', 'SE'])
    const rows = await query(world.knex, 'select last_login_cc from users where id = ?', [ada.id])
    expect(rows).toEqual([{ last_login_cc: 'SE' }])
  })
})
