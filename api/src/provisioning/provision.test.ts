import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FeedWorld, openFeedWorld, tableState, zoneId } from '../../test/support/feed-world.ts'
import { query } from '../database/sql.ts'
import { migrateLoader } from '../config/scripts.ts'
import { notesOf } from './notes.ts'
import { provision } from './provision.ts'

let world: FeedWorld

beforeAll(async () => {
  world = await openFeedWorld([])
})
afterAll(() => world.end())

const deploy = (environment: Readonly<Record<string, string>>) =>
  provision(
    migrateLoader.load({
      ADMIN_PASSWORD: 'nine wild geese at dusk',
      NAMESERVERS: 'ns1.a.test/192.0.2.53',
      ...environment,
    }),
    world.url,
    { keepsPassword: false },
  )

test('each deployment changes zones and name servers to match the environment', async () => {
  const first = await deploy({ ZONES: 'a.test' })
  expect(first.administrator).toEqual({ username: 'admin', outcome: 'created' })
  expect(first.zones).toEqual([{ zone: 'a.test', outcome: 'created', kept: [] }])

  // FORWARD_ADDRESSES is FORWARD_HOST if it is not set.
  const addresses = () =>
    query(world.knex, 'select host(address) as address from forward_addresses')
  expect(await addresses()).toEqual([{ address: '127.0.0.1' }])

  const second = await deploy({
    FORWARD_ADDRESSES: '192.0.2.80',
    ZONES: 'a.test,b.test',
    NAMESERVERS: 'ns1.a.test/192.0.2.99',
    ADMIN_PASSWORD: '',
  })
  expect(second.administrator).toEqual({ username: 'admin', outcome: 'exists' })
  expect(second.zones.map(({ zone, outcome }) => [zone, outcome])).toEqual([
    ['a.test', 'updated'],
    ['b.test', 'created'],
  ])
  const nameServer = (await tableState(world.knex, await zoneId(world.knex, 'a.test')))[
    'ns1.a.test'
  ]
  expect(nameServer).toEqual([{ type: 'A', ttl: 3600, rdata: ['192.0.2.99'] }])
  expect(notesOf(second)).toEqual([])
  expect(await addresses()).toEqual([{ address: '192.0.2.80' }])

  expect(notesOf(await deploy({ ZONES: 'b.test' }))).toEqual([
    'a.test is no longer in ZONES; the zone remains, with its domains and its name servers',
  ])
})
