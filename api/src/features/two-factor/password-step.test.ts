/** The password of an account that has a second factor: the response names the missing step and starts no session. */
import { describe, expect, test } from 'vitest'
import { PASSWORD } from '../../../test/support/api-world.ts'
import { bearer, call, problemOf } from '../../../test/support/calls.ts'
import { loginTokenOf, passwordStep, secondStep } from '../../../test/support/second-factor.ts'
import { useAppOwnerWorld } from '../../../test/support/second-factor-world.ts'
import { query } from '../../database/sql.ts'

const MINUTE_MS = 60_000
const t = useAppOwnerWorld()

describe('POST /api/login', () => {
  test('names the missing step, and starts no session', async () => {
    const before = await query(t.world.knex, 'select count(*) from sessions')
    const answer = await passwordStep(t.world, t.ada.username)
    expect(answer).toEqual({
      requires_second_factor: true,
      login_token: expect.stringMatching(/^[\w-]{43}$/),
      methods: ['totp', 'recovery_code'],
      expires_at: new Date(t.clock.getTime() + 10 * MINUTE_MS).toISOString(),
    })
    expect(await query(t.world.knex, 'select count(*) from sessions')).toEqual(before)
    expect(
      await query(t.world.knex, 'select last_login from users where id = ?', [t.ada.id]),
    ).toEqual([{ last_login: null }])
  })

  test('does not reveal it without the right password', async () => {
    const body = { username_or_email: t.ada.username, password: 'wrong password' }
    const reply = await call(t.world.app, 'POST', '/api/login', { body })
    expect(problemOf(reply).code).toBe('wrong-credentials')
    expect(reply.text).not.toContain('second')
  })

  test('a disabled account is reported at the first step', async () => {
    await query(t.world.knex, 'update users set enabled = false where id = ?', [t.ada.id])
    const body = { username_or_email: t.ada.username, password: PASSWORD }
    expect(problemOf(await call(t.world.app, 'POST', '/api/login', { body })).code).toBe(
      'account-disabled',
    )
  })

  test('an account whose deletion is due does not exist, for any password', async () => {
    await query(t.world.knex, 'update users set deletion_due_at = ? where id = ?', [
      t.clock,
      t.ada.id,
    ])
    const body = { username_or_email: t.ada.username, password: PASSWORD }
    expect(problemOf(await call(t.world.app, 'POST', '/api/login', { body })).code).toBe(
      'wrong-credentials',
    )
  })

  test('its token is not a session, and is stored as a digest', async () => {
    const token = await loginTokenOf(t.world, t.ada.username)
    expect((await t.me(bearer(token))).status).toBe(401)
    const kept = await query<{ text: string }>(
      t.world.knex,
      'select t::text as text from login_tokens t',
    )
    expect(kept.length).toBeGreaterThan(0)
    expect(kept.map(({ text }) => text).join('\n')).not.toContain(token)
  })

  test('keeps the twenty newest tokens of an account', async () => {
    const tokens: string[] = []
    for (let n = 0; n < 21; n += 1) tokens.push(await loginTokenOf(t.world, t.ada.username))
    const code = t.wrongCode()
    const [first, second] = tokens
    expect(problemOf(await secondStep(t.world, { login_token: first, code })).code).toBe(
      'sign-in-expired',
    )
    expect(problemOf(await secondStep(t.world, { login_token: second, code })).code).toBe(
      'wrong-credentials',
    )
  })
})
