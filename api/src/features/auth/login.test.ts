/** Signing in with a password, from a program and in a browser, and the reasons for a refusal. */
import type { Me, SignedIn } from '@homing/openapi'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, openApiWorld, PASSWORD } from '../../../test/support/api-world.ts'
import { bearer, call, problemOf, type Reply } from '../../../test/support/calls.ts'
import { argon2Hasher } from '../../credentials/password-hasher.ts'
import { query } from '../../database/sql.ts'

let world: ApiWorld
let clock = new Date()
let evaluated = 0
let people = 0
let name: string
let id: string

beforeAll(async () => {
  const passwords = {
    ...argon2Hasher,
    verify(hash: string, password: string) {
      evaluated += 1
      return argon2Hasher.verify(hash, password)
    },
  }
  world = await openApiWorld({}, { now: () => clock, passwords })
})
afterAll(() => world.end())
beforeEach(async () => {
  people += 1
  name = `person${people}`
  clock = new Date()
  id = (await world.person(name)).id
})

const login = (fields: object = {}, headers: Record<string, string> = {}) =>
  call(world.app, 'POST', '/api/login', {
    body: { username_or_email: name, password: PASSWORD, ...fields },
    headers,
  })
const me = (headers: Record<string, string>) => call(world.app, 'GET', '/api/me', { headers })
const BROWSER = { origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' }

describe('POST /api/login', () => {
  test('gives a program its session as a token, and no cookie', async () => {
    const reply = await login()
    expect(reply.status).toBe(200)
    expect(reply.headers['set-cookie']).toBeUndefined()
    expect(reply.json()).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      id,
      user_id: id,
      username: name,
      email: `${name}@mail.test`,
      account_type: 'pro',
      role: 'pro',
      plan: 'pro',
      given_name: null,
      surname: null,
      session_created: clock.toISOString(),
    })
    expect((await me(bearer(reply.json<SignedIn>().token))).status).toBe(200)
  })

  test('gives a browser a cookie that scripts cannot read, and no token', async () => {
    for (const headers of [
      BROWSER,
      { origin: BROWSER.origin },
      { 'sec-fetch-site': 'same-origin' },
    ]) {
      const reply = await login({}, headers)
      expect(reply.json<SignedIn>().token).toBe('session')
      const cookie = String(reply.headers['set-cookie'])
      expect(cookie).toMatch(
        /^homing_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
      )
      expect((await me({ cookie: cookie.split(';', 1)[0] ?? '' })).status).toBe(200)
    }
  })

  test('ends the session that the browser had, and leaves those of other browsers', async () => {
    const cookieOf = (reply: Reply) => String(reply.headers['set-cookie']).split(';', 1)[0] ?? ''
    const former = cookieOf(await login({}, BROWSER))
    const elsewhere = cookieOf(await login({}, BROWSER))
    const next = cookieOf(await login({}, { ...BROWSER, cookie: former }))
    const statuses = [former, elsewhere, next].map(async (cookie) => (await me({ cookie })).status)
    expect(await Promise.all(statuses)).toEqual([401, 200, 200])
    const failed = await login({ password: 'not the password' }, { ...BROWSER, cookie: next })
    expect(failed.status).toBe(401)
    expect((await me({ cookie: next })).status).toBe(200)
  })

  test('accepts the user name or email address in any letter case', async () => {
    for (const username_or_email of [name.toUpperCase(), `${name}@Mail.Test`]) {
      expect((await login({ username_or_email })).json()).toMatchObject({ username: name })
    }
  })

  test('records the time and the address', async () => {
    await login()
    const rows = await query(
      world.knex,
      'select last_login, host(last_login_ip) as ip from users where id = ?',
      [id],
    )
    expect(rows).toEqual([{ last_login: clock, ip: '127.0.0.1' }])
  })

  test('stores the digest of the token and not the token', async () => {
    const { token } = (await login()).json<SignedIn>()
    const rows = await query<{ text: string }>(
      world.knex,
      'select s::text as text from sessions s where user_id = ?',
      [id],
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.map(({ text }) => text).join('\n')).not.toContain(token)
  })

  test('gets the same response for a wrong password, an unknown name and an unknown address', async () => {
    const replies = [
      await login({ password: 'wrong password' }),
      await login({ username_or_email: 'nobody-at-all' }),
      await login({ username_or_email: 'nobody@example.net' }),
      await login({ username_or_email: 'nul\0byte' }),
    ]
    const [wrong, ...unknown] = replies.map((reply) => ({ ...problemOf(reply), requestId: '' }))
    expect(wrong).toMatchObject({
      status: 401,
      code: 'wrong-credentials',
      detail: 'Invalid username/email or password',
    })
    expect(unknown.slice(0, 2)).toEqual([wrong, wrong])
    expect(unknown[2]).toMatchObject({ status: 422 })
  })

  test.each([
    ['a user name', 1, () => name, 'nobody-at-all'],
    ['an address', 2, () => `${name}@mail.test`, 'nobody@example.net'],
  ])(
    'does the same work for %s that exists and one that does not exist',
    async (_, runs, known, unknown) => {
      for (const username_or_email of [known(), unknown]) {
        evaluated = 0
        await login({ username_or_email, password: 'wrong password' })
        expect(evaluated).toBe(runs)
      }
    },
  )

  test('reveals that the address is not verified only with the right password', async () => {
    await query(world.knex, 'update users set email_verified_at = null where id = ?', [id])
    for (const username_or_email of [name, `${name}@mail.test`]) {
      const right = await login({ username_or_email })
      expect(right.status).toBe(403)
      expect(problemOf(right)).toMatchObject({
        code: 'email-not-verified',
        detail: 'Please verify your email address before logging in.',
      })
      const wrong = await login({ username_or_email, password: 'wrong password' })
      expect(problemOf(wrong).code).toBe('wrong-credentials')
    }
  })

  test.each([`enabled = false`, `account_type = 'disabled'`])('with %s: 403', async (change) => {
    await query(world.knex, `update users set ${change} where id = ?`, [id])
    expect(problemOf(await login()).code).toBe('account-disabled')
    expect(problemOf(await login({ password: 'wrong password' })).code).toBe('wrong-credentials')
  })

  test('an account without a password accepts none', async () => {
    await query(world.knex, `update users set password_hash = '' where id = ?`, [id])
    expect((await login()).status).toBe(401)
  })

  test('a changed password applies at once, and the old one is refused', async () => {
    expect((await login()).status).toBe(200)
    await query(
      world.knex,
      'update users set password_hash = ?, credential_version = credential_version + 1 where id = ?',
      [await argon2Hasher.hash('another password'), id],
    )
    expect((await login()).status).toBe(401)
    expect((await login({ password: 'another password' })).status).toBe(200)
  })

  test('another site cannot sign its visitor in', async () => {
    for (const headers of [
      { origin: 'https://elsewhere.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { ...BROWSER, 'sec-fetch-site': 'cross-site' },
    ]) {
      const reply = await login({}, headers)
      expect(problemOf(reply).code).toBe('cross-site')
      expect(reply.headers['set-cookie']).toBeUndefined()
    }
  })

  test.each([
    ['username_or_email', { username_or_email: '' }],
    ['username_or_email', { username_or_email: null }],
    ['username_or_email', { username_or_email: ['a'] }],
    ['password', { password: '' }],
    ['password', { password: 'x'.repeat(257) }],
    ['remember', { remember: true }],
  ])('names %s: %j', async (field, fields) => {
    const reply = await login(fields)
    expect(reply.status).toBe(422)
    expect(problemOf(reply).errors).toEqual([expect.objectContaining({ field })])
  })

  test('the oldest of more than a hundred sessions end', async () => {
    const first = (await login()).json<SignedIn>().token
    await query(
      world.knex,
      `insert into sessions (user_id, token_digest, expires_at, last_used_at)
       select ?, sha256(n::text::bytea || ?::text::bytea), now() + interval '1 day', now() + interval '1 hour'
       from generate_series(1, 100) n`,
      [id, name],
    )
    await login()
    expect((await me(bearer(first))).status).toBe(401)
    expect(
      await query(world.knex, 'select count(*)::int as n from sessions where user_id = ?', [id]),
    ).toEqual([{ n: 100 }])
  })
})

test('GET /api/me shows the account, its plan and its usage', async () => {
  const caller = await world.person(`${name}-me`, 'elite')
  await call(world.app, 'POST', '/api/domains', {
    headers: caller.headers,
    body: { fqdn: `${name}.homing.test` },
  })
  const reply = await me(caller.headers)
  expect(reply.json<Me>()).toEqual({
    id: caller.id,
    username: `${name}-me`,
    email: `${name}-me@mail.test`,
    account_type: 'elite',
    plan: 'elite',
    given_name: null,
    surname: null,
    email_verified: true,
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    password_changed_at: null,
    email_changed_at: null,
    limits: {
      domain_limit: 500,
      domain_count: 1,
      ttl: 60,
      abilities: expect.arrayContaining(['api_keys', 'wildcard', 'vanity_ns']),
    },
  })
  expect(problemOf(await me({})).code).toBe('unauthenticated')
})
