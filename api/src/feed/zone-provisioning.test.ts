import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type FeedWorld,
  insertDomain,
  makeUser,
  NAMESERVERS,
  openFeedWorld,
  replay,
  tableState,
  toldSets,
  zoneId,
} from '../../test/support/feed-world.ts'
import type { ZoneRow } from './rows.ts'
import { query } from '../database/sql.ts'
import { NameServerTaken, zoneOf } from './name-servers.ts'
import { ZoneHidesDomain } from './new-zone.ts'
import { ensureZones, formerZones, ZoneTaken } from './zone-provisioning.ts'

let world: FeedWorld

beforeEach(async () => {
  world = await openFeedWorld([])
})
afterEach(() => world.end())

const zoneRow = async (name: string) => {
  const [row] = await query<ZoneRow>(world.knex, 'select * from zones where name = ?', [name])
  return row
}
const state = async (name: string) => tableState(world.knex, await zoneId(world.knex, name))
const told = async (name: string) => toldSets(world.knex, await zoneId(world.knex, name))

test('the zone that answers for a name is the longest one', () => {
  const zones = ['homing.test', 'eu.homing.test', 'ing.test']
  expect(zoneOf('a.eu.homing.test', zones)).toBe('eu.homing.test')
  expect(zoneOf('homing.test', zones)).toBe('homing.test')
  expect(zoneOf('xhoming.test', zones)).toBeUndefined()
})

test('a zone with its SOA, NS set and glue, published from the first serial on', async () => {
  await ensureZones(world.knex, { zones: ['homing.test'], nameservers: NAMESERVERS })
  expect(await zoneRow('homing.test')).toMatchObject({
    owner_id: null,
    offered: true,
    soa_mname: 'ns1.homing.test',
    soa_rname: 'hostmaster.homing.test',
    soa_refresh: 3600,
    soa_retry: 600,
    soa_expire: 1209600,
    soa_minimum: 60,
  })
  expect(await state('homing.test')).toEqual({
    'homing.test': [{ type: 'NS', ttl: 3600, rdata: ['ns1.homing.test.', 'ns2.homing.test.'] }],
    'ns1.homing.test': [
      { type: 'A', ttl: 3600, rdata: ['192.0.2.53'] },
      { type: 'AAAA', ttl: 3600, rdata: ['2001:db8::53'] },
    ],
    'ns2.homing.test': [{ type: 'A', ttl: 3600, rdata: ['192.0.2.54'] }],
  })
  expect(replay(await told('homing.test'))).toEqual(await state('homing.test'))
})

test('twenty concurrent starts create each zone once and publish it once', async () => {
  const configuration = { zones: ['b.test', 'a.test'], nameservers: NAMESERVERS }
  const pools = [world.knex, world.connectAgain(), world.connectAgain()]
  const runs = await Promise.all(
    Array.from({ length: 20 }, (_, n) => ensureZones(pools[n % 3] ?? world.knex, configuration)),
  )
  const created = runs.flat().filter(({ outcome }) => outcome === 'created')
  expect(created.map(({ zone }) => zone).toSorted()).toEqual(['a.test', 'b.test'])
  expect(await told('a.test')).toHaveLength(1)
  expect(await told('b.test')).toHaveLength(1)
})

test('a changed configuration changes and publishes the differences, and nothing else', async () => {
  const zones = ['homing.test']
  await ensureZones(world.knex, { zones, nameservers: NAMESERVERS })
  const nameservers = [
    { hostname: 'ns1.homing.test', ipv4: '192.0.2.99', ipv6: '2001:db8::53' },
    { hostname: 'ns.elsewhere.test', ipv4: '192.0.2.54' },
  ]
  expect(await ensureZones(world.knex, { zones, nameservers })).toEqual([
    { zone: 'homing.test', outcome: 'updated', kept: [] },
  ])
  expect(await ensureZones(world.knex, { zones, nameservers })).toEqual([
    { zone: 'homing.test', outcome: 'unchanged', kept: [] },
  ])
  const last = (await told('homing.test')).at(-1)
  expect([...(last?.owners.keys() ?? [])].sort()).toEqual([
    'homing.test',
    'ns1.homing.test',
    'ns2.homing.test',
  ])
  expect(last?.owners.get('ns2.homing.test')).toBeNull()
  expect(await state('homing.test')).toMatchObject({
    'homing.test': [{ rdata: ['ns1.homing.test.', 'ns.elsewhere.test.'] }],
    'ns1.homing.test': [{ rdata: ['192.0.2.99'] }, { type: 'AAAA' }],
  })
})

test('glue is in the deepest zone that contains the name server', async () => {
  const nameservers = [{ hostname: 'ns1.eu.homing.test', ipv4: '192.0.2.53' }]
  await ensureZones(world.knex, { zones: ['homing.test', 'eu.homing.test'], nameservers })
  expect(Object.keys(await state('homing.test'))).toEqual(['homing.test'])
  expect(Object.keys(await state('eu.homing.test')).sort()).toEqual([
    'eu.homing.test',
    'ns1.eu.homing.test',
  ])
})

test('an imported SOA and imported NS set are kept', async () => {
  await ensureZones(world.knex, { zones: ['homing.test'], nameservers: NAMESERVERS })
  const zone = await zoneId(world.knex)
  await query(
    world.knex,
    `update zones set soa_origin = 'import', soa_mname = 'primary.test' where id = ?`,
    [zone],
  )
  await query(world.knex, `delete from records where zone_id = ?`, [zone])
  await query(
    world.knex,
    `insert into records (zone_id, owner, type, ttl, rdata, origin)
     values (?, 'homing.test', 'NS', 300, '{primary.test.}', 'import')`,
    [zone],
  )
  const before = (await told('homing.test')).length
  const ensured = await ensureZones(world.knex, {
    zones: ['homing.test'],
    nameservers: NAMESERVERS,
  })
  expect(ensured).toEqual([
    {
      zone: 'homing.test',
      outcome: 'unchanged',
      kept: [{ owner: 'homing.test', type: 'NS', rdata: ['primary.test.'] }],
    },
  ])
  expect(await zoneRow('homing.test')).toMatchObject({ soa_mname: 'primary.test' })
  expect(Object.keys(await state('homing.test'))).toEqual(['homing.test'])
  expect(await told('homing.test')).toHaveLength(before)
})

test('a zone that administrators hid stays hidden; an imported one is offered once configured', async () => {
  const configuration = { zones: ['homing.test'], nameservers: NAMESERVERS }
  await ensureZones(world.knex, configuration)
  await query(world.knex, `update zones set offered = false`)
  await ensureZones(world.knex, configuration)
  expect(await zoneRow('homing.test')).toMatchObject({ offered: false })
  await query(world.knex, `update zones set configured_at = null`)
  await ensureZones(world.knex, configuration)
  expect(await zoneRow('homing.test')).toMatchObject({ offered: true })
})

test("a user's own zone is not added to the configuration", async () => {
  await ensureZones(world.knex, { zones: ['homing.test'], nameservers: NAMESERVERS })
  const userId = await makeUser(world.knex, 'ada')
  await query(world.knex, `update zones set owner_id = ?, is_own = true`, [userId])
  const before = await state('homing.test')
  const nameservers = [{ hostname: 'ns.elsewhere.test', ipv4: '192.0.2.54' }]
  await expect(ensureZones(world.knex, { zones: ['homing.test'], nameservers })).rejects.toThrow(
    ZoneTaken,
  )
  expect(await state('homing.test')).toEqual(before)
})

test('an imported address of a name server is kept, and reported where it differs', async () => {
  const [zones, zone] = [['homing.test'], 'homing.test']
  await ensureZones(world.knex, { zones, nameservers: NAMESERVERS })
  await query(world.knex, `update records set origin = 'import' where owner = 'ns2.homing.test'`)
  expect(await ensureZones(world.knex, { zones, nameservers: NAMESERVERS })).toEqual([
    { zone, outcome: 'unchanged', kept: [] },
  ])
  const nameservers = [{ hostname: 'ns2.homing.test', ipv4: '192.0.2.99' }]
  expect(await ensureZones(world.knex, { zones, nameservers })).toEqual([
    {
      zone,
      outcome: 'updated',
      kept: [{ owner: 'ns2.homing.test', type: 'A', rdata: ['192.0.2.54'] }],
    },
  ])
})

test('a zone that was in the configuration before is kept, and reported', async () => {
  await ensureZones(world.knex, { zones: ['a.test', 'b.test'], nameservers: NAMESERVERS })
  await ensureZones(world.knex, { zones: ['b.test'], nameservers: NAMESERVERS })
  expect(await formerZones(world.knex, ['b.test'])).toEqual(['a.test'])
  expect(Object.keys(await state('a.test'))).toEqual(['a.test'])
})

test.each([
  ['mine.homing.test', "mine.homing.test is a user's domain"],
  ['ns1.mine.homing.test', 'ns1.mine.homing.test is below mine.homing.test'],
])(
  "a name server %s is refused where mine.homing.test is a user's domain",
  async (hostname, reason) => {
    await ensureZones(world.knex, { zones: ['homing.test'], nameservers: NAMESERVERS })
    const userId = await makeUser(world.knex, 'ada')
    await insertDomain(world.knex, { userId, fqdn: 'mine.homing.test', ipv4: '192.0.2.1' })
    const before = await state('homing.test')
    const nameservers = [{ hostname, ipv4: '192.0.2.53' }]
    const run = ensureZones(world.knex, { zones: ['homing.test'], nameservers })
    await expect(run).rejects.toThrow(NameServerTaken)
    await expect(run).rejects.toThrow(reason)
    expect(await state('homing.test')).toEqual(before)
  },
)

test.each(['eu.homing.test', 'nas.eu.homing.test'])(
  'a new zone eu.homing.test is refused where it would hide %s',
  async (fqdn) => {
    const zones = ['homing.test']
    await ensureZones(world.knex, { zones, nameservers: NAMESERVERS })
    const userId = await makeUser(world.knex, 'ada')
    await insertDomain(world.knex, { userId, fqdn, ipv4: '192.0.2.1' })
    const run = ensureZones(world.knex, {
      zones: [...zones, 'eu.homing.test'],
      nameservers: NAMESERVERS,
    })
    await expect(run).rejects.toThrow(ZoneHidesDomain)
    await expect(run).rejects.toThrow(fqdn)
    expect(await zoneRow('eu.homing.test')).toBeUndefined()
  },
)
