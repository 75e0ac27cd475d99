import type { Domain, DomainEvent, RestorableDomain } from '@homing/openapi'
import { expect, test } from 'vitest'
import { address, useDomainWorld } from '../../../test/support/domain-world.ts'
import { revokeCredentials } from '../../credentials/working-credentials.ts'
import { query } from '../../database/sql.ts'
import { expire } from '../../jobs/expire.ts'

const t = useDomainWorld()

const restore = (id: string, who = t.ada) => t.call(who, 'POST', `/api/domains/${id}/restore`)
const notRestored = (id: string, who = t.ada) =>
  t.refused(who, 'POST', `/api/domains/${id}/restore`)
const remove = (id: string) => t.call(t.ada, 'DELETE', `/api/domains/${id}`)
const deleted = async (who = t.ada) =>
  JSON.parse((await t.call(who, 'GET', '/api/domains/deleted')).body) as RestorableDomain[]

/** A deleted domain. */
async function gone(label: string): Promise<Domain> {
  const domain = await t.made(t.ada, {
    fqdn: `${t.fresh(label)}.homing.test`,
    record_ip: '192.0.2.1',
  })
  await remove(domain.id)
  return domain
}

test('a restored domain is the one that was deleted', async () => {
  const fqdn = `${t.fresh('whole')}.homing.test`
  const { id } = await t.made(t.ada, { fqdn, record_ip: '192.0.2.1' })
  const url = `/api/domains/${id}`
  await t.call(t.ada, 'PUT', url, { note: 'Attic', tags: ['home'] })
  await t.call(t.ada, 'POST', '/api/domains/wildcard', { base_fqdn: fqdn })
  const { token } = JSON.parse((await t.call(t.ada, 'POST', `${url}/update-token`, {})).body) as {
    token: string
  }
  const before = JSON.parse((await t.call(t.ada, 'GET', url)).body) as Domain
  await remove(id)
  expect(await t.served(fqdn)).toBeUndefined()
  expect(await deleted()).toMatchObject([
    { id, fqdn, note: 'Attic', tags: ['home'], has_wildcard: true, has_update_token: true },
  ])
  expect(await deleted(t.bob)).toEqual([])
  expect(await notRestored(id, t.bob)).toMatchObject({ status: 404 })

  const answer = await restore(id)
  expect(answer.status).toBe(200)
  expect(JSON.parse(answer.body)).toEqual({ ...before, version: before.version + 1 })
  expect(await t.served(fqdn)).toEqual([address('A', '192.0.2.1')])
  expect(await t.served(`*.${fqdn}`)).toEqual([address('A', '192.0.2.1')])
  const events = JSON.parse((await t.call(t.ada, 'GET', `${url}/events`)).body) as DomainEvent[]
  expect(events.map(({ kind }) => kind)).toEqual([
    'undeleted',
    'deleted',
    'tags',
    'note',
    'created',
  ])
  const update = await t.call(undefined, 'GET', '/nic/update?myip=192.0.2.2', undefined, {
    authorization: `Bearer ${token}`,
  })
  expect(update.body).toMatch(/^good/)
  expect(await deleted()).toEqual([])
  expect(await notRestored(id)).toMatchObject({ status: 404, code: 'not-found' })
  await remove(id)
  expect((await restore(id)).status).toBe(200)
})

test('of two calls at once one restores it', async () => {
  const { id } = await gone('race')
  const answers = await Promise.all([restore(id), restore(id)])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
})

test('the plan must have a place for it', async () => {
  const { id } = await gone('place')
  await query(t.world.knex, `update users set account_type = 'free' where id = ?`, [t.ada.id])
  const [plan] = await query<{ domain_limit: number }>(
    t.world.knex,
    `select domain_limit from plans where account_type = 'free'`,
  )
  const others: Domain[] = []
  for (let n = 0; n < (plan?.domain_limit ?? 0); n += 1) {
    others.push(await t.made(t.ada, { fqdn: `${t.fresh(`place${n}`)}.homing.test` }))
  }
  const refused = await notRestored(id)
  expect(refused).toMatchObject({ status: 409, code: 'restore-refused' })
  expect(refused.detail).toContain('Your plan includes')
  await remove(others[0]?.id ?? '')
  expect((await restore(id)).status).toBe(200)
})

test('the name must be free', async () => {
  const { id, fqdn } = await gone('again')
  await t.made(t.ada, { fqdn })
  expect(await notRestored(id)).toMatchObject({ status: 409, code: 'name-taken' })

  const other = await gone('reserved')
  await query(t.world.knex, 'update name_reservations set user_id = ? where fqdn = ?', [
    t.bob.id,
    other.fqdn,
  ])
  expect(await notRestored(other.id)).toMatchObject({ status: 409, code: 'name-reserved' })
})

test('a lock of the name, above it or below its wildcard forbids it', async () => {
  const lock = (fqdn: string) =>
    query(t.world.knex, 'insert into locked_names (fqdn) values (?)', [fqdn])
  const { id, fqdn } = await gone('locked')
  await lock(fqdn)
  expect(await notRestored(id)).toMatchObject({ status: 409, code: 'restore-refused' })

  const base = await t.made(t.ada, {
    fqdn: `${t.fresh('cover')}.homing.test`,
    record_ip: '192.0.2.1',
  })
  await t.call(t.ada, 'POST', '/api/domains/wildcard', { base_fqdn: base.fqdn })
  await remove(base.id)
  await lock(`x.${base.fqdn}`)
  expect(await notRestored(base.id)).toMatchObject({ status: 409, code: 'restore-refused' })
  expect((await deleted()).map((domain) => domain.id)).toEqual([base.id, id])
})

test('a smaller plan keeps the wildcard withheld', async () => {
  const { id, fqdn } = await t.made(t.ada, {
    fqdn: `${t.fresh('plan')}.homing.test`,
    record_ip: '192.0.2.1',
  })
  await t.call(t.ada, 'POST', '/api/domains/wildcard', { base_fqdn: fqdn })
  await remove(id)
  await query(t.world.knex, `update users set account_type = 'free' where id = ?`, [t.ada.id])
  expect((await restore(id)).status).toBe(200)
  expect(await t.served(`*.${fqdn}`)).toBeUndefined()
})

test('after 30 days it is gone', async () => {
  const { id } = await gone('late')
  const past = `now() - interval '30 days'`
  await query(t.world.knex, `update deleted_domains set deleted_at = ${past} where id = ?`, [id])
  expect(await deleted()).toEqual([])
  expect(await notRestored(id)).toMatchObject({ status: 404 })
  await expire(t.world.knex, new Date())
  expect(await query(t.world.knex, 'select from deleted_domains where id = ?', [id])).toEqual([])
})

test('an update token that was revoked meanwhile does not come back', async () => {
  const { id } = await t.made(t.ada, { fqdn: `${t.fresh('token')}.homing.test` })
  await t.call(t.ada, 'POST', `/api/domains/${id}/update-token`, {})
  await remove(id)
  await t.world.knex.transaction((trx) => revokeCredentials(trx, t.ada.id))
  expect(await deleted()).toMatchObject([{ id, has_update_token: false }])
  await restore(id)
  expect((await t.call(t.ada, 'GET', `/api/domains/${id}/update-token`)).status).toBe(404)
})
