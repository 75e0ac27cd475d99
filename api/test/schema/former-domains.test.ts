/** The database itself records the former owner of a name, whichever statement deletes the name. */
import type { Knex } from 'knex'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { query } from '../../src/database/sql.ts'
import { type FeedWorld, makeUser, openFeedWorld, zoneId } from '../support/feed-world.ts'

let world: FeedWorld
let knex: Knex
let zone: string
let userId: string
let people = 0

beforeAll(async () => {
  world = await openFeedWorld()
  ;({ knex } = world)
  zone = await zoneId(knex)
})
afterAll(() => world.end())
beforeEach(async () => {
  people += 1
  userId = await makeUser(knex, `ada${people}`)
})

async function makeDomain(fqdn: string, baseId: string | null = null): Promise<string> {
  const [row] = await query<{ id: string }>(
    knex,
    `insert into domains (user_id, zone_id, fqdn, rrtype, ttl, base_id, is_wildcard)
     values (?, ?, ?, 'A', 60, ?, ?) returning id`,
    [userId, zone, fqdn, baseId, baseId !== null],
  )
  return row?.id ?? ''
}

const formerOf = () =>
  query<{ domain_id: string; fqdn: string }>(
    knex,
    'select domain_id, fqdn from former_domains where user_id = ? order by domain_id',
    [userId],
  )

test('a statement that deletes a name records it, and also its wildcard, which is deleted with it', async () => {
  const id = await makeDomain('old.homing.test')
  const wildcardId = await makeDomain('*.old.homing.test', id)
  await query(knex, 'delete from domains where id = ?', [id])
  expect(await formerOf()).toEqual([
    { domain_id: id, fqdn: 'old.homing.test' },
    { domain_id: wildcardId, fqdn: '*.old.homing.test' },
  ])
})

test('an older api, which writes the row itself before it deletes, still works', async () => {
  const id = await makeDomain('older.homing.test')
  await knex.transaction(async (trx) => {
    await query(
      trx,
      `insert into former_domains (domain_id, user_id, fqdn, deleted_at)
       select id, user_id, fqdn, now() from domains where id = ?`,
      [id],
    )
    await query(trx, 'delete from domains where id = ?', [id])
  })
  expect(await formerOf()).toEqual([{ domain_id: id, fqdn: 'older.homing.test' }])
})

test('names that were deleted between the table and the trigger are recorded once by the migration', async () => {
  const { up } = await import('../../migrations/0022-former-domains-by-trigger.ts')
  const present = await makeDomain('present.homing.test')
  await query(
    knex,
    `insert into domain_events (domain_id, user_id, fqdn, kind, actor)
     values (900001, ?, 'between.homing.test', 'deleted', 'session'), (?, ?, 'present.homing.test', 'created', 'session')`,
    [userId, present, userId],
  )
  await up(knex)
  await up(knex)
  expect(await formerOf()).toEqual([{ domain_id: '900001', fqdn: 'between.homing.test' }])
})

test('one statement for many names runs the trigger once', async () => {
  await query(
    knex,
    `insert into domains (user_id, zone_id, fqdn, rrtype, ttl)
     select ?, ?, 'n' || n || '.homing.test', 'A', 60 from generate_series(1, 500) as n`,
    [userId, zone],
  )
  const plan = await query<{ 'QUERY PLAN': string }>(
    knex,
    'explain (analyze, timing off) delete from domains where user_id = ?',
    [userId],
  )
  const lines = plan.map((line) => line['QUERY PLAN'])
  expect(lines).toContainEqual(expect.stringMatching(/Trigger domains_former: calls=1$/))
  expect(await formerOf()).toHaveLength(500)
})
