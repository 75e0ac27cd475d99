/** What a pipeline gets for its token, how often, and for how long. */
import type { ExchangedKey } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import type { Caller } from '../../../test/support/api-world.ts'
import { bearer, call, problemOf } from '../../../test/support/calls.ts'
import { insertDomain } from '../../../test/support/feed-world.ts'
import { untilSomebodyWaits } from '../../../test/support/lock-waits.ts'
import { useTrustWorld } from '../../../test/support/trust-world.ts'
import { expire } from '../../jobs/expire.ts'
import { query } from '../../database/sql.ts'

const t = useTrustWorld()
const status = async (key: string, url = '/api/domains') =>
  (await call(t.world.app, 'GET', url, { headers: bearer(key) })).status

describe('an exchange', () => {
  test('gives a key for 15 minutes, within the scope of the policy', async () => {
    const home = `home${t.people}.homing.test`
    await insertDomain(t.world.knex, { userId: t.ada.id, fqdn: home })
    await insertDomain(t.world.knex, { userId: t.ada.id, fqdn: `nas${t.people}.homing.test` })
    const { id } = await t.made({ branch: 'main', scope: { domains: [home], actions: ['read'] } })
    const reply = await t.exchange(id)
    expect(reply.status).toBe(201)
    expect(reply.headers['cache-control']).toBe('no-store')
    const { key, expires_at, scope } = reply.json<ExchangedKey>()
    expect(expires_at).toBe(new Date(t.clock.getTime() + 900_000).toISOString())
    expect(scope).toMatchObject({ domains: [home], actions: ['read'] })
    expect(await status(key)).toBe(200)
    expect(await status(key, `/api/domains/fqdn/${home}`)).toBe(200)
    expect(await status(key, `/api/domains/fqdn/nas${t.people}.homing.test`)).toBe(404)
    expect(await status(key, '/api/api-keys/')).toBe(403)
    t.clock = new Date(t.clock.getTime() + 900_000)
    expect(await status(key)).toBe(401)
    await expire(t.world.knex, t.clock)
    expect(await query(t.world.knex, 'select 1 from api_keys where policy_id = ?', [id])).toEqual(
      [],
    )
  })

  test('the history of a domain has the policy, whose keys are gone within minutes', async () => {
    const fqdn = `home${t.people}.homing.test`
    await insertDomain(t.world.knex, { userId: t.ada.id, fqdn })
    const { id } = await t.made()
    const { key } = (await t.exchange(id)).json<ExchangedKey>()
    const headers = { authorization: `Bearer ${key}` }
    const url = `/nic/update?hostname=${fqdn}&myip=192.0.2.81`
    expect((await call(t.world.app, 'GET', url, { headers })).text).toMatch(/^good/)
    const body = { record_ip: '192.0.2.82' }
    await call(t.world.app, 'PUT', `/api/domains/fqdn/${fqdn}`, { headers, body })
    const events = await query(
      t.world.knex,
      `select actor, actor_id from domain_events where fqdn = ? and kind = 'address'`,
      [fqdn],
    )
    expect(events).toEqual([
      { actor: 'pipeline', actor_id: id },
      { actor: 'pipeline', actor_id: id },
    ])
  })

  test('is shown at the policy, and its key is not listed with the owner’s keys', async () => {
    const { id } = await t.made()
    await t.exchange(id)
    expect(await t.list()).toMatchObject([
      {
        id,
        last_used_at: t.clock.toISOString(),
        last_used_ip: '127.0.0.1',
        last_subject: 'repo:ada/home:ref:refs/heads/main',
      },
    ])
    const keys = await call(t.world.app, 'GET', '/api/api-keys/', { headers: t.ada.headers })
    expect(keys.json()).toEqual([])
  })

  test('a token is exchanged once, also by concurrent calls', async () => {
    const { id } = await t.made()
    const token = await t.issuer.token(t.claims())
    const replies = await Promise.all(Array.from({ length: 6 }, () => t.send(id, { token })))
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1)
    expect(problemOf(await t.send(id, { token })).detail).toContain('already exchanged')
  })

  test('the keys of an issuer are fetched once, and again for a new one', async () => {
    const { id } = await t.made()
    await t.exchange(id)
    await t.exchange(id)
    expect(t.issuer.asked).toEqual(['/.well-known/openid-configuration', '/keys'])
    await t.issuer.rotate()
    // Tokens with unknown keys must not cause a fetch each time.
    expect((await t.exchange(id)).status).toBe(401)
    expect(t.issuer.asked).toHaveLength(2)
    t.ticks += 30_000
    expect((await t.exchange(id)).status).toBe(201)
  })

  test('deleting a policy deletes its keys', async () => {
    const { id } = await t.made()
    const { key } = (await t.exchange(id)).json<ExchangedKey>()
    const remove = ({ headers }: Caller) =>
      call(t.world.app, 'DELETE', `/api/trust-policies/${id}`, { headers })
    expect((await remove(t.bob)).status).toBe(404)
    expect(await status(key)).toBe(200)
    expect((await remove(t.ada)).status).toBe(204)
    expect([await status(key), (await remove(t.ada)).status]).toEqual([401, 404])
    expect((await t.exchange(id)).status).toBe(401)
  })

  test('a plan without keys, and a disabled account, get none', async () => {
    const { id } = await t.made()
    await query(t.world.knex, `update users set account_type = 'free' where id = ?`, [t.ada.id])
    expect(problemOf(await t.exchange(id)).code).toBe('plan-required')
    await query(t.world.knex, 'update users set enabled = false where id = ?', [t.ada.id])
    expect(problemOf(await t.exchange(id)).code).toBe('account-disabled')
  })
})

test('a policy that is deleted at this moment gives no key', async () => {
  const { id } = await t.made()
  const other = await t.world.feed.connectAgain().transaction()
  await query(other, 'delete from trust_policies where id = ?', [id])
  const exchanging = t.exchange(id)
  await untilSomebodyWaits(t.world.knex)
  await other.commit()
  const reply = await exchanging
  expect(reply.status).toBe(401)
  expect(problemOf(reply).code).toBe('wrong-credentials')
})
