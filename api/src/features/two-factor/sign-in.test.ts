/** Signing in to an account that has a second factor. */
import type { LoginAttempt, SignedIn } from '@homing/openapi'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type ApiWorld,
  type Caller,
  openApiWorld,
  PASSWORD,
} from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { KeepingMailer, runJobs } from '../../../test/support/mail.ts'
import {
  addApp,
  type AppOwner,
  codeAt,
  loginTokenOf,
  passwordStep,
  secondStep,
  STEP_MS,
  wrongCodeAt,
} from '../../../test/support/second-factor.ts'
import { query } from '../../sql.ts'

const MINUTE_MS = 60_000
let world: ApiWorld
let clock = new Date()
let people = 0
let ada: Caller
let owner: AppOwner

beforeAll(async () => {
  world = await openApiWorld({}, { now: () => clock })
})
afterAll(() => world.end())
beforeEach(async () => {
  people += 1
  // Within a step, so that a test which moves the clock knows in which one it is.
  clock = new Date(Math.floor(Date.now() / STEP_MS) * STEP_MS + 10_000)
  ada = await world.person(`ada${people}`)
  owner = await addApp(world, ada, clock)
})

const later = (ms: number) => (clock = new Date(clock.getTime() + ms))
const me = (token: string) =>
  call(world.app, 'GET', '/api/me', { headers: { authorization: `Bearer ${token}` } })

describe('POST /api/login', () => {
  test('says what is missing, and makes no session', async () => {
    const before = await query(world.knex, 'select count(*) from sessions')
    const answer = await passwordStep(world, ada.username)
    expect(answer).toEqual({
      requires_second_factor: true,
      login_token: expect.stringMatching(/^[\w-]{43}$/),
      methods: ['totp', 'recovery_code'],
      expires_at: new Date(clock.getTime() + 10 * MINUTE_MS).toISOString(),
    })
    expect(await query(world.knex, 'select count(*) from sessions')).toEqual(before)
    expect(await query(world.knex, 'select last_login from users where id = ?', [ada.id])).toEqual([
      { last_login: null },
    ])
  })

  test('says nothing of it to whoever has not the password', async () => {
    const body = { username_or_email: ada.username, password: 'wrong password' }
    const reply = await call(world.app, 'POST', '/api/login', { body })
    expect(problemOf(reply).code).toBe('wrong-credentials')
    expect(reply.text).not.toContain('second')
  })

  test('a disabled account is told so at the first step', async () => {
    await query(world.knex, 'update users set enabled = false where id = ?', [ada.id])
    const body = { username_or_email: ada.username, password: PASSWORD }
    expect(problemOf(await call(world.app, 'POST', '/api/login', { body })).code).toBe(
      'account-disabled',
    )
  })

  test('an account whose time is over is gone, whatever it asks for', async () => {
    await query(world.knex, 'update users set deletion_due_at = ? where id = ?', [clock, ada.id])
    const body = { username_or_email: ada.username, password: PASSWORD }
    expect(problemOf(await call(world.app, 'POST', '/api/login', { body })).code).toBe(
      'wrong-credentials',
    )
  })

  test('its token is no session, and is kept as a digest', async () => {
    const token = await loginTokenOf(world, ada.username)
    expect((await me(token)).status).toBe(401)
    const kept = await query<{ text: string }>(
      world.knex,
      'select t::text as text from login_tokens t',
    )
    expect(kept.length).toBeGreaterThan(0)
    expect(kept.map(({ text }) => text).join('\n')).not.toContain(token)
  })

  test('keeps the twenty newest tokens of an account', async () => {
    const tokens: string[] = []
    for (let n = 0; n < 21; n += 1) tokens.push(await loginTokenOf(world, ada.username))
    const code = wrongCodeAt(owner.secret, clock)
    const [first, second] = tokens
    expect(problemOf(await secondStep(world, { login_token: first, code })).code).toBe(
      'sign-in-expired',
    )
    expect(problemOf(await secondStep(world, { login_token: second, code })).code).toBe(
      'wrong-credentials',
    )
  })
})

describe('POST /api/login/second-factor', () => {
  test('signs in by a code of the app', async () => {
    const login_token = await loginTokenOf(world, ada.username)
    const reply = await secondStep(world, { login_token, code: codeAt(owner.secret, clock) })
    expect(reply.status).toBe(200)
    const signedIn = reply.json<SignedIn>()
    expect(signedIn).toMatchObject({ username: ada.username, user_id: ada.id })
    expect(signedIn.token).not.toBe(login_token)
    expect((await me(signedIn.token)).status).toBe(200)
  })

  test('gives a browser a cookie', async () => {
    const login_token = await loginTokenOf(world, ada.username)
    const reply = await call(world.app, 'POST', '/api/login/second-factor', {
      body: { login_token, code: codeAt(owner.secret, clock) },
      headers: { origin: 'http://localhost:8080' },
    })
    expect(reply.json<SignedIn>().token).toBe('session')
    expect(String(reply.headers['set-cookie'])).toMatch(/^homing_session=[\w-]{43}; .*HttpOnly/)
  })

  test('another site cannot sign its visitor in', async () => {
    const login_token = await loginTokenOf(world, ada.username)
    const reply = await call(world.app, 'POST', '/api/login/second-factor', {
      body: { login_token, code: codeAt(owner.secret, clock) },
      headers: { origin: 'https://elsewhere.example' },
    })
    expect(problemOf(reply).code).toBe('cross-site')
  })

  test.each([-1, 0, 1])('takes a code that is %i steps away', async (steps) => {
    later(STEP_MS)
    const login_token = await loginTokenOf(world, ada.username)
    const code = codeAt(owner.secret, clock, steps)
    expect((await secondStep(world, { login_token, code })).status).toBe(200)
  })

  test.each([-2, 2])('takes none that is %i steps away', async (steps) => {
    later(2 * STEP_MS)
    const login_token = await loginTokenOf(world, ada.username)
    const code = codeAt(owner.secret, clock, steps)
    expect(problemOf(await secondStep(world, { login_token, code })).code).toBe('wrong-credentials')
  })

  test('takes the code with the gap that apps show', async () => {
    const login_token = await loginTokenOf(world, ada.username)
    const code = codeAt(owner.secret, clock).replace(/^.{3}/, '$& ')
    expect((await secondStep(world, { login_token, code })).status).toBe(200)
  })

  test('a code is taken once, and an earlier one not after it; both are answered as a wrong one', async () => {
    later(STEP_MS)
    const answers: object[] = []
    for (const code of [
      codeAt(owner.secret, clock),
      codeAt(owner.secret, clock),
      codeAt(owner.secret, clock, -1),
      wrongCodeAt(owner.secret, clock),
    ]) {
      const login_token = await loginTokenOf(world, ada.username)
      const reply = await secondStep(world, { login_token, code })
      if (reply.status !== 200) answers.push({ ...problemOf(reply), requestId: '' })
    }
    expect(answers).toHaveLength(3)
    expect(answers[0]).toMatchObject({
      status: 401,
      code: 'wrong-credentials',
      detail: 'This code is not right, or it was used already.',
    })
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
  })

  test('the code that turned the app on signs nobody in', async () => {
    const login_token = await loginTokenOf(world, ada.username)
    const code = codeAt(owner.secret, clock, -1)
    expect((await secondStep(world, { login_token, code })).status).toBe(401)
  })

  test('of ten at once with one code one succeeds, whether their tokens are one or ten', async () => {
    const code = codeAt(owner.secret, clock)
    const tokens: string[] = []
    for (let n = 0; n < 10; n += 1) tokens.push(await loginTokenOf(world, ada.username))
    const apart = await Promise.all(
      tokens.map((login_token) => secondStep(world, { login_token, code })),
    )
    expect(apart.filter(({ status }) => status === 200)).toHaveLength(1)
    later(STEP_MS)
    const next = codeAt(owner.secret, clock)
    const one = await loginTokenOf(world, ada.username)
    const same = await Promise.all(
      tokens.map(() => secondStep(world, { login_token: one, code: next })),
    )
    expect(same.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(same.map(({ status }) => status))).toEqual(new Set([200, 401]))
  })

  test('a wrong code leaves the token good, a right one uses it up', async () => {
    const login_token = await loginTokenOf(world, ada.username)
    const wrong = await secondStep(world, { login_token, code: wrongCodeAt(owner.secret, clock) })
    expect(wrong.status).toBe(401)
    const code = codeAt(owner.secret, clock)
    expect((await secondStep(world, { login_token, code })).status).toBe(200)
    later(STEP_MS)
    const again = await secondStep(world, { login_token, code: codeAt(owner.secret, clock) })
    expect(problemOf(again)).toMatchObject({ status: 401, code: 'sign-in-expired' })
  })

  test('the token is good for ten minutes', async () => {
    const early = await loginTokenOf(world, ada.username)
    const late = await loginTokenOf(world, ada.username)
    later(10 * MINUTE_MS - 1)
    const code = codeAt(owner.secret, clock)
    expect((await secondStep(world, { login_token: early, code })).status).toBe(200)
    later(STEP_MS)
    const reply = await secondStep(world, {
      login_token: late,
      code: codeAt(owner.secret, clock),
    })
    expect(problemOf(reply).code).toBe('sign-in-expired')
  })

  test('the token dies with the password that it stands for', async () => {
    const login_token = await loginTokenOf(world, ada.username)
    const change = await call(world.app, 'POST', '/api/change-password', {
      headers: ada.headers,
      body: { current_password: PASSWORD, new_password: 'another password' },
    })
    expect(change.status).toBe(200)
    const reply = await secondStep(world, { login_token, code: codeAt(owner.secret, clock) })
    expect(problemOf(reply).code).toBe('sign-in-expired')
  })

  test('an account that was disabled meanwhile is told so', async () => {
    const login_token = await loginTokenOf(world, ada.username)
    await query(world.knex, 'update users set enabled = false where id = ?', [ada.id])
    const reply = await secondStep(world, { login_token, code: codeAt(owner.secret, clock) })
    expect(problemOf(reply).code).toBe('account-disabled')
  })

  test('somebody else’s code is a wrong one', async () => {
    const bob = await world.person(`bob${people}`)
    const other = await addApp(world, bob, clock)
    const login_token = await loginTokenOf(world, ada.username)
    for (const fields of [
      { code: codeAt(other.secret, clock) },
      { recovery_code: other.recoveryCodes[0] },
    ]) {
      expect((await secondStep(world, { login_token, ...fields })).status).toBe(401)
    }
  })

  test('what was tried in vain is in the login history, as what succeeded is', async () => {
    const login_token = await loginTokenOf(world, ada.username)
    await secondStep(world, { login_token, code: wrongCodeAt(owner.secret, clock) })
    const code = codeAt(owner.secret, clock)
    const { token } = (await secondStep(world, { login_token, code })).json<SignedIn>()
    await world.services.loginHistory.flush()
    const history = await call(world.app, 'GET', '/api/me/login-history', {
      headers: { authorization: `Bearer ${token}` },
    })
    const outcomes = history.json<LoginAttempt[]>().map(({ success }) => success)
    expect(outcomes).toHaveLength(2)
    expect(new Set(outcomes)).toEqual(new Set([false, true]))
  })

  test('takes back that the account is to be deleted; the password alone does not', async () => {
    const dueOf = () =>
      query<{ due: Date | null }>(
        world.knex,
        'select deletion_due_at as due from users where id = ?',
        [ada.id],
      )
    await query(world.knex, 'update users set deletion_due_at = ? where id = ?', [
      new Date(clock.getTime() + MINUTE_MS),
      ada.id,
    ])
    const login_token = await loginTokenOf(world, ada.username)
    expect((await dueOf())[0]?.due).not.toBeNull()
    await secondStep(world, { login_token, code: codeAt(owner.secret, clock) })
    expect(await dueOf()).toEqual([{ due: null }])
  })

  test.each([
    ['code', {}],
    ['code', { code: '123456', recovery_code: 'x' }],
    ['code', { code: '12345' }],
    ['code', { code: '1234567' }],
    ['code', { code: 123456 }],
    ['code', { code: '12345a' }],
    ['code', { code: null }],
    ['recovery_code', { recovery_code: '' }],
    ['recovery_code', { recovery_code: 'x'.repeat(65) }],
    ['login_token', { code: '123456', login_token: '' }],
    ['login_token', { code: '123456', login_token: ['x'] }],
    ['login_token', { code: '123456', login_token: 'x'.repeat(257) }],
    ['password', { code: '123456', password: PASSWORD }],
  ])('names %s: %j', async (field, fields) => {
    const reply = await secondStep(world, { login_token: 'x'.repeat(43), ...fields })
    expect(reply.status).toBe(422)
    expect(problemOf(reply).errors).toEqual([expect.objectContaining({ field })])
  })

  test('a token that is none has expired', async () => {
    const fields = { login_token: 'x'.repeat(43), code: '123456' }
    expect(problemOf(await secondStep(world, fields)).code).toBe('sign-in-expired')
  })
})

describe('a recovery code', () => {
  test('stands in for the app, once, however it is typed; the owner is told', async () => {
    const [first = '', second = ''] = owner.recoveryCodes
    const mailer = new KeepingMailer()
    await runJobs(world.services, mailer)
    mailer.sent.length = 0
    const typed = ` ${first.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o')} `
    for (const [recovery_code, status] of [
      [typed, 200],
      [first, 401],
      [second, 200],
    ] as const) {
      const login_token = await loginTokenOf(world, ada.username)
      expect((await secondStep(world, { login_token, recovery_code })).status).toBe(status)
    }
    await runJobs(world.services, mailer)
    const told = mailer.sent.filter(({ subject }) => subject.endsWith('A recovery code was used'))
    expect(told).toHaveLength(2)
    expect(told[1]?.text.replaceAll('\n', ' ')).toContain('8 of them are left')
  })

  test('of ten at once with one code one succeeds', async () => {
    const [recovery_code] = owner.recoveryCodes
    const tokens: string[] = []
    for (let n = 0; n < 10; n += 1) tokens.push(await loginTokenOf(world, ada.username))
    const replies = await Promise.all(
      tokens.map((login_token) => secondStep(world, { login_token, recovery_code })),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(9)
  })
})

test.each([
  // Those of the tests before.
  ['another account’s', `select sealed_secret from totp_secrets where user_id <> ? limit 1`],
  ['one that was changed', `select 'v1.' || repeat('A', 64 + 0 * ?::int)`],
])('a secret that does not open, %s, lets a recovery code sign in', async (_, secret) => {
  await query(world.knex, `update totp_secrets set sealed_secret = (${secret}) where user_id = ?`, [
    ada.id,
    ada.id,
  ])
  const token = await loginTokenOf(world, ada.username)
  const code = codeAt(owner.secret, clock)
  const refused = await secondStep(world, { login_token: token, code })
  expect([refused.status, problemOf(refused).detail]).toEqual([
    503,
    expect.stringContaining('Use a recovery code or a passkey'),
  ])
  const [recoveryCode] = owner.recoveryCodes
  const { status } = await secondStep(world, { login_token: token, recovery_code: recoveryCode })
  expect(status).toBe(200)
})
