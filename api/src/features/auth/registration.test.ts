/** Registration: the fields, the result, and names and addresses that are already taken. */
import { TERMS_VERSION } from '@homing/openapi'
import { beforeEach, describe, expect, test } from 'vitest'
import { problemOf } from '../../../test/support/calls.ts'
import { linkTokenOf } from '../../../test/support/mail.ts'
import { countsOf, useRegistrationWorld } from '../../../test/support/registration-world.ts'
import { query } from '../../database/sql.ts'

const t = useRegistrationWorld()

describe('POST /api/register', () => {
  test('creates a free account, and mails a link that verifies its address', async () => {
    const reply = await t.register({ given_name: 'Ada', surname: '' })
    expect(reply.status).toBe(201)
    expect(reply.json()).toEqual({
      message: 'Please check your email to verify your account.',
      username: t.name,
      email: `${t.name}@example.net`,
    })
    expect(await t.runJobs()).toEqual(['registration', 'mail'])
    const [mail] = t.mailer.sent
    expect(mail).toMatchObject({
      to: `${t.name}@example.net`,
      subject: 'Homing: Verify your email address',
    })
    expect(mail?.text).toContain(`http://localhost:8080/#verify-email/${linkTokenOf(mail)}`)
    const rows = await query(
      t.world.knex,
      `select account_type, enabled, email_verified_at, given_name, surname, password_hash like '$argon2id$%' as is_hashed
       from users where username = ?`,
      [t.name],
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

  test('stores neither the token of the link nor the password', async () => {
    const token = await t.registeredToken({ password: 'unmistakable password' })
    const rows = await query<{ text: string }>(
      t.world.knex,
      `select t::text as text from mail_links t union all select t::text from users t
       union all select t::text from pgboss.job t`,
    )
    const all = rows.map(({ text }) => text).join('\n')
    expect(all).toContain(t.name)
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
    const reply = await t.register(fields)
    expect(reply.status).toBe(422)
    expect(problemOf(reply).errors).toEqual([expect.objectContaining({ field })])
  })

  test.each([{ terms: true }, { captcha_token: 'solved' }, { given_name: null }])(
    'accepts %j',
    async (fields) => {
      expect((await t.register(fields)).status).toBe(201)
    },
  )

  test.each(['admin', 'Postmaster', 'no.reply', 'root', 'none'])(
    'the user name %s cannot be registered',
    async (username) => {
      expect(problemOf(await t.register({ username })).code).toBe('username-taken')
    },
  )

  test('a taken user name is 409, whatever its case', async () => {
    await t.register()
    const reply = await t.register({ username: t.name.toUpperCase(), email: 'other@example.net' })
    expect(reply.status).toBe(409)
    expect(problemOf(reply)).toMatchObject({
      code: 'username-taken',
      errors: [{ field: 'username', message: expect.any(String) }],
    })
  })

  test('of ten concurrent registrations of one user name one succeeds', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => t.register({ email: `${t.name}-${n}@example.net` })),
    )
    expect(countsOf(replies)).toEqual({ 201: 1, 409: 9 })
  })
})

describe('an address of another account', () => {
  let owner: string
  const email = () => `${owner}@example.net`

  beforeEach(async () => {
    owner = t.name
    await t.verify(await t.registeredToken())
    t.name = `${t.name}-again`
    t.mailer.sent.length = 0
  })

  test('gets the same response, account and refusal to sign in as a new one', async () => {
    const password = 'of the stranger'
    const taken = await t.register({ email: email().toUpperCase(), password })
    const fresh = await t.register({ username: `${t.name}2`, email: `${t.name}2@example.net` })
    expect(taken.status).toBe(fresh.status)
    expect(Object.keys(taken.json<object>())).toEqual(Object.keys(fresh.json<object>()))
    for (const username_or_email of [t.name, email()]) {
      const refused = await t.login({ username_or_email, password })
      expect(problemOf(refused).code).toBe('email-not-verified')
    }
    const again = await t.register({ email: 'third@example.net' })
    expect(problemOf(again).code).toBe('username-taken')
  })

  test('its owner is notified by mail and keeps the account; the new account gets no link', async () => {
    await t.register({ email: email(), password: 'of the stranger' })
    await t.runJobs()
    expect(t.mailer.sent).toMatchObject([
      { to: email(), subject: 'Homing: You already have an account' },
    ])
    expect(t.mailer.sent[0]?.text).not.toContain('verify-email')
    const signedIn = await t.login({ username_or_email: email() })
    expect(signedIn.json()).toMatchObject({ username: owner })
  })

  test('no further link is sent for it', async () => {
    await t.register({ email: email() })
    await t.runJobs()
    t.mailer.sent.length = 0
    expect((await t.resend(email())).status).toBe(200)
    await t.runJobs()
    expect(t.mailer.sent).toEqual([])
  })
})

test('if the registration cannot be stored, no mail is sent and no account is left', async () => {
  const stored = t.world.services.jobs.enqueue.bind(t.world.services.jobs)
  t.world.services.jobs.enqueue = () => Promise.reject(new Error('not stored'))
  const reply = await t.register()
  t.world.services.jobs.enqueue = stored
  expect(reply.status).toBe(500)
  expect(await query(t.world.knex, 'select 1 from users where username = ?', [t.name])).toEqual([])
})

describe('the terms', () => {
  const accepted = async () => {
    const [row] = await query<{ version: string | null; at: Date | null }>(
      t.world.knex,
      'select terms_version as version, terms_accepted_at as at from users where username = ?',
      [t.name],
    )
    return row
  }

  test.each([
    { terms: true },
    { terms_version: TERMS_VERSION },
    { terms: true, terms_version: TERMS_VERSION },
  ])('are recorded with the time: %j', async (fields) => {
    expect((await t.register(fields)).status).toBe(201)
    expect(await accepted()).toEqual({ version: TERMS_VERSION, at: t.clock })
  })

  test('are not recorded if the request omits them', async () => {
    expect((await t.register()).status).toBe(201)
    expect(await accepted()).toEqual({ version: null, at: null })
  })

  test.each(['2020-01-01', '', 'latest'])(
    'of the version %j are refused',
    async (terms_version) => {
      const reply = await t.register({ terms: true, terms_version })
      expect(problemOf(reply)).toMatchObject({ status: 422, errors: [{ field: 'terms_version' }] })
      expect(await accepted()).toBeUndefined()
    },
  )
})
