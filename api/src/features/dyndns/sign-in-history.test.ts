/** Password attempts at update URLs that no list of update calls shows: the owner sees them in the sign-in history. */
import type { LoginAttempt } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import { PASSWORD } from '../../../test/support/api-world.ts'
import { call } from '../../../test/support/calls.ts'
import { KeepingMailer, runJobs } from '../../../test/support/mail.ts'
import { basic, useUpdateWorld } from '../../../test/support/update-world.ts'
import { query } from '../../database/sql.ts'

const t = useUpdateWorld()
const WRONG = 'a wrong password'
const FAILED = { method: 'update_password', success: false }
const NEW_NETWORK = { method: 'update_password', success: true }

interface AuthenticatedCall {
  readonly method?: 'GET' | 'HEAD' | 'POST'
  readonly password?: string
  readonly ip?: string
  readonly username?: string
}

/** An update call from an address. */
async function ask(search: string, asked: AuthenticatedCall = {}): Promise<number> {
  const { method = 'GET', password = PASSWORD, ip = '192.0.2.1' } = asked
  const { username = t.ada.username } = asked
  const { statusCode } = await t.world.app.inject({
    method,
    url: `/nic/update${search && `?${search}`}`,
    headers: { authorization: basic(username, password) },
    remoteAddress: ip,
  })
  return statusCode
}

async function history(headers = t.ada.headers) {
  await t.world.services.loginHistory.flush()
  const reply = await call(t.world.app, 'GET', '/api/me/login-history', { headers })
  return reply.json<LoginAttempt[]>().map(({ method, success }) => ({ method, success }))
}

/** The update calls that the owner of a domain sees. */
async function updateCalls(domainId = t.hostId): Promise<string[]> {
  await t.world.services.callLog.flush()
  const { headers } = t.ada
  const url = `/api/domains/${domainId}/update-calls`
  const reply = await call(t.world.app, 'GET', url, { headers })
  return reply.json<{ answer: string }[]>().map(({ answer }) => answer)
}

describe('a wrong password', () => {
  test.each<[string, () => Promise<number>]>([
    ['by HEAD', () => ask('', { method: 'HEAD', password: WRONG })],
    [
      'by HEAD with a name of the owner',
      () => ask(`hostname=${t.host}`, { method: 'HEAD', password: WRONG }),
    ],
    ['without a name', () => ask('', { password: WRONG })],
    ['in a form without a name', () => ask('', { method: 'POST', password: WRONG })],
    [
      'with a name that does not exist',
      () => ask(`hostname=x.${t.host},y.${t.host}`, { password: WRONG }),
    ],
    ['with a text that is not a name', () => ask('hostname=-', { password: WRONG })],
    [
      'by the email address',
      () => ask('', { password: WRONG, username: `${t.ada.username}@mail.test` }),
    ],
  ])('%s is in the sign-in history', async (_how, tried) => {
    expect(await tried()).toBe(401)
    expect(await history()).toEqual([FAILED])
    expect(await updateCalls()).toEqual([])
  })

  test('with a name of another account is in the history of the account that it was tried on', async () => {
    const bob = await t.world.person(`bob-${t.label}`)
    const fqdn = t.fqdn('bobs')
    await t.add(fqdn, { who: bob })
    expect(await ask(`hostname=${fqdn}`, { password: WRONG })).toBe(401)
    expect(await history()).toEqual([FAILED])
    expect(await history(bob.headers)).toEqual([])
  })

  test('with a domain of the account is in its update calls, and only there', async () => {
    expect(await ask(`hostname=x.${t.host},${t.host}`, { password: WRONG })).toBe(401)
    expect(await updateCalls()).toEqual(['badauth'])
    expect(await history()).toEqual([])
  })

  test('that is repeated is one entry, because it is evaluated once', async () => {
    for (let n = 0; n < 5; n += 1) await ask('', { password: WRONG })
    await Promise.all(Array.from({ length: 5 }, () => ask('', { password: `${WRONG} 2` })))
    expect(await history()).toEqual([FAILED, FAILED])
  })

  test('for an unknown user name is in no history', async () => {
    expect(await ask('', { username: `nobody-${t.label}` })).toBe(401)
    expect(await history()).toEqual([])
  })

  test('many are written by one statement', async () => {
    for (let n = 0; n < 3; n += 1) await ask('', { password: `guess ${n}` })
    let writes = 0
    const count = ({ sql }: { readonly sql: string }) => {
      if (sql.includes('insert into login_history')) writes += 1
    }
    t.world.knex.on('query', count)
    expect(await history()).toEqual([FAILED, FAILED, FAILED])
    t.world.knex.off('query', count)
    expect(writes).toBe(1)
  })
})

describe('a right password', () => {
  test.each<[string, () => Promise<number>]>([
    ['by HEAD', () => ask(`hostname=${t.host}`, { method: 'HEAD' })],
    ['with a name that is not the account’s', () => ask(`hostname=x.${t.host}`)],
  ])('%s is in the history when it is the first from a network', async (_how, tried) => {
    expect(await tried()).toBe(200)
    expect(await tried()).toBe(200)
    expect(await history()).toEqual([NEW_NETWORK])
  })

  test('is recorded for each network, and not for one that an update made known', async () => {
    await ask(`hostname=${t.host}`)
    await ask('', { method: 'HEAD' })
    expect(await history()).toEqual([])
    for (const ip of ['198.51.100.7', '2001:db8::7', '2001:db8::8']) {
      await ask('', { method: 'HEAD', ip })
    }
    expect(await history()).toEqual([NEW_NETWORK, NEW_NETWORK])
    expect((await updateCalls()).length).toBe(1)
  })

  test('without a name is in the update calls of the only domain, and of several in the history', async () => {
    await ask('')
    expect([(await updateCalls()).length, await history()]).toEqual([1, []])
    await t.make('second')
    await ask('', { ip: '198.51.100.7' })
    expect([(await updateCalls()).length, await history()]).toEqual([1, [NEW_NETWORK]])
  })

  test('that is refused because of a second factor is also in the history', async () => {
    const sql = 'update users set has_second_factor = true where id = ?'
    await query(t.world.knex, sql, [t.ada.id])
    expect(await ask('', { method: 'HEAD' })).toBe(401)
    expect(await history()).toEqual([NEW_NETWORK])
  })

  test('does not make a sign-in from that network and client an old one', async () => {
    const signIn = (ip: string) =>
      call(t.world.app, 'POST', '/api/login', {
        ip,
        headers: { 'user-agent': 'one/1' },
        body: { username_or_email: t.ada.username, password: PASSWORD },
      })
    await signIn('192.0.2.1')
    await query(t.world.knex, 'delete from pgboss.job')
    await ask('', { method: 'HEAD', ip: '198.51.100.7' })
    expect(await history()).toEqual([NEW_NETWORK, { method: 'password', success: true }])
    await signIn('198.51.100.7')
    const mailer = new KeepingMailer()
    await runJobs(t.world.services, mailer)
    expect(mailer.sent.map(({ subject }) => subject)).toEqual([
      'Homing: A new sign-in to your account',
    ])
  })
})

test('tokens and keys are in no sign-in history', async () => {
  const authorization = basic('any', await t.token())
  await t.world.app.inject({ method: 'HEAD', url: '/nic/update', headers: { authorization } })
  expect(await history()).toEqual([])
})
