/** Domains in own zones, and the deletion of zones with what is in them. */
import type { AdminOwnZone, OwnZone } from '@homing/openapi'
import { ADMIN_ZONE_SORT } from '@homing/openapi/vocabulary'
import { describe, expect, test } from 'vitest'
import { query } from '../../database/sql.ts'
import { addNameLock, applyNameLock, holdNames } from '../../feed/name-locks.ts'
import { SYSTEM } from '../../feed/address-change.ts'
import { settleAccountPlan } from '../../jobs/account-plan.ts'
import { PASSWORD } from '../../../test/support/api-world.ts'
import { removeAccount } from '../../../test/support/remove-account.ts'
import { useZoneWorld } from '../../../test/support/zone-world.ts'

const t = useZoneWorld()
const make = (fqdn: string) => t.made(t.eve, { fqdn, record_ip: '203.0.113.7' })
const remove = (id: string, confirm: string) =>
  t.call(t.eve, 'DELETE', `/api/zones/${id}`, { confirm })

describe('in an own zone, its owner', () => {
  test('registers the apex, reserved labels, look-alikes and deep names', async () => {
    const domain = t.freshDomain()
    const { id } = await t.active(t.eve, domain)
    expect(await t.read(t.eve, 'GET', '/api/zones/available')).toContainEqual({ zone: domain })
    for (const label of ['', 'www.', 'paypal.', 'a.b.c.d.e.']) await make(`${label}${domain}`)
    expect(await t.made(t.eve, { fqdn: 'home', zone: domain })).toMatchObject({
      fqdn: `home.${domain}`,
      zone: domain,
    })
    const wildcard = await t.call(t.eve, 'POST', '/api/domains/wildcard', { base_fqdn: domain })
    expect(wildcard.status).toBe(201)
    expect((await t.content(domain))?.[`*.${domain}`]).toMatchObject([{ type: 'A' }])
    expect(await t.read<OwnZone>(t.eve, 'GET', `/api/zones/${id}`)).toMatchObject({ domains: 5 })
  })

  test('cannot register the names of the name servers, and others cannot register anything', async () => {
    const domain = t.freshDomain()
    await t.active(t.eve, domain)
    for (const label of ['ns1', 'ns2', 'x.ns1']) {
      const fqdn = `${label}.${domain}`
      expect((await t.refused(t.eve, 'POST', '/api/domains', { fqdn })).code).toBe(
        'name-not-allowed',
      )
    }
    const fqdn = `home.${domain}`
    expect((await t.refused(t.mia, 'POST', '/api/domains', { fqdn })).code).toBe(
      'validation-failed',
    )
    expect(await t.read(t.mia, 'GET', '/api/zones/available')).not.toContainEqual({ zone: domain })
    const waiting = t.freshDomain('waiting')
    await t.claim(t.eve, waiting)
    const early = { fqdn: `home.${waiting}` }
    expect((await t.refused(t.eve, 'POST', '/api/domains', early)).code).toBe('validation-failed')
  })

  test('updates a domain with a router, and forwards it', async () => {
    const domain = t.freshDomain()
    await t.active(t.eve, domain)
    const { id, fqdn } = await make(domain)
    const basic = Buffer.from(`${t.eve.username}:${PASSWORD}`).toString('base64')
    const update = await t.call(
      undefined,
      'GET',
      `/nic/update?hostname=${fqdn}&myip=203.0.113.99&wildcard=ON`,
      undefined,
      { authorization: `Basic ${basic}`, 'user-agent': 'ddclient/3.11' },
    )
    expect(update.body).toMatch(/^good 203\.0\.113\.99/)
    expect(await t.content(domain)).toMatchObject({
      [`*.${fqdn}`]: [{ type: 'A', rdata: ['203.0.113.99'] }],
    })
    const target = { domain_id: id, target_url: 'https://www.example.com/' }
    expect((await t.call(t.eve, 'POST', '/api/webforward', target)).status).toBe(201)
  })

  test('deletes a domain without reserving its name, and restores it', async () => {
    const domain = t.freshDomain()
    await t.active(t.eve, domain)
    const { id, fqdn } = await make(`home.${domain}`)
    await t.call(t.eve, 'DELETE', `/api/domains/${id}`)
    const reserved = 'select from name_reservations where fqdn = ?'
    expect(await query(t.world.knex, reserved, [fqdn])).toEqual([])
    const back = await t.call(t.eve, 'POST', `/api/domains/${id}/restore`)
    expect(back.status).toBeLessThan(300)
  })
})

describe('the deletion of a zone', () => {
  test('needs its name, and takes everything in it', async () => {
    const domain = t.freshDomain()
    const { id } = await t.active(t.eve, domain)
    const { id: domainId } = await make(`home.${domain}`)
    expect((await t.refused(t.eve, 'DELETE', `/api/zones/${id}`, { confirm: 'x' })).code).toBe(
      'validation-failed',
    )
    expect((await remove(id, `${domain.toUpperCase()}.`)).status).toBe(204)
    expect((await t.call(t.eve, 'GET', `/api/domains/${domainId}`)).status).toBe(404)
    expect(await t.content(domain)).toBeUndefined()
    expect((await t.call(t.eve, 'GET', `/api/zones/${id}`)).status).toBe(404)
    expect((await t.claim(t.eve, domain)).state).toBe('pending')
  })

  test('leaves a neutral zone to others who claim the domain', async () => {
    const domain = t.freshDomain()
    const { id } = await t.active(t.eve, domain)
    await make(`home.${domain}`)
    const other = await t.claim(t.mia, domain)
    await remove(id, domain)
    expect(Object.keys((await t.content(domain)) ?? {})).toEqual([domain])
    expect(await t.read(t.mia, 'GET', `/api/zones/${other.id}`)).toMatchObject({ state: 'pending' })
  })

  test('is refused with a domain that an administrator locked, whose zone is served meanwhile', async () => {
    const domain = t.freshDomain()
    const { id } = await t.active(t.eve, domain)
    const { fqdn } = await make(`home.${domain}`)
    await t.world.knex.transaction(async (trx) => {
      await holdNames(trx, fqdn)
      await addNameLock(trx, { fqdn, user_id: t.eve.id }, SYSTEM)
      await applyNameLock(trx, fqdn)
    })
    const refusal = await t.refused(t.eve, 'DELETE', `/api/zones/${id}`, { confirm: domain })
    expect(refusal.code).toBe('domain-locked')
    expect(Object.keys((await t.content(domain)) ?? {})).toEqual([domain])
  })

  test('a zone whose own name is locked is not served, and cannot be claimed', async () => {
    const domain = t.freshDomain()
    const { id } = await t.active(t.eve, domain)
    const claimed = await t.claim(t.mia, domain)
    await t.world.knex.transaction(async (trx) => {
      await holdNames(trx, domain)
      await addNameLock(trx, { fqdn: domain, user_id: t.eve.id }, SYSTEM)
      await applyNameLock(trx, domain)
    })
    expect(await t.content(domain)).toBeUndefined()
    const refusal = await t.refused(t.eve, 'DELETE', `/api/zones/${id}`, { confirm: domain })
    expect(refusal.code).toBe('domain-locked')
    // Also when somebody proves a claim that was made before the lock.
    t.publishTxt(claimed)
    expect((await t.verify(t.mia, claimed.id)).state).toBe('active')
    expect(await t.content(domain)).toBeUndefined()
    await t.call(t.eve, 'DELETE', `/api/zones/${id}`, { confirm: domain })
    expect((await t.refused(t.eve, 'POST', '/api/zones', { domain })).code).toBe('name-not-allowed')
  })
})

test('the domains of a zone are served again after its name is unlocked', async () => {
  const { knex } = t.world
  const domain = t.freshDomain()
  await t.active(t.eve, domain)
  const apex = await make(domain)
  const { fqdn } = await make(`home.${domain}`)
  const other = await make(`${t.fresh('other')}.homing.test`)
  const boss = await t.world.person(t.fresh('boss'), 'admin')
  await t.read(boss, 'POST', `/api/admin/domains/${apex.id}/lock`, {
    reason: 'It imitates a bank.',
  })
  // The plan is applied while the zone is not served.
  await t.call(t.eve, 'DELETE', `/api/domains/${other.id}`)
  await query(knex, `delete from pgboss.job where name = 'account-plan'`)
  await t.read(boss, 'POST', `/api/admin/domains/${apex.id}/unlock`)
  const due = await query<{ user_id: string }>(
    knex,
    `select data ->> 'userId' as user_id from pgboss.job where name = 'account-plan'`,
  )
  expect(due).toEqual([{ user_id: t.eve.id }])
  for (const { user_id } of due) await settleAccountPlan(knex, user_id)
  expect((await t.content(domain))?.[fqdn]).toMatchObject([{ type: 'A' }])
})

test('an account that is removed leaves neither zones nor claims', async () => {
  const [domain, waiting] = [t.freshDomain(), t.freshDomain('waiting')]
  await t.active(t.eve, domain)
  await make(`home.${domain}`)
  await t.claim(t.eve, waiting)
  const other = await t.claim(t.mia, waiting)
  await removeAccount(t.world.knex, t.eve.id)
  expect(await t.content(domain)).toBeUndefined()
  expect(Object.keys((await t.content(waiting)) ?? {})).toEqual([waiting])
  expect(await t.read(t.mia, 'GET', `/api/zones/${other.id}`)).toMatchObject({
    is_contested: false,
  })
})

test('administrators list the zones and claims of all accounts', async () => {
  const domain = t.freshDomain()
  const { id } = await t.active(t.eve, domain)
  await t.claim(t.mia, domain)
  const admin = await t.world.person(t.fresh('root'), 'admin')
  const list = (filter: object, sort = 'zone') => {
    const order = JSON.stringify([sort, 'ASC'])
    const asked = new URLSearchParams({ filter: JSON.stringify(filter), sort: order })
    return t.read<AdminOwnZone[]>(admin, 'GET', `/api/admin/zones?${asked.toString()}`)
  }
  expect(await list({ q: domain })).toMatchObject([
    { id, username: t.eve.username, state: 'active', claim_count: 2 },
    { username: t.mia.username, state: 'pending', claim_count: 2 },
  ])
  expect(await list({ user_id: t.mia.id, state: 'pending', is_vanity: false })).toHaveLength(1)
  expect(await list({ state: 'lost', q: domain })).toEqual([])
  for (const field of ADMIN_ZONE_SORT) expect(await list({ q: domain }, field)).toHaveLength(2)
  const url = `/api/admin/zones?filter=${encodeURIComponent('{"state":"none"}')}`
  expect((await t.refused(admin, 'GET', url)).code).toBe('validation-failed')
})
