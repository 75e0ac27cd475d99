import type { EmailConfirmation, Me } from '@homing/openapi'
import { beforeEach, describe, expect, test } from 'vitest'
import { useAccountWorld } from '../../../test/support/account-world.ts'
import { type Caller, openApiWorld, PASSWORD } from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { linkTokenOf, runJobs } from '../../../test/support/mail.ts'
import { query } from '../../database/sql.ts'

const DAY_MS = 86_400_000
const t = useAccountWorld()
let old: string
let next: string

beforeEach(async () => {
  old = `${t.ada.username}@mail.test`
  next = `${t.ada.username}@example.net`
})

const change = (fields: object = {}, headers: Caller['headers'] = t.ada.headers) =>
  call(t.world.app, 'POST', '/api/change-email', {
    headers,
    body: { email: next, password: PASSWORD, ...fields },
  })
const confirm = (token: string) =>
  call(t.world.app, 'POST', '/api/confirm-email-change', { body: { token } })
const login = (username_or_email: string) =>
  call(t.world.app, 'POST', '/api/login', { body: { username_or_email, password: PASSWORD } })
const emailOf = async ({ headers }: Caller) =>
  (await call(t.world.app, 'GET', '/api/me', { headers })).json<Me>().email
const mailTo = (address: string) => t.mailer.sent.findLast(({ to }) => to === address)

/** Requests the change and returns the tokens of both links. */
async function mailedTokens(): Promise<{ readonly toOld: string; readonly toNew: string }> {
  expect((await change()).status).toBe(200)
  await runJobs(t.world.services, t.mailer)
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
  expect(await emailOf(t.ada)).toBe(old)
  expect((await confirm(second)).json()).toEqual({
    message: 'Your email address was changed.',
    is_changed: true,
  })
  expect(await emailOf(t.ada)).toBe(next)
  const me = (await t.as(t.ada.headers, 'GET', '/api/me')).json<Me>()
  expect([me.email_changed_at, me.password_changed_at]).toEqual([expect.any(String), null])
  t.mailer.sent.length = 0
  await runJobs(t.world.services, t.mailer)
  expect(t.mailer.sent).toMatchObject([
    { to: old, subject: 'Homing: Your email address was changed' },
  ])
})

test('links that would verify the new address for other accounts stop working', async () => {
  const { toOld, toNew } = await mailedTokens()
  const rival = { username: `${t.ada.username}-rival`, email: next, password: PASSWORD }
  await call(t.world.app, 'POST', '/api/register', { body: rival })
  await runJobs(t.world.services, t.mailer)
  const theirs = linkTokenOf(mailTo(next))
  await confirm(toOld)
  await confirm(toNew)
  await query(t.world.knex, 'delete from users where id = ?', [t.ada.id])
  const reply = await call(t.world.app, 'POST', '/api/verify-email', { body: { token: theirs } })
  expect(problemOf(reply).code).toBe('link-invalid')
})

test('signing in by the old address ends at once, by the new one it begins', async () => {
  expect((await login(old)).status).toBe(200)
  const { toOld, toNew } = await mailedTokens()
  await confirm(toOld)
  await confirm(toNew)
  expect((await login(old)).status).toBe(401)
  expect((await login(next)).status).toBe(200)
})

test('concurrent calls with both links make one change', async () => {
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
  expect(await emailOf(t.ada)).toBe(next)
})

describe('a link', () => {
  test('works once, and does not count for the other', async () => {
    const { toNew } = await mailedTokens()
    expect((await confirm(toNew)).status).toBe(200)
    expect(problemOf(await confirm(toNew)).code).toBe('link-invalid')
    expect(await emailOf(t.ada)).toBe(old)
  })

  test('expires after a day', async () => {
    const { toOld, toNew } = await mailedTokens()
    await confirm(toOld)
    t.clock = new Date(t.clock.getTime() + DAY_MS)
    expect(problemOf(await confirm(toNew)).code).toBe('link-expired')
    await query(t.world.knex, `update sessions set expires_at = 'infinity' where user_id = ?`, [
      t.ada.id,
    ])
    expect(await emailOf(t.ada)).toBe(old)
  })

  test('is invalid after another request for a change', async () => {
    const earlier = await mailedTokens()
    const { toOld } = await mailedTokens()
    expect((await confirm(earlier.toOld)).status).toBe(400)
    expect((await confirm(earlier.toNew)).status).toBe(400)
    expect((await confirm(toOld)).status).toBe(200)
  })

  test('is invalid after a change of the password', async () => {
    const { toOld, toNew } = await mailedTokens()
    await call(t.world.app, 'POST', '/api/change-password', {
      headers: t.ada.headers,
      body: { current_password: PASSWORD, new_password: 'a password of her own' },
    })
    for (const token of [toOld, toNew]) expect((await confirm(token)).status).toBe(400)
  })

  test('is not created when the password was changed before the mails were written', async () => {
    expect((await change()).status).toBe(200)
    await call(t.world.app, 'POST', '/api/change-password', {
      headers: t.ada.headers,
      body: { current_password: PASSWORD, new_password: 'a password of her own' },
    })
    await runJobs(t.world.services, t.mailer)
    expect(t.mailer.sent.map(({ subject }) => subject)).toEqual([
      'Homing: Your password was changed',
    ])
  })

  test.each(['enabled = false', `email = 'elsewhere@mail.test'`])(
    'is invalid if meanwhile %s',
    async (fields) => {
      const { toOld, toNew } = await mailedTokens()
      await query(t.world.knex, `update users set ${fields} where id = ?`, [t.ada.id])
      for (const token of [toOld, toNew]) {
        expect(problemOf(await confirm(token)).code).toBe('link-invalid')
      }
      await query(t.world.knex, 'update users set email = ? where id = ?', [old, t.ada.id])
    },
  )

  test.each(['x', 'x'.repeat(256), "' or 1=1 --"])('%s is invalid', async (token) => {
    expect(problemOf(await confirm(token)).code).toBe('link-invalid')
  })

  test('for verifying an address cannot change one', async () => {
    await call(t.world.app, 'POST', '/api/register', {
      body: { username: `${t.ada.username}-b`, email: next, password: PASSWORD },
    })
    await runJobs(t.world.services, t.mailer)
    expect((await confirm(linkTokenOf(mailTo(next)))).status).toBe(400)
  })
})

describe('an address of another account', () => {
  test('gets the same response; its owner is notified, and gets no link', async () => {
    const { bob } = t
    const taken = await change({ email: `${bob.username}@mail.test` })
    const free = await change()
    expect({ status: taken.status, text: taken.text }).toEqual({
      status: free.status,
      text: free.text,
    })
    const jobs = await query(t.world.knex, 'select distinct name from pgboss.job')
    expect(jobs).toEqual([{ name: 'change-email' }])
    t.mailer.sent.length = 0
    await query(t.world.knex, `delete from pgboss.job where data->>'email' = ?`, [next])
    await runJobs(t.world.services, t.mailer)
    // The two jobs end in any order.
    const subjects = new Map(t.mailer.sent.map(({ to, subject }) => [to, subject]))
    expect(t.mailer.sent).toHaveLength(2)
    expect(subjects.get(old)).toBe('Homing: Confirm the change of your email address')
    expect(subjects.get(`${bob.username}@mail.test`)).toBe('Homing: You already have an account')
    expect(mailTo(`${bob.username}@mail.test`)?.text).not.toContain('confirm-email')
    expect((await confirm(linkTokenOf(mailTo(old)))).json()).toMatchObject({
      is_changed: false,
    })
    expect(await emailOf(t.ada)).toBe(old)
  })

  test('the account that verified it first meanwhile keeps it', async () => {
    const { toOld, toNew } = await mailedTokens()
    await confirm(toOld)
    const { bob } = t
    await query(t.world.knex, 'update users set email = ? where id = ?', [next, bob.id])
    expect(problemOf(await confirm(toNew)).code).toBe('link-invalid')
    expect([await emailOf(t.ada), await emailOf(bob)]).toEqual([old, next])
  })
})

describe('the request', () => {
  test('requires a session, and is refused to keys, other sites and disabled accounts', async () => {
    expect(problemOf(await change({}, {})).code).toBe('unauthenticated')
    const made = await call(t.world.app, 'POST', '/api/api-keys', {
      headers: t.ada.headers,
      body: { name: 'all' },
    })
    const key = { authorization: `Bearer ${made.json<{ key: string }>().key}` }
    expect(problemOf(await change({}, key)).code).toBe('forbidden')
    const signedIn = await call(t.world.app, 'POST', '/api/login', {
      headers: { origin: 'http://localhost:8080' },
      body: { username_or_email: t.ada.username, password: PASSWORD },
    })
    const cookie = String(signedIn.headers['set-cookie']).split(';', 1)[0] ?? ''
    const elsewhere = { cookie, origin: 'https://elsewhere.example' }
    expect(problemOf(await change({}, elsewhere)).code).toBe('cross-site')
    await query(t.world.knex, 'update users set enabled = false where id = ?', [t.ada.id])
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
    expect(await query(t.world.knex, 'select name from pgboss.job')).toEqual([])
  })

  test('for the account’s own address is an error of the field', async () => {
    expect(problemOf(await change({ email: old.toUpperCase() })).errors).toEqual([
      expect.objectContaining({ field: 'email' }),
    ])
  })

  test('for a disposable address is an error of the field, before the password is checked', async () => {
    const wish = { email: `${t.ada.username}@mailinator.com`, password: 'a guess' }
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
