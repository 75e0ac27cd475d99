/** The second step of signing in: valid codes, its time limit, and refusals. */
import type { LoginAttempt, SignedIn } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import { PASSWORD } from '../../../test/support/api-world.ts'
import { bearer, call, problemOf } from '../../../test/support/calls.ts'
import { loginTokenOf, secondStep, STEP_MS } from '../../../test/support/second-factor.ts'
import { useAppOwnerWorld } from '../../../test/support/second-factor-world.ts'
import { query } from '../../database/sql.ts'

const MINUTE_MS = 60_000
const t = useAppOwnerWorld()

describe('POST /api/login/second-factor', () => {
  test('signs in with a code of the app', async () => {
    const login_token = await loginTokenOf(t.world, t.ada.username)
    const reply = await secondStep(t.world, { login_token, code: t.code() })
    expect(reply.status).toBe(200)
    const signedIn = reply.json<SignedIn>()
    expect(signedIn).toMatchObject({ username: t.ada.username, user_id: t.ada.id })
    expect(signedIn.token).not.toBe(login_token)
    expect((await t.me(bearer(signedIn.token))).status).toBe(200)
  })

  test('gives a browser a cookie', async () => {
    const login_token = await loginTokenOf(t.world, t.ada.username)
    const reply = await call(t.world.app, 'POST', '/api/login/second-factor', {
      body: { login_token, code: t.code() },
      headers: { origin: 'http://localhost:8080' },
    })
    expect(reply.json<SignedIn>().token).toBe('session')
    expect(String(reply.headers['set-cookie'])).toMatch(/^homing_session=[\w-]{43}; .*HttpOnly/)
  })

  test('another site cannot sign its visitor in', async () => {
    const login_token = await loginTokenOf(t.world, t.ada.username)
    const reply = await call(t.world.app, 'POST', '/api/login/second-factor', {
      body: { login_token, code: t.code() },
      headers: { origin: 'https://elsewhere.example' },
    })
    expect(problemOf(reply).code).toBe('cross-site')
  })

  test('a wrong code keeps the token valid, a right one uses it up', async () => {
    const login_token = await loginTokenOf(t.world, t.ada.username)
    const wrong = await secondStep(t.world, { login_token, code: t.wrongCode() })
    expect(wrong.status).toBe(401)
    const code = t.code()
    expect((await secondStep(t.world, { login_token, code })).status).toBe(200)
    t.later(STEP_MS)
    const again = await secondStep(t.world, { login_token, code: t.code() })
    expect(problemOf(again)).toMatchObject({ status: 401, code: 'sign-in-expired' })
  })

  test('the token is valid for ten minutes', async () => {
    const early = await loginTokenOf(t.world, t.ada.username)
    const late = await loginTokenOf(t.world, t.ada.username)
    t.later(10 * MINUTE_MS - 1)
    const code = t.code()
    expect((await secondStep(t.world, { login_token: early, code })).status).toBe(200)
    t.later(STEP_MS)
    const reply = await secondStep(t.world, {
      login_token: late,
      code: t.code(),
    })
    expect(problemOf(reply).code).toBe('sign-in-expired')
  })

  test('the token ends with the password that it replaces', async () => {
    const login_token = await loginTokenOf(t.world, t.ada.username)
    const change = await call(t.world.app, 'POST', '/api/change-password', {
      headers: t.ada.headers,
      body: { current_password: PASSWORD, new_password: 'another password' },
    })
    expect(change.status).toBe(200)
    const reply = await secondStep(t.world, { login_token, code: t.code() })
    expect(problemOf(reply).code).toBe('sign-in-expired')
  })

  test('an account that was disabled meanwhile is reported', async () => {
    const login_token = await loginTokenOf(t.world, t.ada.username)
    await query(t.world.knex, 'update users set enabled = false where id = ?', [t.ada.id])
    const reply = await secondStep(t.world, { login_token, code: t.code() })
    expect(problemOf(reply).code).toBe('account-disabled')
  })

  test('failed attempts are in the login history, like successful ones', async () => {
    const login_token = await loginTokenOf(t.world, t.ada.username)
    await secondStep(t.world, { login_token, code: t.wrongCode() })
    const code = t.code()
    const { token } = (await secondStep(t.world, { login_token, code })).json<SignedIn>()
    await t.world.services.loginHistory.flush()
    const history = await call(t.world.app, 'GET', '/api/me/login-history', {
      headers: { authorization: `Bearer ${token}` },
    })
    // Both at the same time.
    const outcomes = history.json<LoginAttempt[]>().toSorted((a) => (a.success ? -1 : 1))
    expect(outcomes).toMatchObject([
      { success: true, method: 'password_totp' },
      { success: false, method: 'password_totp' },
    ])
  })

  test('cancels the deletion of the account; the password alone does not', async () => {
    const dueOf = () =>
      query<{ due: Date | null }>(
        t.world.knex,
        'select deletion_due_at as due from users where id = ?',
        [t.ada.id],
      )
    await query(t.world.knex, 'update users set deletion_due_at = ? where id = ?', [
      new Date(t.clock.getTime() + MINUTE_MS),
      t.ada.id,
    ])
    const login_token = await loginTokenOf(t.world, t.ada.username)
    expect((await dueOf())[0]?.due).not.toBeNull()
    await secondStep(t.world, { login_token, code: t.code() })
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
    const reply = await secondStep(t.world, { login_token: 'x'.repeat(43), ...fields })
    expect(reply.status).toBe(422)
    expect(problemOf(reply).errors).toEqual([expect.objectContaining({ field })])
  })

  test('an invalid token has expired', async () => {
    const fields = { login_token: 'x'.repeat(43), code: '123456' }
    expect(problemOf(await secondStep(t.world, fields)).code).toBe('sign-in-expired')
  })
})
