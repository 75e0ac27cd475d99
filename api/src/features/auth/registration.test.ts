import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, openApiWorld } from '../../../test/support/api-world.ts'
import { call, problemOf, type Reply } from '../../../test/support/calls.ts'
import { KeepingMailer, linkTokenOf, runJobs } from '../../../test/support/mail.ts'
import { query } from '../../sql.ts'

const DAY_MS = 86_400_000
const mailer = new KeepingMailer()
let world: ApiWorld
let clock = new Date()
let people = 0
let name: string

beforeAll(async () => {
  world = await openApiWorld({}, { now: () => clock })
})
afterAll(() => world.end())
beforeEach(() => {
  people += 1
  name = `person${people}`
  clock = new Date()
  mailer.sent.length = 0
})

const account = (fields: object = {}) => ({
  username: name,
  email: `${name}@example.net`,
  password: 'correct horse',
  ...fields,
})
const register = (fields: object = {}) =>
  call(world.app, 'POST', '/api/register', { body: account(fields) })
const resend = (email: string) =>
  call(world.app, 'POST', '/api/resend-verification', { body: { email } })
const verify = (token: string) => call(world.app, 'POST', '/api/verify-email', { body: { token } })
const open = (token: string, headers: Record<string, string> = {}) =>
  call(world.app, 'GET', `/api/verify-email/${token}`, { headers })
const login = (fields: object = {}) =>
  call(world.app, 'POST', '/api/login', {
    body: { username_or_email: name, password: 'correct horse', ...fields },
  })

/** How many replies have each status. */
function countsOf(replies: readonly Reply[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Registers and gives the token out of the mail. */
async function registeredToken(fields: object = {}): Promise<string> {
  expect((await register(fields)).status).toBe(201)
  await runJobs(world.services, mailer)
  return linkTokenOf(mailer.sent.at(-1))
}

describe('POST /api/register', () => {
  test('makes a free account, and mails a link that verifies its address', async () => {
    const reply = await register({ given_name: 'Ada', surname: '' })
    expect(reply.status).toBe(201)
    expect(reply.json()).toEqual({
      message: 'Please check your email to verify your account.',
      username: name,
      email: `${name}@example.net`,
    })
    expect(await runJobs(world.services, mailer)).toEqual(['registration', 'mail'])
    const [mail] = mailer.sent
    expect(mail).toMatchObject({
      to: `${name}@example.net`,
      subject: 'Homing: Verify your email address',
    })
    expect(mail?.text).toContain(`http://localhost:8080/api/verify-email/${linkTokenOf(mail)}`)
    const rows = await query(
      world.knex,
      `select account_type, enabled, email_verified_at, given_name, surname, password_hash like '$argon2id$%' as is_hashed
       from users where username = ?`,
      [name],
    )
    expect(rows).toEqual([
      {
        account_type: 'free',
        enabled: true,
        email_verified_at: null,
        given_name: 'Ada',
        surname: null,
        is_hashed: true,
      },
    ])
  })

  test('keeps neither the token of the link nor the password', async () => {
    const token = await registeredToken({ password: 'unmistakable password' })
    const rows = await query<{ text: string }>(
      world.knex,
      `select t::text as text from mail_links t union all select t::text from users t
       union all select t::text from pgboss.job t`,
    )
    const all = rows.map(({ text }) => text).join('\n')
    expect(all).toContain(name)
    expect(all).not.toContain(token)
    expect(all).not.toContain('unmistakable password')
  })

  test.each([
    ['username', { username: 'ab' }],
    ['username', { username: 'a'.repeat(33) }],
    ['username', { username: 'ada lovelace' }],
    ['username', { username: 'ada@example.net' }],
    ['username', { username: '-ada' }],
    ['username', { username: 'ada.' }],
    ['username', { username: 'ädä' }],
    ['username', { username: 7 }],
    ['email', { email: 'example.net' }],
    ['email', { email: 'ada@example.net\r\nbcc: bob@example.net' }],
    ['email', { email: 'ada@example.net, bob@example.net' }],
    ['email', { email: `${'a'.repeat(250)}@example.net` }],
    ['password', { password: 'seven77' }],
    ['password', { password: 'Password1' }],
    ['password', { password: 'example.net!' }],
    ['password', { password: 'x'.repeat(257) }],
    ['given_name', { given_name: 'line\nbreak' }],
    ['surname', { surname: 'x'.repeat(101) }],
    ['terms', { terms: false }],
    ['terms', { terms: 'yes' }],
    ['account_type', { account_type: 'admin' }],
    ['email_verified', { email_verified: true }],
  ])('refuses %s: %j', async (field, fields) => {
    const reply = await register(fields)
    expect(reply.status).toBe(422)
    expect(problemOf(reply).errors).toEqual([expect.objectContaining({ field })])
  })

  test.each([{ terms: true }, { captcha_token: 'solved' }, { given_name: null }])(
    'takes %j',
    async (fields) => {
      expect((await register(fields)).status).toBe(201)
    },
  )

  test.each(['admin', 'Postmaster', 'no.reply', 'root', 'none'])(
    'the user name %s is nobody’s to take',
    async (username) => {
      expect(problemOf(await register({ username })).code).toBe('username-taken')
    },
  )

  test('a taken user name is 409, whatever its case', async () => {
    await register()
    const reply = await register({ username: name.toUpperCase(), email: 'other@example.net' })
    expect(reply.status).toBe(409)
    expect(problemOf(reply)).toMatchObject({
      code: 'username-taken',
      errors: [{ field: 'username', message: expect.any(String) }],
    })
  })

  test('of ten at once with one user name one succeeds', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => register({ email: `${name}-${n}@example.net` })),
    )
    expect(countsOf(replies)).toEqual({ 201: 1, 409: 9 })
  })
})

describe('an address that is somebody’s already', () => {
  let owner: string
  const email = () => `${owner}@example.net`

  beforeEach(async () => {
    owner = name
    await verify(await registeredToken())
    name = `${name}-again`
    mailer.sent.length = 0
  })

  test('is claimed as a fresh one: same answer, same account, same refusal to sign in', async () => {
    const password = 'of the stranger'
    const taken = await register({ email: email().toUpperCase(), password })
    const fresh = await register({ username: `${name}2`, email: `${name}2@example.net` })
    expect(taken.status).toBe(fresh.status)
    expect(Object.keys(taken.json<object>())).toEqual(Object.keys(fresh.json<object>()))
    for (const username_or_email of [name, email()]) {
      const refused = await login({ username_or_email, password })
      expect(problemOf(refused).code).toBe('email-not-verified')
    }
    const again = await register({ email: 'third@example.net' })
    expect(problemOf(again).code).toBe('username-taken')
  })

  test('its owner is told by mail and keeps the account; the claim gets no link', async () => {
    await register({ email: email(), password: 'of the stranger' })
    await runJobs(world.services, mailer)
    expect(mailer.sent).toMatchObject([
      { to: email(), subject: 'Homing: You already have an account' },
    ])
    expect(mailer.sent[0]?.text).not.toContain('verify-email')
    const signedIn = await login({ username_or_email: email() })
    expect(signedIn.json()).toMatchObject({ username: owner })
  })

  test('a link is not sent for it again', async () => {
    await register({ email: email() })
    await runJobs(world.services, mailer)
    mailer.sent.length = 0
    expect((await resend(email())).status).toBe(200)
    await runJobs(world.services, mailer)
    expect(mailer.sent).toEqual([])
  })
})

test('of two who claim one address, the first to verify has it', async () => {
  const email = `${name}@example.net`
  const first = await registeredToken({ email })
  const second = await registeredToken({ email, username: `${name}-2` })
  expect((await verify(second)).status).toBe(200)
  expect(problemOf(await verify(first)).code).toBe('link-invalid')
})

describe('verifying', () => {
  test('by POST, once', async () => {
    const token = await registeredToken()
    expect((await verify(token)).json()).toEqual({ message: 'Email Verified!' })
    expect((await login()).status).toBe(200)
    const again = await verify(token)
    expect(again.status).toBe(400)
    expect(problemOf(again)).toMatchObject({
      code: 'link-invalid',
      detail: 'Invalid verification link',
    })
  })

  test('by GET, once; HEAD uses nothing up', async () => {
    const token = await registeredToken()
    const head = await world.app.inject({ method: 'HEAD', url: `/api/verify-email/${token}` })
    expect(head.statusCode).toBe(200)
    expect((await open(token)).json()).toEqual({ message: 'Email Verified!' })
    expect((await open(token)).status).toBe(400)
  })

  test('a browser is shown a page', async () => {
    const token = await registeredToken()
    const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const success = await open(token, browser)
    expect(success.status).toBe(200)
    expect(success.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(success.text).toContain('<h1>Email Verified!</h1>')
    const failure = await open(token, browser)
    expect(failure.status).toBe(400)
    expect(failure.text).toContain('<h1>Verification Failed</h1>')
    expect(failure.text).toContain('Invalid verification link')
  })

  test('of ten at once with one link one succeeds', async () => {
    const token = await registeredToken()
    const replies = await Promise.all(Array.from({ length: 10 }, () => verify(token)))
    expect(countsOf(replies)).toEqual({ 200: 1, 400: 9 })
  })

  test('an expired link says so, every time, and a new one works', async () => {
    const token = await registeredToken()
    clock = new Date(clock.getTime() + DAY_MS)
    for (const reply of [await verify(token), await open(token)]) {
      expect(reply.status).toBe(400)
      expect(problemOf(reply).detail).toContain('expired')
    }
    const page = await open(token, { accept: 'text/html' })
    expect(page.text).toContain('<h1>Link Expired</h1>')
    await resend(`${name}@example.net`)
    await runJobs(world.services, mailer)
    expect((await verify(linkTokenOf(mailer.sent.at(-1)))).status).toBe(200)
  })

  test('an older link is dead once a newer one is made', async () => {
    const older = await registeredToken()
    await resend(`${name}@example.net`)
    await runJobs(world.services, mailer)
    expect((await verify(older)).status).toBe(400)
    expect((await verify(linkTokenOf(mailer.sent.at(-1)))).status).toBe(200)
  })

  test('a mail that is sent a second time carries the same link, a dead link is not sent', async () => {
    await registeredToken()
    await query(
      world.knex,
      `update pgboss.job set state = 'retry' where name = 'mail' and state = 'completed'
       and id = ?::uuid`,
      [mailer.sent[0]?.id ?? ''],
    )
    await runJobs(world.services, mailer)
    const [first, second] = mailer.sent
    expect(second).toEqual(first)
    await verify(linkTokenOf(first))
    await query(world.knex, `update pgboss.job set state = 'retry' where id = ?::uuid`, [
      first?.id ?? '',
    ])
    expect(await runJobs(world.services, mailer)).toEqual(['mail'])
    expect(mailer.sent).toHaveLength(2)
  })

  test.each(['x', 'x'.repeat(256), '%00', '..%2f..', 'é'])(
    'GET with the token %s',
    async (token) => {
      expect(problemOf(await open(encodeURI(token))).code).toBe('link-invalid')
    },
  )

  test.each([{}, { token: '' }, { token: 7 }, { token: null }, { token: 'x'.repeat(257) }])(
    'POST with %j',
    async (body) => {
      const reply = await call(world.app, 'POST', '/api/verify-email', { body })
      expect(problemOf(reply).errors).toEqual([expect.objectContaining({ field: 'token' })])
    },
  )
})

test('resending tells nobody whether there is such an account', async () => {
  await register()
  const known = await resend(`${name}@example.net`)
  const unknown = await resend('nobody@example.net')
  expect(known.text).toBe(unknown.text)
  expect(known.status).toBe(unknown.status)
  await runJobs(world.services, mailer)
  expect(new Set(mailer.sent.map(({ to }) => to))).toEqual(new Set([`${name}@example.net`]))
})

test('nothing is mailed and no account is left when the registration is not stored', async () => {
  const stored = world.services.jobs.enqueue.bind(world.services.jobs)
  world.services.jobs.enqueue = () => Promise.reject(new Error('not stored'))
  const reply = await register()
  world.services.jobs.enqueue = stored
  expect(reply.status).toBe(500)
  expect(await query(world.knex, 'select 1 from users where username = ?', [name])).toEqual([])
})
