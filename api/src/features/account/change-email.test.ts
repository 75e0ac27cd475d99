import type { EmailConfirmation, Me } from '@homing/openapi'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type ApiWorld,
  type Caller,
  openApiWorld,
  PASSWORD,
} from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { KeepingMailer, linkTokenOf, runJobs } from '../../../test/support/mail.ts'
import { query } from '../../sql.ts'

const DAY_MS = 86_400_000
const mailer = new KeepingMailer()
let world: ApiWorld
let clock = new Date()
let people = 0
let ada: Caller
let old: string
let next: string

beforeAll(async () => {
  world = await openApiWorld({}, { now: () => clock })
})
afterAll(() => world.end())
beforeEach(async () => {
  people += 1
  clock = new Date()
  ada = await world.person(`ada${people}`)
  old = `${ada.username}@mail.test`
  next = `${ada.username}@example.net`
  mailer.sent.length = 0
  await query(world.knex, 'delete from pgboss.job')
})

const change = (fields: object = {}, headers: Caller['headers'] = ada.headers) =>
  call(world.app, 'POST', '/api/change-email', {
    headers,
    body: { email: next, password: PASSWORD, ...fields },
  })
const confirm = (token: string) =>
  call(world.app, 'POST', '/api/confirm-email-change', { body: { token } })
const login = (username_or_email: string) =>
  call(world.app, 'POST', '/api/login', { body: { username_or_email, password: PASSWORD } })
const emailOf = async ({ headers }: Caller) =>
  (await call(world.app, 'GET', '/api/me', { headers })).json<Me>().email
const mailTo = (address: string) => mailer.sent.findLast(({ to }) => to === address)

/** Asks for the change and gives the tokens of both links. */
async function mailedTokens(): Promise<{ readonly toOld: string; readonly toNew: string }> {
  expect((await change()).status).toBe(200)
  await runJobs(world.services, mailer)
  return { toOld: linkTokenOf(mailTo(old)), toNew: linkTokenOf(mailTo(next)) }
}

test.each([
  ['the present address first', true],
  ['the new address first', false],
])('the address is changed when both have confirmed, %s', async (_, oldFirst) => {
  const { toOld, toNew } = await mailedTokens()
  expect(mailTo(old)?.text).toContain(`http://localhost:8080/#confirm-email/${toOld}`)
  expect(mailTo(old)?.text).toContain(next)
  const [first, second] = oldFirst ? [toOld, toNew] : [toNew, toOld]

  expect((await confirm(first)).json<EmailConfirmation>().is_changed).toBe(false)
  expect(await emailOf(ada)).toBe(old)
  expect((await confirm(second)).json()).toEqual({
    message: 'Your email address was changed.',
    is_changed: true,
  })
  expect(await emailOf(ada)).toBe(next)
  mailer.sent.length = 0
  await runJobs(world.services, mailer)
  expect(mailer.sent).toMatchObject([
    { to: old, subject: 'Homing: Your email address was changed' },
  ])
})

test('signing in by the old address ends at once, by the new one it begins', async () => {
  expect((await login(old)).status).toBe(200)
  const { toOld, toNew } = await mailedTokens()
  await confirm(toOld)
  await confirm(toNew)
  expect((await login(old)).status).toBe(401)
  expect((await login(next)).status).toBe(200)
})

test('both links at once make one change', async () => {
  const { toOld, toNew } = await mailedTokens()
  const replies = await Promise.all([
    confirm(toOld),
    confirm(toNew),
    confirm(toOld),
    confirm(toNew),
  ])
  const changed = replies.filter(
    (reply) => reply.status === 200 && reply.json<EmailConfirmation>().is_changed,
  )
  expect(changed).toHaveLength(1)
  expect(replies.filter(({ status }) => status === 400)).toHaveLength(2)
  expect(await emailOf(ada)).toBe(next)
})

describe('a link', () => {
  test('works once, and does not count for the other', async () => {
    const { toNew } = await mailedTokens()
    expect((await confirm(toNew)).status).toBe(200)
    expect(problemOf(await confirm(toNew)).code).toBe('link-invalid')
    expect(await emailOf(ada)).toBe(old)
  })

  test('expires after a day', async () => {
    const { toOld, toNew } = await mailedTokens()
    await confirm(toOld)
    clock = new Date(clock.getTime() + DAY_MS)
    expect(problemOf(await confirm(toNew)).code).toBe('link-expired')
    await query(world.knex, `update sessions set expires_at = 'infinity' where user_id = ?`, [
      ada.id,
    ])
    expect(await emailOf(ada)).toBe(old)
  })

  test('is dead once the change is asked for again', async () => {
    const earlier = await mailedTokens()
    const { toOld } = await mailedTokens()
    expect((await confirm(earlier.toOld)).status).toBe(400)
    expect((await confirm(earlier.toNew)).status).toBe(400)
    expect((await confirm(toOld)).status).toBe(200)
  })

  test('is dead once the password is another', async () => {
    const { toOld, toNew } = await mailedTokens()
    await call(world.app, 'POST', '/api/change-password', {
      headers: ada.headers,
      body: { current_password: PASSWORD, new_password: 'a password of her own' },
    })
    for (const token of [toOld, toNew]) expect((await confirm(token)).status).toBe(400)
  })

  test('is not made when the password was changed before the mails were written', async () => {
    expect((await change()).status).toBe(200)
    await call(world.app, 'POST', '/api/change-password', {
      headers: ada.headers,
      body: { current_password: PASSWORD, new_password: 'a password of her own' },
    })
    await runJobs(world.services, mailer)
    expect(mailer.sent.map(({ subject }) => subject)).toEqual(['Homing: Your password was changed'])
  })

  test.each(['enabled = false', `email = 'elsewhere@mail.test'`])(
    'is worth nothing where meanwhile %s',
    async (fields) => {
      const { toOld, toNew } = await mailedTokens()
      await query(world.knex, `update users set ${fields} where id = ?`, [ada.id])
      for (const token of [toOld, toNew]) {
        expect(problemOf(await confirm(token)).code).toBe('link-invalid')
      }
      await query(world.knex, 'update users set email = ? where id = ?', [old, ada.id])
    },
  )

  test.each(['x', 'x'.repeat(256), "' or 1=1 --"])('%s is none', async (token) => {
    expect(problemOf(await confirm(token)).code).toBe('link-invalid')
  })

  test('that verifies an address changes none', async () => {
    await call(world.app, 'POST', '/api/register', {
      body: { username: `${ada.username}-b`, email: next, password: PASSWORD },
    })
    await runJobs(world.services, mailer)
    expect((await confirm(linkTokenOf(mailTo(next)))).status).toBe(400)
  })
})

describe('an address that is somebody’s already', () => {
  test('is asked for in the same way; its owner is told, and gets no link', async () => {
    const bob = await world.person(`bob${people}`)
    const taken = await change({ email: `${bob.username}@mail.test` })
    const free = await change()
    expect({ status: taken.status, text: taken.text }).toEqual({
      status: free.status,
      text: free.text,
    })
    const jobs = await query(world.knex, 'select distinct name from pgboss.job')
    expect(jobs).toEqual([{ name: 'change-email' }])
    mailer.sent.length = 0
    await query(world.knex, `delete from pgboss.job where data->>'email' = ?`, [next])
    await runJobs(world.services, mailer)
    // The two jobs end in any order.
    const subjects = new Map(mailer.sent.map(({ to, subject }) => [to, subject]))
    expect(mailer.sent).toHaveLength(2)
    expect(subjects.get(old)).toBe('Homing: Confirm another email address')
    expect(subjects.get(`${bob.username}@mail.test`)).toBe('Homing: You already have an account')
    expect(mailTo(`${bob.username}@mail.test`)?.text).not.toContain('confirm-email')
    expect((await confirm(linkTokenOf(mailTo(old)))).json()).toMatchObject({
      is_changed: false,
    })
    expect(await emailOf(ada)).toBe(old)
  })

  test('meanwhile: whoever verified it first keeps it', async () => {
    const { toOld, toNew } = await mailedTokens()
    await confirm(toOld)
    const bob = await world.person(`bob${people}`)
    await query(world.knex, 'update users set email = ? where id = ?', [next, bob.id])
    expect(problemOf(await confirm(toNew)).code).toBe('link-invalid')
    expect([await emailOf(ada), await emailOf(bob)]).toEqual([old, next])
  })
})

describe('asking', () => {
  test('is for people who are signed in, not for keys, other sites or disabled accounts', async () => {
    expect(problemOf(await change({}, {})).code).toBe('unauthenticated')
    const made = await call(world.app, 'POST', '/api/api-keys', {
      headers: ada.headers,
      body: { name: 'all' },
    })
    const key = { authorization: `Bearer ${made.json<{ key: string }>().key}` }
    expect(problemOf(await change({}, key)).code).toBe('forbidden')
    const signedIn = await call(world.app, 'POST', '/api/login', {
      headers: { origin: 'http://localhost:8080' },
      body: { username_or_email: ada.username, password: PASSWORD },
    })
    const cookie = String(signedIn.headers['set-cookie']).split(';', 1)[0] ?? ''
    const elsewhere = { cookie, origin: 'https://elsewhere.example' }
    expect(problemOf(await change({}, elsewhere)).code).toBe('cross-site')
    await query(world.knex, 'update users set enabled = false where id = ?', [ada.id])
    expect(problemOf(await change()).code).toBe('account-disabled')
  })

  test.each([
    ['password', { password: 'wrong password' }],
    ['password', { password: '' }],
    ['password', { password: undefined }],
    ['email', { email: 'example.net' }],
    ['email', { email: 'a@example.net\r\nbcc: b@example.net' }],
    ['email', { email: 7 }],
    ['email_verified', { email_verified: true }],
  ])('names %s: %j', async (field, fields) => {
    const reply = await change(fields)
    expect(reply.status).toBe(422)
    expect(problemOf(reply).errors).toEqual([expect.objectContaining({ field })])
    expect(await query(world.knex, 'select name from pgboss.job')).toEqual([])
  })

  test('for the address that one has is a fault of the field', async () => {
    expect(problemOf(await change({ email: old.toUpperCase() })).errors).toEqual([
      expect.objectContaining({ field: 'email' }),
    ])
  })

  test('to one that is thrown away is a fault of the field, before the password is looked at', async () => {
    const wish = { email: `${ada.username}@mailinator.com`, password: 'a guess' }
    expect(problemOf(await change(wish)).errors).toEqual([
      expect.objectContaining({ field: 'email' }),
    ])
  })

  test('is possible five times in an hour', async () => {
    const limited = await openApiWorld({ rateLimits: true })
    try {
      const person = await limited.person('ada')
      const statuses: number[] = []
      for (let n = 0; n < 6; n += 1) {
        const reply = await call(limited.app, 'POST', '/api/change-email', {
          headers: person.headers,
          body: { email: `ada${n}@example.net`, password: PASSWORD },
        })
        statuses.push(reply.status)
      }
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    } finally {
      await limited.end()
    }
  })
})
