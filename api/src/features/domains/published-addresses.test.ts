/** The addresses that DNS publishes for a domain, as the API shows them beside the stored ones. */
import type { AdminDomain, Domain } from '@homing/openapi'
import { beforeEach, expect, test } from 'vitest'
import { useForwardWorld } from '../../../test/support/web-forward-world.ts'
import { query } from '../../database/sql.ts'

const t = useForwardWorld()
const SHOP = 'https://shop.example.com/start'

beforeEach(async () => {
  t.targets.describe(SHOP, {})
  await query(t.world.knex, 'delete from forward_addresses')
  await query(
    t.world.knex,
    `insert into forward_addresses values ('192.0.2.81'), ('2001:db8::80'), ('192.0.2.80')`,
  )
})

const read = (id: string) => t.read<Domain>(t.ada, 'GET', `/api/domains/${id}`)

interface Rrset {
  readonly type: string
  readonly rdata: readonly string[]
}

/** What the API shows, after a comparison with what DNS serves. */
async function shown(id: string) {
  const domain = await read(id)
  const { record_ipv4, record_ipv6, is_forwarded, published_ipv4, published_ipv6 } = domain
  const rrsets = ((await t.served(domain.fqdn)) ?? []) as readonly Rrset[]
  const served = (type: string) => rrsets.find((rrset) => rrset.type === type)?.rdata ?? []
  expect([published_ipv4, published_ipv6]).toEqual([served('A'), served('AAAA')])
  return {
    stored: [record_ipv4, record_ipv6],
    published: [...published_ipv4, ...published_ipv6],
    is_forwarded,
  }
}

const SERVERS = ['192.0.2.80', '192.0.2.81', '2001:db8::80']
const change = (id: string, body: object) => t.call(t.ada, 'PUT', `/api/domains/${id}`, body)

test('they are the stored ones while the domain is served, and none while it is paused', async () => {
  const { id } = await t.domain(t.ada, 'plain')
  const stored = ['203.0.113.7', null]
  expect(await shown(id)).toEqual({ stored, published: ['203.0.113.7'], is_forwarded: false })
  await change(id, { record_ipv4: null, record_ipv6: '2001:db8::7' })
  expect(await shown(id)).toMatchObject({ published: ['2001:db8::7'] })
  await change(id, { paused: true })
  expect(await shown(id)).toEqual({
    stored: [null, '2001:db8::7'],
    published: [],
    is_forwarded: false,
  })
})

test('they are those of the forwarding servers while a forward is in force', async () => {
  const { id, domain_id } = await t.forwarded(t.ada, 'led', { target_url: SHOP })
  const stored = ['203.0.113.7', null]
  expect(await shown(domain_id)).toEqual({ stored, published: SERVERS, is_forwarded: true })
  await change(domain_id, { record_ipv4: '203.0.113.8' })
  expect(await shown(domain_id)).toMatchObject({
    stored: ['203.0.113.8', null],
    published: SERVERS,
  })
  await change(domain_id, { paused: true })
  expect(await shown(domain_id)).toMatchObject({ published: [] })
  await change(domain_id, { paused: false })
  await t.call(t.ada, 'PUT', `/api/webforward/${id}`, { is_active: false })
  expect(await shown(domain_id)).toMatchObject({
    published: ['203.0.113.8'],
    is_forwarded: false,
  })
})

test('a forwarded domain publishes no address while no forwarding server is configured', async () => {
  await query(t.world.knex, 'delete from forward_addresses')
  const { id, domain_id } = await t.forwarded(t.ada, 'alone', { target_url: SHOP })
  expect(await shown(domain_id)).toMatchObject({ published: [], is_forwarded: true })
  // The next test stores other addresses and does not publish this domain again.
  await t.call(t.ada, 'DELETE', `/api/webforward/${id}`)
})

test('a wildcard publishes the same, and lists and administrators show it', async () => {
  const { domain_id, fqdn } = await t.forwarded(t.ada, 'wild', { target_url: SHOP })
  const { id } = await t.read<Domain>(t.ada, 'POST', '/api/domains/wildcard', { base_fqdn: fqdn })
  expect(await shown(id)).toMatchObject({ published: SERVERS, is_forwarded: true })
  const listed = await t.read<Domain[]>(t.ada, 'GET', '/api/domains')
  expect(listed).toEqual([await read(domain_id), await read(id)])
  const boss = await t.world.person(t.fresh('boss'), 'admin')
  const seen = await t.read<AdminDomain>(boss, 'GET', `/api/admin/domains/${domain_id}`)
  expect([...seen.published_ipv4, ...seen.published_ipv6]).toEqual(SERVERS)
})
