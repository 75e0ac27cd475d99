/** Rotating a key, and testing what a key may do. */
import type { ApiKey, CreatedApiKey, KeyTest, NewApiKey, RotatedApiKey } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import { useAccountWorld } from '../../../test/support/account-world.ts'
import { call, type CallOptions, problemOf } from '../../../test/support/calls.ts'
import { insertDomain } from '../../../test/support/feed-world.ts'
import { untilSomebodyWaits } from '../../../test/support/lock-waits.ts'
import { hasSecretForm } from '../../rules/secrets.ts'
import { expire } from '../../jobs/expire.ts'
import { query } from '../../database/sql.ts'

const HOUR_MS = 3_600_000
const t = useAccountWorld()

const made = async (fields: Partial<NewApiKey> = {}) =>
  (
    await call(t.world.app, 'POST', '/api/api-keys/', {
      headers: t.ada.headers,
      body: { name: 'ci', ...fields },
    })
  ).json<CreatedApiKey>()
const list = async () =>
  (await call(t.world.app, 'GET', '/api/api-keys/', { headers: t.ada.headers })).json<ApiKey[]>()
const rotation = (id: string, body: unknown = {}, { headers }: CallOptions = t.ada) =>
  call(t.world.app, 'POST', `/api/api-keys/${id}/rotate`, { headers, body })
const rotated = async (id: string, body?: object) =>
  (await rotation(id, body)).json<RotatedApiKey>()
/** The status of a call with a key. */
const status = async (key: string) => {
  const headers = { authorization: `Bearer ${key}`, 'user-agent': 'pipeline/1.0' }
  return (await call(t.world.app, 'GET', '/api/domains', { headers })).status
}
const pass = (hours: number) => (t.clock = new Date(t.clock.getTime() + hours * HOUR_MS))

describe('rotation', () => {
  test('replaces the secret at once, and keeps the old one for the overlap', async () => {
    const scope = { actions: ['read' as const] }
    const { id, key: old, prefix, ...before } = await made({ scope })
    const after = await rotated(id, { overlap_hours: 2 })
    expect(hasSecretForm(after.key)).toBe(true)
    expect(after.key).not.toBe(old)
    const until = new Date(t.clock.getTime() + 2 * HOUR_MS).toISOString()
    expect(after).toMatchObject({
      id,
      prefix: after.key.slice(0, 10),
      scope: before.scope,
      created_at: before.created_at,
      rotated_at: t.clock.toISOString(),
      former_secret: { prefix, expires_at: until, last_used_at: null },
    })
    expect([await status(old), await status(after.key)]).toEqual([200, 200])
    pass(2)
    expect([await status(old), await status(after.key)]).toEqual([401, 200])
  })

  test('the old secret has the same scope, and its uses are shown separately', async () => {
    const { id, key: old } = await made({ scope: { actions: ['read'] } })
    await rotation(id)
    const headers = { authorization: `Bearer ${old}` }
    const deletion = await call(t.world.app, 'DELETE', '/api/domains/1', { headers })
    expect(problemOf(deletion).code).toBe('key-scope')
    expect(await status(old)).toBe(200)
    await t.world.services.secretUses.flush()
    const [key, another] = await list()
    expect(another).toBeUndefined()
    expect(key).toMatchObject({
      id,
      last_used_at: null,
      former_secret: { last_used_at: t.clock.toISOString(), last_used_ip: '127.0.0.1' },
    })
  })

  test('changes with the old secret are recorded for the key', async () => {
    const { id: domainId } = await insertDomain(t.world.knex, {
      userId: t.ada.id,
      fqdn: `home${t.people}.homing.test`,
    })
    const { id, key: old } = await made()
    await rotation(id)
    await call(t.world.app, 'PUT', `/api/domains/${domainId}`, {
      headers: { authorization: `Bearer ${old}` },
      body: { record_ipv4: '192.0.2.7' },
    })
    await call(t.world.app, 'GET', `/nic/update?token=${old}&myip=192.0.2.8`)
    const events = await query<{ actor_id: string }>(
      t.world.knex,
      `select actor_id from domain_events where domain_id = ? and actor = 'api_key'`,
      [domainId],
    )
    expect(events.map(({ actor_id }) => actor_id)).toEqual([id, id])
  })

  test('without an overlap the old secret ends now', async () => {
    const { id, key: old } = await made()
    const { former_secret } = await rotated(id, { overlap_hours: 0 })
    expect(former_secret).toBeNull()
    expect(await status(old)).toBe(401)
  })

  test('a second rotation ends the first secret, and deleting the key ends all', async () => {
    const { id, key: first } = await made()
    const { key: second } = await rotated(id)
    const { key: third } = await rotated(id)
    const all = async () => [await status(first), await status(second), await status(third)]
    expect(await all()).toEqual([401, 200, 200])
    await call(t.world.app, 'DELETE', `/api/api-keys/${id}`, { headers: t.ada.headers })
    expect(await all()).toEqual([401, 401, 401])
  })

  test('a use of the old secret that is written after the rotation is shown for the old one', async () => {
    const { id, key: old } = await made()
    expect(await status(old)).toBe(200)
    const { key: renewed } = await rotated(id)
    await t.world.services.secretUses.flush()
    expect((await list())[0]).toMatchObject({
      last_used_at: null,
      former_secret: { last_used_at: t.clock.toISOString() },
    })
    expect(await status(renewed)).toBe(200)
    await t.world.services.secretUses.flush()
    expect((await list())[0]).toMatchObject({ last_used_at: t.clock.toISOString() })
  })

  test('of a key that is deleted at this moment finds no key', async () => {
    const { id } = await made()
    const other = await t.world.feed.connectAgain().transaction()
    await query(other, 'delete from api_keys where id = ?', [id])
    const rotating = rotation(id)
    await untilSomebodyWaits(t.world.knex)
    await other.commit()
    expect(problemOf(await rotating)).toMatchObject({ status: 404, code: 'not-found' })
  })

  test('an old secret never outlives its key, and is deleted when it expires', async () => {
    const expires_at = new Date(t.clock.getTime() + HOUR_MS).toISOString()
    const { id } = await made({ expires_at })
    expect((await rotated(id)).former_secret?.expires_at).toBe(expires_at)
    pass(1)
    const later = { headers: await t.world.signIn(t.ada.id) }
    const refused = await rotation(id, {}, later)
    expect(problemOf(refused)).toMatchObject({ status: 409, code: 'conflict' })
    const [listed] = (await call(t.world.app, 'GET', '/api/api-keys/', later)).json<ApiKey[]>()
    expect(listed).toMatchObject({ is_expired: true, former_secret: null })
    expect((await expire(t.world.knex, t.clock))['api_keys']).toBeGreaterThanOrEqual(1)
  })

  test('concurrent rotations leave one secret and one former one', async () => {
    const { id } = await made()
    const replies = await Promise.all(Array.from({ length: 5 }, () => rotation(id)))
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 200, 200])
    const keys = replies.map((reply) => reply.json<RotatedApiKey>().key)
    const statuses = await Promise.all(keys.map(status))
    expect(statuses.filter((code) => code === 200)).toHaveLength(2)
  })

  test('requires the owner’s session', async () => {
    const { id, key } = await made()
    const byKey = { headers: { authorization: `Bearer ${key}` } }
    expect(problemOf(await rotation(id, {}, {})).status).toBe(401)
    expect(problemOf(await rotation(id, {}, byKey)).code).toBe('forbidden')
    expect(problemOf(await rotation(id, {}, t.bob)).status).toBe(404)
    expect(problemOf(await rotation('999999999')).status).toBe(404)
    const free = await t.world.person(`free${t.people}`, 'free')
    expect(problemOf(await rotation(id, {}, free)).code).toBe('plan-required')
    expect(await status(key)).toBe(200)
  })

  test.each([
    { overlap_hours: -1 },
    { overlap_hours: 721 },
    { overlap_hours: 0.5 },
    { overlap_hours: '2' },
    { overlap_hours: null },
    { name: 'other' },
    [],
    null,
  ])('%j is refused', async (body) => {
    const { id, key } = await made()
    expect((await rotation(id, body)).status).toBe(422)
    expect(await status(key)).toBe(200)
  })
})

describe('the test of a key', () => {
  const ask = (id: string, search: string, { headers }: CallOptions = t.ada) =>
    call(t.world.app, 'GET', `/api/api-keys/${id}/test?${search}`, { headers })
  const answer = async (id: string, search: string) => (await ask(id, search)).json<KeyTest>()

  test('has the reasons', async () => {
    const home = `home${t.people}.homing.test`
    await insertDomain(t.world.knex, { userId: t.ada.id, fqdn: home })
    const { id } = await made({
      scope: { domains: [home], actions: ['read', 'update'], networks: ['203.0.113.0/24'] },
    })
    expect(await answer(id, `action=update&domain=${home}&ip=203.0.113.9`)).toEqual({
      is_allowed: true,
      reasons: [`The key is allowed to update ${home}.`],
    })
    expect(await answer(id, `action=delete&domain=nas.homing.test&ip=192.0.2.1`)).toEqual({
      is_allowed: false,
      reasons: [
        'This API key is not allowed to delete. Its scope allows: read, update.',
        'This API key is not allowed from 192.0.2.1. Its scope allows: 203.0.113.0/24.',
        `This API key has no access to nas.homing.test. Its scope allows: ${home}.`,
        'nas.homing.test is not one of your domains.',
      ],
    })
  })

  test('a name that does not exist can be created, and not changed', async () => {
    const { id } = await made()
    const search = 'domain=none.homing.test'
    expect((await answer(id, `action=create&${search}`)).is_allowed).toBe(true)
    expect((await answer(id, `action=update&${search}`)).is_allowed).toBe(false)
  })

  test('a plan without keys, and an expired key, allow nothing', async () => {
    const { id } = await made({ expires_at: new Date(t.clock.getTime() + HOUR_MS).toISOString() })
    pass(1)
    await query(t.world.knex, `update users set account_type = 'free' where id = ?`, [t.ada.id])
    const headers = await t.world.signIn(t.ada.id)
    const { reasons } = (await ask(id, 'action=read', { headers })).json<KeyTest>()
    expect(reasons).toEqual([
      'API keys are not included in your plan.',
      `The API key expired at ${t.clock.toISOString()}.`,
    ])
  })

  test('requires the owner’s session', async () => {
    const { id, key } = await made()
    const byKey = { headers: { authorization: `Bearer ${key}` } }
    expect(problemOf(await ask(id, 'action=read', {})).status).toBe(401)
    expect(problemOf(await ask(id, 'action=read', byKey)).code).toBe('forbidden')
    expect(problemOf(await ask(id, 'action=read', t.bob)).status).toBe(404)
  })

  test.each([
    ['', 'action'],
    ['action=administer', 'action'],
    ['action=read&domain=a%20b', 'domain'],
    ['action=read&domain=%00', 'domain'],
    ['action=read&ip=0x7f.1', 'ip'],
    ['action=read&record_type=SOA', 'record_type'],
  ])('%j is refused', async (search, field) => {
    const { id } = await made()
    const problem = problemOf(await ask(id, search))
    expect(problem).toMatchObject({ status: 422, errors: [{ field }] })
  })
})
