import type { QueriesOfService } from '@homing/openapi'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../../../test/support/api-world.ts'
import { call, problemOf, type Reply } from '../../../test/support/calls.ts'
import { query } from '../../database/sql.ts'

let world: ApiWorld
let admin: Caller

beforeAll(async () => {
  world = await openApiWorld()
  admin = await world.person('boss', 'admin')
  await query(
    world.knex,
    `insert into zone_queries_1d
     select date_trunc('day', now(), 'UTC') - make_interval(days => r.days), z.id, r.dimension, r.value, r.queries
     from (values ('homing.test', 0, 'total', '', 7), ('homing.test', 0, 'type', 'A', 7), ('homing.test', 6, 'country', 'AT', 3),
                  ('homing.test', 7, 'country', 'AT', 50), ('homing.test', 0, 'country', 'ZZ', 4),
                  ('eu.homing.test', 1, 'total', '', 9), ('eu.homing.test', 1, 'country', 'AT', 9),
                  ('eu.homing.test', 1, 'network', '64496', 9)) as r(zone, days, dimension, value, queries)
     join zones z on z.name = r.zone`,
  )
  await query(world.knex, `insert into autonomous_systems values (64496, 'Example Net')`)
})
afterAll(() => world.end())

function list(filter: object, more: Readonly<Record<string, string>> = {}): Promise<Reply> {
  const search = new URLSearchParams({ filter: JSON.stringify(filter), ...more })
  const url = `/api/admin/dns-queries?${search.toString()}`
  return call(world.app, 'GET', url, { headers: admin.headers })
}
const shown = async (filter: object, more?: Readonly<Record<string, string>>) =>
  (await list(filter, more))
    .json<QueriesOfService[]>()
    .map(({ value, label, queries, share }) => `${value} ${label} ${queries} ${share}%`)

test('by zone, country, network and type, the most frequent first', async () => {
  expect(await shown({})).toEqual([
    'eu.homing.test eu.homing.test 9 56.25%',
    'homing.test homing.test 7 43.75%',
  ])
  expect(await shown({ by: 'country' })).toEqual(['AT Austria 12 75%', 'ZZ Unknown 4 25%'])
  expect(await shown({ by: 'country', days: '30' })).toEqual([
    'AT Austria 62 93.94%',
    'ZZ Unknown 4 6.06%',
  ])
  expect(await shown({ by: 'country', days: '1' })).toEqual(['ZZ Unknown 4 100%'])
  expect(await shown({ by: 'network' })).toEqual(['64496 Example Net (AS64496) 9 100%'])
  expect(await shown({ by: 'type' })).toEqual(['A A 7 100%'])
})

test('can be searched, sorted and read by page', async () => {
  expect(await shown({ q: 'eu.' })).toEqual(['eu.homing.test eu.homing.test 9 100%'])
  expect(await shown({ by: 'country', id: 'ZZ' })).toEqual(['ZZ Unknown 4 100%'])
  const byName = { sort: '["value","DESC"]', range: '[0,0]' }
  const page = await list({}, byName)
  expect(page.headers['content-range']).toBe('dns-queries 0-0/2')
  expect(page.json()).toEqual([
    { id: 'homing.test', value: 'homing.test', label: 'homing.test', queries: 7, share: 43.75 },
  ])
})

test('filters that cannot be read are refused', async () => {
  for (const filter of [{ by: 'rcode' }, { by: 1 }, { days: '5000' }, { days: 7 }, { user: '1' }]) {
    expect(problemOf(await list(filter)).status).toBe(422)
  }
})
