/** What the forwarders count (`add_forward_hits`), and what their role can do. */
import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { query } from '../../src/database/sql.ts'
import type { WebForwardRow } from '../../src/models/web-forward.ts'
import { type FeedWorld, makeUser, openFeedWorld } from '../support/feed-world.ts'
import { end, publishedDomain, start } from '../support/forward-world.ts'

let world: FeedWorld
let knex: Knex
let forward: WebForwardRow
let other: WebForwardRow

beforeAll(async () => {
  world = await openFeedWorld()
  knex = world.knex
  const ada = await makeUser(knex, 'ada')
  forward = await start(knex, await publishedDomain(knex, ada, 'home.homing.test'))
  other = await start(knex, await publishedDomain(knex, ada, 'office.homing.test'))
})
afterAll(() => world.end())
beforeEach(() => query(knex, 'delete from forward_hits'))

async function add(
  batch: string,
  counts: readonly (readonly [string, string, number])[],
  db = knex,
) {
  const [row] = await query<{ added: boolean }>(
    db,
    'select add_forward_hits(?, ?::bigint[], ?::date[], ?::bigint[]) as added',
    [
      batch,
      counts.map(([id]) => id),
      counts.map(([, day]) => day),
      counts.map(([, , hits]) => hits),
    ],
  )
  return row?.added
}

const hits = () =>
  query(
    knex,
    'select forward_id, day::text as day, hits::int as hits from forward_hits order by forward_id, day',
  )

test('counts are added by forward and day', async () => {
  expect(
    await add(randomUUID(), [
      [forward.id, '2026-05-12', 3],
      [other.id, '2026-05-12', 1],
    ]),
  ).toBe(true)
  expect(
    await add(randomUUID(), [
      [forward.id, '2026-05-12', 2],
      [forward.id, '2026-05-13', 5],
    ]),
  ).toBe(true)
  expect(await hits()).toEqual([
    { forward_id: forward.id, day: '2026-05-12', hits: 5 },
    { forward_id: forward.id, day: '2026-05-13', hits: 5 },
    { forward_id: other.id, day: '2026-05-12', hits: 1 },
  ])
})

test('a batch that is sent again adds nothing', async () => {
  const batch = randomUUID()
  await add(batch, [[forward.id, '2026-05-12', 3]])
  expect(await add(batch, [[forward.id, '2026-05-12', 3]])).toBe(false)
  expect(await hits()).toMatchObject([{ hits: 3 }])
})

test('counts of a deleted forward are left out, and the rest is added', async () => {
  const bob = await makeUser(knex, 'bob')
  const domain = await publishedDomain(knex, bob, 'gone.homing.test')
  const gone = await start(knex, domain)
  await end(knex, domain, gone)
  expect(
    await add(randomUUID(), [
      [gone.id, '2026-05-12', 3],
      [forward.id, '2026-05-12', 4],
    ]),
  ).toBe(true)
  expect(await hits()).toMatchObject([{ forward_id: forward.id, hits: 4 }])
})

test('a refused batch adds nothing and can be sent again', async () => {
  const batch = randomUUID()
  await expect(
    add(batch, [
      [forward.id, '2026-05-12', 4],
      [other.id, '2026-05-12', -1],
    ]),
  ).rejects.toThrow('forward_hits_hits_check')
  expect(await add(batch, [[forward.id, '2026-05-12', 4]])).toBe(true)
})

test('the role of the forwarders reads its views and adds counts', async () => {
  await knex.transaction(async (trx) => {
    await query(trx, 'set local role homing_forwarder')
    for (const view of ['forward_feed', 'forward_target', 'forward_change']) {
      await query(trx, `select * from ${view} limit 1`)
    }
    expect(await add(randomUUID(), [[forward.id, '2026-05-12', 1]], trx)).toBe(true)
  })
})

test.each([
  'select * from web_forwards',
  'select * from forward_hits',
  'select * from forward_state',
  'update forward_serial set serial = 1',
  `select publish_forwards('{home.homing.test}')`,
])('the role of the forwarders is denied: %s', async (sql) => {
  const refused = knex.transaction(async (trx) => {
    await query(trx, 'set local role homing_forwarder')
    await query(trx, sql)
  })
  await expect(refused).rejects.toThrow('permission denied')
})

test('the role of the DNS daemons cannot add counts', async () => {
  const refused = knex.transaction(async (trx) => {
    await query(trx, 'set local role homing_dnsd')
    await add(randomUUID(), [[forward.id, '2026-05-12', 1]], trx)
  })
  await expect(refused).rejects.toThrow('permission denied')
})
