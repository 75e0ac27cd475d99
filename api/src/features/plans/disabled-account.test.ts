/** A disabled account may do nothing; and a plan change concurrent with registrations. */
import type { CreatedApiKey, UpdateToken } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import { PASSWORD } from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { replay, tableState, toldSets, zoneId } from '../../../test/support/feed-world.ts'
import { useAdminWorld } from '../../../test/support/admin-world.ts'
import { query } from '../../database/sql.ts'

const t = useAdminWorld('pro')
const change = (fields: object) =>
  call(t.world.app, 'PUT', `/api/admin/users/${t.ada.id}`, {
    headers: t.admin.headers,
    body: fields,
  })
const register = (fqdn: string) =>
  call(t.world.app, 'POST', '/api/domains', {
    headers: t.ada.headers,
    body: { fqdn, record_ip: '192.0.2.1' },
  })
const post = async <T>(url: string, body: object): Promise<T> => {
  const reply = await call(t.world.app, 'POST', url, { headers: t.ada.headers, body })
  expect(reply.status).toBeLessThan(300)
  return reply.json<T>()
}

/** The answer to an update client. */
async function update(fqdn: string, password: string, username = t.ada.username): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const url = `/nic/update?hostname=${fqdn}&myip=192.0.2.9`
  return (await call(t.world.app, 'GET', url, { headers: { authorization } })).text
}

/** The TTL of a name for followers; undefined: the name does not exist for them. */
async function servedTtl(fqdn: string): Promise<number | undefined> {
  const zone = await zoneId(t.world.knex)
  const told = replay(await toldSets(t.world.knex, zone))[fqdn]
  expect(told).toEqual((await tableState(t.world.knex, zone))[fqdn])
  return (told as { ttl: number }[] | undefined)?.[0]?.ttl
}

describe.each([{ account_type: 'disabled' }, { enabled: false }])(
  'an account with %j',
  (fields) => {
    test('has no served names, cannot sign in, and its keys, tokens and passwords are refused', async () => {
      const fqdn = `home.off${t.people}.homing.test`
      const { id } = await post<{ id: string }>('/api/domains', { fqdn, record_ip: '192.0.2.1' })
      const { key } = await post<CreatedApiKey>('/api/api-keys', { name: 'all' })
      const { token } = await post<UpdateToken & { token: string }>(
        `/api/domains/${id}/update-token`,
        {},
      )
      const bearer = { authorization: `Bearer ${key}` }
      expect(await update(fqdn, PASSWORD)).toBe('good 192.0.2.9\n')
      expect(await servedTtl(fqdn)).toBe(60)

      expect((await change(fields)).status).toBe(200)
      expect(await servedTtl(fqdn)).toBeUndefined()
      expect((await t.get('/api/me', t.ada)).status).toBe(401)
      const login = await call(t.world.app, 'POST', '/api/login', {
        body: { username_or_email: t.ada.username, password: PASSWORD },
      })
      expect(problemOf(login).code).toBe('account-disabled')
      expect(problemOf(await t.get('/api/domains', { ...t.ada, headers: bearer })).code).toBe(
        'account-disabled',
      )
      for (const secret of [PASSWORD, key, token])
        expect(await update(fqdn, secret)).toBe('abuse\n')
      const stored = await query(
        t.world.knex,
        'select host(record_ipv4) as ip, is_active from domains where fqdn = ?',
        [fqdn],
      )
      expect(stored).toEqual([{ ip: '192.0.2.9', is_active: false }])

      await change({ account_type: 'pro', enabled: true })
      expect(await servedTtl(fqdn)).toBe(60)
      expect((await t.get('/api/me', t.ada)).status).toBe(401)
      expect((await t.get('/api/domains', { ...t.ada, headers: bearer })).status).toBe(200)
      expect(await update(fqdn, token)).toBe('nochg 192.0.2.9\n')
    })
  },
)

test('a smaller plan refuses keys and new wildcards, and keeps them for a larger one', async () => {
  const fqdn = `home.less${t.people}.homing.test`
  await post('/api/domains', { fqdn, record_ip: '192.0.2.1' })
  const wildcard = { base_fqdn: fqdn, rrtype: 'A', record_ip: '192.0.2.1' }
  await post('/api/domains/wildcard', wildcard)
  const { key } = await post<CreatedApiKey>('/api/api-keys', { name: 'all' })
  const bearer = { ...t.ada, headers: { authorization: `Bearer ${key}` } }

  await change({ account_type: 'free' })
  expect(await servedTtl(fqdn)).toBe(3_600)
  expect(await servedTtl(`*.${fqdn}`)).toBeUndefined()
  expect(problemOf(await t.get('/api/domains', bearer)).code).toBe('plan-required')
  expect(await update(fqdn, key)).toBe('badauth\n')
  expect((await t.get('/api/me', t.ada)).json()).toMatchObject({ plan: 'free' })

  await change({ account_type: 'pro' })
  expect(await servedTtl(fqdn)).toBe(60)
  expect(await servedTtl(`*.${fqdn}`)).toBe(60)
  expect((await t.get('/api/domains', bearer)).status).toBe(200)
})

describe('a change of plan concurrent with registrations', () => {
  const LIMIT = 5
  const names = (word: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${word}${n}.race${t.people}.homing.test`)
  const counted = async () =>
    query<{ served: number; owned: number; ttls: number[] }>(
      t.world.knex,
      `select count(*) filter (where is_active)::int as served, count(*)::int as owned,
              array_agg(distinct ttl) as ttls
       from domains where user_id = ?`,
      [t.ada.id],
    )

  test('a smaller one serves no more than its limit, in any order', async () => {
    for (const fqdn of names('old', LIMIT - 1)) expect((await register(fqdn)).status).toBe(201)
    const replies = await Promise.all([
      ...names('one', 10).map(register),
      change({ account_type: 'free' }),
      ...names('two', 10).map(register),
    ])
    const made = replies.filter(({ status }) => status === 201).length
    expect(replies.every(({ status }) => [200, 201, 403].includes(status))).toBe(true)
    const [now] = await counted()
    expect(now).toEqual({
      served: Math.min(LIMIT, LIMIT - 1 + made),
      owned: LIMIT - 1 + made,
      ttls: [3_600],
    })
    // A repeated request does not exceed the limit.
    expect(problemOf(await register(names('late', 1)[0] ?? '')).code).toBe('domain-limit')
  })

  test('a larger one leaves none withheld', async () => {
    for (const fqdn of names('old', LIMIT + 3)) expect((await register(fqdn)).status).toBe(201)
    await change({ account_type: 'free' })
    await Promise.all([change({ account_type: 'pro' }), ...names('new', 5).map(register)])
    const [now] = await counted()
    expect(now?.served).toBe(now?.owned)
    expect(now?.ttls).toEqual([60])
  })
})
