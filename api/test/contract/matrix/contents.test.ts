/** The matrix relies on `Contents` to report changes: it must report each of them, and nothing else. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { query } from '../../../src/database/sql.ts'
import { type FeedWorld, makeUser, openFeedWorld } from '../../support/feed-world.ts'
import { Contents } from './contents.ts'

let world: FeedWorld
let contents: Contents
let ada: string

beforeAll(async () => {
  world = await openFeedWorld()
  contents = await Contents.of(world.knex)
  ada = await makeUser(world.knex, 'ada')
})
afterAll(() => world.end())

const setName = (name: string) =>
  query(world.knex, 'update users set given_name = ? where id = ?', [name, ada])

test('a changed value, and one that is set back', async () => {
  const before = await contents.now()
  await setName('Ada')
  expect(await contents.changedSince(before)).toEqual(['users'])
  await query(world.knex, 'update users set given_name = null where id = ?', [ada])
  expect(await contents.changedSince(before)).toEqual([])
})

test('an added row', async () => {
  const before = await contents.now()
  await makeUser(world.knex, 'bob')
  expect(await contents.changedSince(before)).toContain('users')
})

test('a deleted row, also of a partitioned table', async () => {
  const userId = await makeUser(world.knex, 'carl')
  await query(
    world.knex,
    `insert into domain_events (domain_id, user_id, fqdn, kind, actor)
     values (1, ?, 'a.homing.test', 'created', 'system')`,
    [userId],
  )
  const before = await contents.now()
  await query(world.knex, 'delete from domain_events where user_id = ?', [userId])
  expect(await contents.changedSince(before)).toEqual(['domain_events'])
})

test('a transaction that began before the moment and ended after it', async () => {
  const late = await world.knex.transaction()
  await makeUser(late, 'dora', 'free')
  const before = await contents.now()
  await late.commit()
  expect(await contents.changedSince(before)).toEqual(['users'])
})

test('a table cannot be truncated, because that would not be recorded', async () => {
  await expect(query(world.knex, 'truncate used_captchas')).rejects.toThrow('not be recorded')
})

test('on request, only rows that contain a text', async () => {
  const before = await contents.now()
  await setName('Augusta')
  expect(await contents.changedSince(before, ['nobody-has-this'])).toEqual([])
  const held = await contents.now()
  await setName('Augusta Ada')
  expect(await contents.changedSince(held, ['Augusta'])).toEqual(['users'])
})

test('the time of the last use does not count as a change', async () => {
  await query(
    world.knex,
    `insert into api_keys (user_id, name, prefix, secret_digest) values (?, 'k', 'p', '\\x00')`,
    [ada],
  )
  const before = await contents.now()
  await query(world.knex, 'update api_keys set last_used_at = now()', [])
  expect(await contents.changedSince(before)).toEqual([])
  await query(world.knex, `update api_keys set name = 'other'`, [])
  expect(await contents.changedSince(before)).toEqual(['api_keys'])
})
