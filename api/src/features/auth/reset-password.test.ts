import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type ApiWorld,
  type Caller,
  openApiWorld,
  PASSWORD,
} from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { KeepingMailer, linkTokenOf, runJobs } from '../../../test/support/mail.ts'
import { argon2Hasher } from '../../credentials/password-hasher.ts'
import { query } from '../../database/sql.ts'

const HOUR_MS = 3_600_000
const NEW_PASSWORD = 'a password of her own'
const NO_CREDENTIALS = { api_keys: 0, update_tokens: 0, trust_policies: 0, passkeys: 0 }
const mailer = new KeepingMailer()
let world: ApiWorld
let clock = new Date()
let hashed = 0
let people = 0
let ada: Caller
let email: string

beforeAll(async () => {
  const passwords = {
    ...argon2Hasher,
    hash(password: string) {
      hashed += 1
      return argon2Hasher.hash(password)
    },
  }
  world = await openApiWorld({}, { now: () => clock, passwords })
})
afterAll(() => world.end())
beforeEach(async () => {
  people += 1
  clock = new Date()
  ada = await world.person(`person${people}`)
  email = `${ada.username}@mail.test`
  mailer.sent.length = 0
})

const forgot = (address: string, ip?: string) =>
  call(world.app, 'POST', '/api/forgot-password', { body: { email: address }, ...(ip && { ip }) })
const subject = (token: string) => call(world.app, 'GET', `/api/verify-reset-token/${token}`)
const reset = (fields: object) => call(world.app, 'POST', '/api/reset-password', { body: fields })
const login = (password: string) =>
  call(world.app, 'POST', '/api/login', { body: { username_or_email: ada.username, password } })
const me = () => call(world.app, 'GET', '/api/me', { headers: ada.headers })

/** Requests a link and returns the token from the mail. */
async function mailedToken(): Promise<string> {
  expect((await forgot(email)).status).toBe(200)
  await runJobs(world.services, mailer)
  return linkTokenOf(mailer.sent.at(-1))
}

test('a link arrives by mail, shows the account, and sets the password', async () => {
  const token = await mailedToken()
  const [mail] = mailer.sent
  expect(mail).toMatchObject({ to: email, subject: 'Homing: Reset your password' })
  // The token is in the fragment, which browsers do not send.
  expect(mail?.text).toContain(`http://localhost:8080/#reset-password/${token}`)
  expect((await subject(token)).json()).toEqual({
    username: ada.username,
    working_credentials: NO_CREDENTIALS,
  })

  const reply = await reset({ token, new_password: NEW_PASSWORD })
  expect(reply.json()).toEqual({
    message: 'Password Reset Successful!',
    working_credentials: NO_CREDENTIALS,
  })
  expect(reply.headers['set-cookie']).toBeUndefined()
  expect((await login(PASSWORD)).status).toBe(401)
  expect((await login(NEW_PASSWORD)).status).toBe(200)
})

test('the field can also be called password', async () => {
  expect((await reset({ token: await mailedToken(), password: NEW_PASSWORD })).status).toBe(200)
  expect((await login(NEW_PASSWORD)).status).toBe(200)
})

test('all sessions end, remembered passwords become invalid, and the owner is notified', async () => {
  expect((await login(PASSWORD)).status).toBe(200)
  const token = await mailedToken()
  expect((await me()).status).toBe(200)
  await reset({ token, new_password: NEW_PASSWORD })
  expect((await me()).status).toBe(401)
  expect((await login(PASSWORD)).status).toBe(401)
  await runJobs(world.services, mailer)
  const notice = mailer.sent.at(-1)
  expect(notice).toMatchObject({ to: email, subject: 'Homing: Your password was changed' })
  expect(notice?.text).toContain(`${clock.toISOString().slice(0, 16).replace('T', ' ')} UTC`)
  expect(notice?.text).toContain('http://localhost:8080/#forgot-password')
  expect(notice?.text).not.toContain(NEW_PASSWORD)
})

describe('requesting a link', () => {
  test('gets the same response and does the same work for an unknown address', async () => {
    await query(world.knex, 'delete from pgboss.job')
    const known = await forgot(email)
    const unknown = await forgot('nobody@example.net')
    expect({ status: unknown.status, text: unknown.text }).toEqual({
      status: known.status,
      text: known.text,
    })
    const jobs = await query(world.knex, 'select name, data from pgboss.job order by created_on')
    expect(jobs).toEqual([
      { name: 'forgot-password', data: { email } },
      { name: 'forgot-password', data: { email: 'nobody@example.net' } },
    ])
    await runJobs(world.services, mailer)
    expect(mailer.sent.map(({ to }) => to)).toEqual([email])
  })

  test.each(['email_verified_at = null', 'enabled = false', `account_type = 'disabled'`])(
    'sends no mail if %s',
    async (change) => {
      await query(world.knex, `update users set ${change} where id = ?`, [ada.id])
      expect((await forgot(email)).status).toBe(200)
      await runJobs(world.services, mailer)
      expect(mailer.sent).toEqual([])
    },
  )

  test('finds the address in any letter case, and mails it as the account has it', async () => {
    await forgot(email.toUpperCase())
    await runJobs(world.services, mailer)
    expect(mailer.sent.map(({ to }) => to)).toEqual([email])
  })

  test('stores the token nowhere', async () => {
    const token = await mailedToken()
    const rows = await query<{ text: string }>(
      world.knex,
      'select t::text as text from mail_links t union all select t::text from pgboss.job t',
    )
    expect(rows.map(({ text }) => text).join('\n')).not.toContain(token)
  })

  test.each([{}, { email: '' }, { email: 'example.net' }, { email: 7 }])('%j', async (body) => {
    const reply = await call(world.app, 'POST', '/api/forgot-password', { body })
    expect(problemOf(reply).errors).toEqual([expect.objectContaining({ field: 'email' })])
  })
})

test.each([
  ['new_password', { new_password: 'password1' }],
  ['password', { password: 'homing-dns' }],
])('a link cannot set a common password: %s, %j', async (field, fields) => {
  const token = await mailedToken()
  const reply = await reset({ token, ...fields })
  expect(reply.status).toBe(422)
  expect(problemOf(reply).errors).toEqual([expect.objectContaining({ field })])
  expect((await subject(token)).status).toBe(200)
})

describe('a link', () => {
  test('works once, also with ten concurrent calls', async () => {
    const token = await mailedToken()
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => reset({ token, new_password: `the password ${n}` })),
    )
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array(9).fill(400),
    ])
    const winner = replies.findIndex(({ status }) => status === 200)
    expect((await login(`the password ${winner}`)).status).toBe(200)
    for (const reply of [await subject(token), await reset({ token, password: NEW_PASSWORD })]) {
      expect(reply.status).toBe(400)
      expect(problemOf(reply)).toMatchObject({
        code: 'link-invalid',
        detail: 'Invalid or expired reset token',
      })
    }
  })

  test('expires after an hour', async () => {
    const token = await mailedToken()
    clock = new Date(clock.getTime() + HOUR_MS - 1)
    expect((await subject(token)).status).toBe(200)
    clock = new Date(clock.getTime() + 1)
    for (const reply of [await subject(token), await reset({ token, password: NEW_PASSWORD })]) {
      expect(reply.status).toBe(400)
      expect(problemOf(reply).code).toBe('link-expired')
    }
    expect((await login(PASSWORD)).status).toBe(200)
  })

  test('is invalid after a newer one was created', async () => {
    const older = await mailedToken()
    const newer = await mailedToken()
    expect((await reset({ token: older, password: NEW_PASSWORD })).status).toBe(400)
    expect((await reset({ token: newer, password: NEW_PASSWORD })).status).toBe(200)
  })

  test.each(['email_verified_at = null', 'enabled = false', `email = 'other@mail.test'`])(
    'is invalid if meanwhile %s',
    async (change) => {
      const token = await mailedToken()
      await query(
        world.knex,
        `update users set ${change.replace('other', `other${people}`)} where id = ?`,
        [ada.id],
      )
      expect(problemOf(await subject(token)).code).toBe('link-invalid')
      expect(problemOf(await reset({ token, password: NEW_PASSWORD })).code).toBe('link-invalid')
    },
  )

  test('that verifies an address sets no password, and vice versa', async () => {
    const token = await mailedToken()
    const verified = await call(world.app, 'POST', '/api/verify-email', { body: { token } })
    expect(problemOf(verified).code).toBe('link-invalid')
    await call(world.app, 'POST', '/api/register', {
      body: { username: `${ada.username}-b`, email: `b-${email}`, password: PASSWORD },
    })
    await runJobs(world.services, mailer)
    const verifying = linkTokenOf(mailer.sent.at(-1))
    expect((await reset({ token: verifying, password: NEW_PASSWORD })).status).toBe(400)
  })

  test('a made-up one costs no hash', async () => {
    hashed = 0
    for (const token of ['x', 'x'.repeat(256), "' or 1=1 --", 'é']) {
      expect((await subject(encodeURIComponent(token))).status).toBe(400)
      expect((await reset({ token, password: NEW_PASSWORD })).status).toBe(400)
    }
    expect(hashed).toBe(0)
  })
})

test.each([
  ['new_password', { token: 'x' }],
  ['new_password', { token: 'x', new_password: 'seven77' }],
  ['new_password', { token: 'x', new_password: 'x'.repeat(257) }],
  ['new_password', { token: 'x', new_password: null }],
  ['password', { token: 'x', password: 'seven77' }],
  ['password', { token: 'x', password: NEW_PASSWORD, new_password: `${NEW_PASSWORD}!` }],
  ['token', { new_password: NEW_PASSWORD }],
  ['token', { token: '', new_password: NEW_PASSWORD }],
  ['username', { token: 'x', new_password: NEW_PASSWORD, username: 'admin' }],
])('names %s: %j', async (field, fields) => {
  const reply = await reset(fields)
  expect(reply.status).toBe(422)
  expect(problemOf(reply).errors).toEqual([expect.objectContaining({ field })])
})

test('an address gets five links in an hour, a network can request twenty, known or not', async () => {
  const limited = await openApiWorld({ rateLimits: true })
  try {
    const person = await limited.person('ada')
    const ask = (address: string, ip: string) =>
      call(limited.app, 'POST', '/api/forgot-password', { body: { email: address }, ip })
    for (const address of [`${person.username}@mail.test`, 'nobody@example.net']) {
      const statuses: number[] = []
      for (let n = 1; n <= 6; n += 1) statuses.push((await ask(address, `192.0.2.${n}`)).status)
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    }
    for (let n = 1; n <= 20; n += 1) await ask(`person${n}@example.net`, '198.51.100.7')
    const refused = await ask('person21@example.net', '198.51.100.7')
    expect(problemOf(refused).code).toBe('rate-limited')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await ask('person21@example.net', '198.51.100.8')).status).toBe(200)
  } finally {
    await limited.end()
  }
})
