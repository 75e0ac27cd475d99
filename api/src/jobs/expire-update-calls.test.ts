import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type FeedWorld,
  insertDomain,
  makeUser,
  openFeedWorld,
} from '../../test/support/feed-world.ts'
import { query } from '../database/sql.ts'
import { expireUpdateCalls } from './expire-update-calls.ts'

const DAY_MS = 86_400_000
const NOW = new Date('2030-06-15T12:00:00Z')
let world: FeedWorld

beforeAll(async () => {
  world = await openFeedWorld()
})
afterAll(() => world.end())

async function insertCall(domainId: string, number: number, daysAgo: number): Promise<void> {
  const at = new Date(NOW.getTime() - daysAgo * DAY_MS)
  await query(
    world.knex,
    `insert into update_calls values (?, false, ?, ?, 1, ?, ?, null, null, 'dyndns2', '/', '', 'good', null)`,
    [domainId, number, number, at, at],
  )
  await query(
    world.knex,
    'insert into update_call_rings values (?, ?, 0) on conflict (domain_id) do update set owned = excluded.owned',
    [domainId, number],
  )
}

test('calls of thirty days ago are deleted, and all calls of a deleted name', async () => {
  const ada = await makeUser(world.knex, 'ada')
  const { id } = await insertDomain(world.knex, { userId: ada, fqdn: 'home.homing.test' })
  await insertCall(id, 1, 30)
  await insertCall(id, 2, 29)
  await insertCall('999999', 1, 0)
  expect(await expireUpdateCalls(world.knex, NOW)).toBe(2)
  const calls = await query(world.knex, 'select domain_id, number from update_calls')
  expect(calls).toEqual([{ domain_id: id, number: '2' }])
  const rings = await query(world.knex, 'select domain_id, owned from update_call_rings')
  expect(rings).toEqual([{ domain_id: id, owned: '2' }])
})

test('handles any number of names', async () => {
  await query(world.knex, 'truncate update_calls, update_call_rings')
  await query(
    world.knex,
    `insert into update_calls select n, false, 1, 1, 1, ?, ?, null, null, 'dyndns2', '/', '', 'good', null
     from generate_series(1000000, 1001200) n`,
    [NOW, NOW],
  )
  await query(
    world.knex,
    'insert into update_call_rings select n, 1, 0 from generate_series(1000000, 1001200) n',
  )
  expect(await expireUpdateCalls(world.knex, NOW)).toBe(1_201)
  expect(await query(world.knex, 'select 1 from update_call_rings')).toEqual([])
})

test('without any names', async () => {
  await query(world.knex, 'truncate update_calls, update_call_rings')
  expect(await expireUpdateCalls(world.knex, NOW)).toBe(0)
})
