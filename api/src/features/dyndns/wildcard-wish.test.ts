/** `wildcard`, which pfSense and OPNsense send with every update. */
import { expect, test } from 'vitest'
import { insertDomain, tableState, zoneId } from '../../../test/support/feed-world.ts'
import { useUpdateWorld } from '../../../test/support/update-world.ts'
import { query } from '../../database/sql.ts'

const t = useUpdateWorld()

const wildcards = async () =>
  query<{ ipv4: string | null }>(
    t.world.knex,
    'select host(record_ipv4) as ipv4 from domains where base_id = ?',
    [t.hostId],
  )
const ask = (wildcard: string, myip = '192.0.2.7') =>
  t.said(`system=dyndns&hostname=${t.host}&myip=${myip}&wildcard=${wildcard}&mx=NOCHG&backmx=NO`)

test('ON creates it if the plan has it, once, and publishes it', async () => {
  expect(await ask('ON')).toBe('200 good 192.0.2.7\n')
  expect(await wildcards()).toEqual([{ ipv4: '192.0.2.7' }])
  const zone = await zoneId(t.world.knex)
  expect((await tableState(t.world.knex, zone))[`*.${t.host}`]).toEqual([
    { type: 'A', ttl: 60, rdata: ['192.0.2.7'] },
  ])
  expect(await ask('ON')).toBe('200 nochg 192.0.2.7\n')
  expect(await ask('ON', '192.0.2.8')).toBe('200 good 192.0.2.8\n')
  expect(await wildcards()).toEqual([{ ipv4: '192.0.2.8' }])
})

test('without the plan it is ignored, never !donator', async () => {
  await query(t.world.knex, `update users set account_type = 'free' where id = ?`, [t.ada.id])
  expect(await ask('ON')).toBe('200 good 192.0.2.7\n')
  expect(await wildcards()).toEqual([])
})

test('without an address none is created', async () => {
  expect(await t.said(`hostname=${t.host}&offline=YES&wildcard=ON`)).toBe('200 good\n')
  expect(await wildcards()).toEqual([])
})

test.each(['OFF', 'NOCHG', '', 'x'])('%j does not change an existing one', async (wildcard) => {
  await insertDomain(t.world.knex, {
    userId: t.ada.id,
    fqdn: `*.${t.host}`,
    baseId: t.hostId,
    ipv4: '192.0.2.1',
  })
  expect(await ask(wildcard)).toBe('200 good 192.0.2.7\n')
  expect(await wildcards()).toEqual([{ ipv4: '192.0.2.7' }])
})

test('a name of another account gets none', async () => {
  const bob = await t.world.person(`bob-${t.host.split('.')[0]}`)
  const his = await t.make('his', { who: bob, ipv4: '192.0.2.1' })
  expect(await t.said(`hostname=${t.fqdn('his')}&myip=192.0.2.7&wildcard=ON`)).toBe('200 nohost\n')
  const made = await query(t.world.knex, 'select from domains where base_id = ?', [his])
  expect(made).toEqual([])
})

test('a name that became protected gets none, and the update succeeds', async () => {
  const { fqdn } = await insertDomain(t.world.knex, {
    userId: t.ada.id,
    fqdn: 'paypal-status.homing.test',
    ipv4: '192.0.2.1',
  })
  expect(await t.said(`hostname=${fqdn}&myip=192.0.2.7&wildcard=ON`)).toBe('200 good 192.0.2.7\n')
  expect(await query(t.world.knex, 'select from domains where fqdn = ?', [`*.${fqdn}`])).toEqual([])
})
