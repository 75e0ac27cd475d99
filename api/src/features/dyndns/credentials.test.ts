/** Every form of credentials, over real sockets. */
import { beforeEach, describe, expect, test } from 'vitest'
import { basic, useUpdateWorld } from '../../../test/support/update-world.ts'
import { query } from '../../database/sql.ts'

const t = useUpdateWorld()
let token: string
let key: string
beforeEach(async () => {
  token = await t.token()
  key = await t.key()
})

const FORMS: readonly (readonly [
  string,
  (secret: string) => { authorization: string | null; search: string },
])[] = [
  ...['Bearer', 'Token', 'bearer'].map(
    (scheme) =>
      [scheme, (secret: string) => ({ authorization: `${scheme} ${secret}`, search: '' })] as const,
  ),
  ['Basic', (secret) => ({ authorization: basic('none', secret), search: '' })],
  ['Basic without a name', (secret) => ({ authorization: basic('', secret), search: '' })],
  ...['token', 'key', 'k', 'password', 'pass'].map(
    (name) =>
      [
        `?${name}=`,
        (secret: string) => ({ authorization: null, search: `&username=x&${name}=${secret}` }),
      ] as const,
  ),
  [
    'the URL, beside a user name and password that the device requires',
    (secret) => ({ authorization: basic('x', 'y'), search: `&token=${secret}` }),
  ],
]

describe.each(FORMS)('%s', (_, formed) => {
  test('an update token and an API key', async () => {
    for (const [n, secret] of [token, key].entries()) {
      const { authorization, search } = formed(secret)
      const asked = `hostname=${t.host}&myip=192.0.2.${7 + n}${search}`
      expect(await t.said(asked, { authorization })).toBe(`200 good 192.0.2.${7 + n}\n`)
    }
    const { authorization, search } = formed(
      token.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    )
    expect(await t.said(`hostname=${t.host}&myip=192.0.2.9${search}`, { authorization })).toBe(
      '401 badauth\n',
    )
    expect(await t.stored()).toEqual(['192.0.2.8', null])
  })
})

test('a secret in a form', async () => {
  const form = {
    method: 'POST',
    authorization: null,
    headers: ['Content-Type: application/x-www-form-urlencoded'],
  }
  expect(
    await t.said('', { ...form, body: `hostname=${t.host}&myip=192.0.2.7&token=${token}` }),
  ).toBe('200 good 192.0.2.7\n')
  expect(await t.said(`token=${token}`, { ...form, method: 'PUT', body: 'myip=192.0.2.8' })).toBe(
    '200 good 192.0.2.8\n',
  )
})

test('a token works for its own name only, a key for every name of its account', async () => {
  await t.make('nas')
  const both = `hostname=${t.host},${t.fqdn('nas')}&myip=192.0.2.7`
  expect(await t.said(both, { authorization: `Bearer ${token}` })).toBe(
    '200 good 192.0.2.7\nnohost\n',
  )
  expect(await t.said(both, { authorization: `Bearer ${key}` })).toBe(
    '200 nochg 192.0.2.7\ngood 192.0.2.7\n',
  )
})

test('an account’s password is accepted only in the header', async () => {
  const open = { authorization: null }
  for (const search of ['password=', 'pass=', 'token=', 'key=']) {
    const secret = encodeURIComponent('correct horse battery staple')
    const asked = `hostname=${t.host}&myip=192.0.2.7&username=${t.ada.username}&${search}${secret}`
    expect(await t.said(asked, open)).toBe('401 badauth\n')
  }
  expect(await t.stored()).toEqual(['192.0.2.1', null])
})

describe('without a name', () => {
  test('the user name if it is a name of the caller, otherwise the caller’s only name', async () => {
    const byName = { authorization: basic(`${t.host.toUpperCase()}.`, key) }
    expect(await t.said('myip=192.0.2.7', byName)).toBe('200 good 192.0.2.7\n')
    await t.make('nas')
    expect(await t.said('myip=192.0.2.8', byName)).toBe('200 good 192.0.2.8\n')
    expect(
      await t.said(`myip=192.0.2.9&username=${t.host}&password=${key}`, {
        authorization: null,
      }),
    ).toBe('200 good 192.0.2.9\n')
    expect(await t.said('myip=192.0.2.10', { authorization: basic('ada', key) })).toBe(
      '200 notfqdn\n',
    )
    expect(await t.said('myip=192.0.2.10', { authorization: basic('x.homing.test', token) })).toBe(
      '200 good 192.0.2.10\n',
    )
    expect(await t.stored()).toEqual(['192.0.2.10', null])
  })
})

test('the history records the token', async () => {
  await t.said(`myip=192.0.2.7&token=${token}`, { authorization: null })
  const events = await query<{ actor: string; actor_id: string }>(
    t.world.knex,
    `select e.actor, e.actor_id from domain_events e where e.domain_id = ? and kind = 'address'`,
    [t.hostId],
  )
  const [row] = await query<{ id: string }>(
    t.world.knex,
    'select id from update_tokens where domain_id = ?',
    [t.hostId],
  )
  expect(events).toEqual([{ actor: 'update_token', actor_id: row?.id }])
})

test('HEAD checks them and writes nothing', async () => {
  const asked = { method: 'HEAD', authorization: null }
  expect((await t.ask(`token=${token}&myip=192.0.2.7`, asked)).status).toBe(200)
  expect((await t.ask('token=x&myip=192.0.2.7', asked)).status).toBe(401)
  expect((await t.ask('', { ...asked, path: `/u/${token}` })).status).toBe(200)
  expect(await t.stored()).toEqual(['192.0.2.1', null])
})
