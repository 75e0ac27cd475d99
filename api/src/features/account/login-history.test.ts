/** Sign-ins and failed attempts of an account, as its owner sees them. */
import { describe, expect, test } from 'vitest'
import { useAccountWorld } from '../../../test/support/account-world.ts'
import { PASSWORD } from '../../../test/support/api-world.ts'
import { call } from '../../../test/support/calls.ts'
import { runJobs } from '../../../test/support/mail.ts'
import { query } from '../../database/sql.ts'

const t = useAccountWorld()

describe('the login history', () => {
  const attempt = (success: boolean, ip = '127.0.0.1') => ({
    time: t.clock.toISOString(),
    ip,
    cc: null,
    success,
    method: 'password',
  })

  test('has the sign-ins and failed attempts, the newest first, only of the caller', async () => {
    expect(await t.loginsOf(t.ada.headers)).toEqual([])
    await t.login()
    expect(await t.loginsOf(t.ada.headers)).toEqual([attempt(true)])
    await call(t.world.app, 'POST', '/api/login', {
      ip: '2001:db8::7',
      body: { username_or_email: `${t.ada.username}@mail.test`, password: 'wrong password' },
    })
    expect(await t.loginsOf(t.ada.headers)).toEqual([attempt(false, '2001:db8::7'), attempt(true)])
    expect(await t.loginsOf(t.bob.headers)).toEqual([])
  })

  test('has a right password that was refused', async () => {
    await query(t.world.knex, 'update users set enabled = false where id = ?', [t.ada.id])
    expect((await t.login()).status).toBe(403)
    await query(t.world.knex, 'update users set enabled = true where id = ?', [t.ada.id])
    expect(await t.loginsOf(t.ada.headers)).toEqual([attempt(false)])
  })

  test('has a hundred entries at most', async () => {
    await query(
      t.world.knex,
      `insert into login_history (user_id, at, ip, success)
       select ?, now() - n * interval '1 hour', '192.0.2.1', true from generate_series(1, 120) n`,
      [t.ada.id],
    )
    const logins = await t.loginsOf(t.ada.headers)
    expect(logins).toHaveLength(100)
    // An older version that runs during a deployment does not record the method.
    expect(logins[0]?.method).toBeNull()
    expect(logins.map(({ time }) => time)).toEqual(
      logins
        .map(({ time }) => time)
        .toSorted()
        .toReversed(),
    )
  })

  test('a failure of an account that was deleted meanwhile does not affect others', async () => {
    const { loginHistory } = t.world.services
    for (const userId of [t.bob.id, t.ada.id]) {
      loginHistory.noteFailure({ userId, at: t.clock, ip: '192.0.2.1', method: 'password' })
    }
    await query(t.world.knex, 'delete from users where id = ?', [t.bob.id])
    expect(await t.loginsOf(t.ada.headers)).toEqual([attempt(false, '192.0.2.1')])
  })
})

describe('a sign-in from elsewhere', () => {
  const signIn = (ip: string, client: string) =>
    call(t.world.app, 'POST', '/api/login', {
      ip,
      headers: { 'user-agent': client },
      body: { username_or_email: t.ada.username, password: PASSWORD },
    })

  /** Signs in, and returns the mails that were sent. */
  async function mailedAfter(ip: string, client: string): Promise<string[]> {
    t.mailer.sent.length = 0
    expect((await signIn(ip, client)).status).toBe(200)
    await runJobs(t.world.services, t.mailer)
    return t.mailer.sent.map(({ text }) => text)
  }

  test('is notified by mail, once for each network and client; the first of all is not', async () => {
    expect(await mailedAfter('192.0.2.1', 'One/1')).toEqual([])
    expect(await mailedAfter('192.0.2.1', 'One/1')).toEqual([])
    const [text, ...others] = await mailedAfter('192.0.2.7', 'One/1')
    expect(others).toEqual([])
    expect(t.mailer.sent).toMatchObject([
      { to: `${t.ada.username}@mail.test`, subject: 'Homing: A new sign-in to your account' },
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

  test('is notified at most ten times within an hour, so that nobody can fill a mailbox by signing in', async () => {
    await query(
      t.world.knex,
      `insert into login_history (user_id, at, ip, client, success)
       select ?, ?, ('198.51.100.' || n)::inet, 'One/1', true from generate_series(1, 9) n, generate_series(1, 3)`,
      [t.ada.id, t.clock],
    )
    expect(await mailedAfter('192.0.2.1', 'One/1')).toHaveLength(1)
    expect(await mailedAfter('192.0.2.2', 'One/1')).toEqual([])
    expect(await mailedAfter('192.0.2.1', 'Two/1')).toEqual([])
    t.clock = new Date(t.clock.getTime() + 3_600_000)
    expect(await mailedAfter('192.0.2.3', 'One/1')).toHaveLength(1)
  })

  test('a failed attempt makes nothing known', async () => {
    await signIn('192.0.2.1', 'One/1')
    await call(t.world.app, 'POST', '/api/login', {
      ip: '192.0.2.7',
      headers: { 'user-agent': 'One/1' },
      body: { username_or_email: t.ada.username, password: 'wrong password' },
    })
    await t.world.services.loginHistory.flush()
    expect(await mailedAfter('192.0.2.7', 'One/1')).toHaveLength(1)
  })

  test('the name of a client is shown as plain text', async () => {
    await signIn('192.0.2.1', 'One/1')
    await mailedAfter('192.0.2.1', '<script>alert(1)</script>')
    expect(t.mailer.sent[0]?.html).not.toContain('<script>')
  })

  test('its country is in the history and at the account', async () => {
    await signIn('192.0.2.7', 'One/1')
    await call(t.world.app, 'POST', '/api/login', {
      ip: '192.0.2.7',
      body: { username_or_email: t.ada.username, password: 'wrong password' },
    })
    expect((await t.loginsOf(t.ada.headers)).map(({ cc }) => cc)).toEqual(['SE', 'SE'])
    const rows = await query(t.world.knex, 'select last_login_cc from users where id = ?', [
      t.ada.id,
    ])
    expect(rows).toEqual([{ last_login_cc: 'SE' }])
  })
})
