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
  const before = await contents.digests()
  await setName('Ada')
  expect(await contents.changedSince(before)).toEqual(['users'])
  await query(world.knex, 'update users set given_name = null where id = ?', [ada])
  expect(await contents.changedSince(before)).toEqual([])
})

test('an added row', async () => {
  const before = await contents.digests()
  await makeUser(world.knex, 'bob')
  expect(await contents.changedSince(before)).toContain('users')
})

test('on request, only rows that contain a text', async () => {
  const before = await contents.digests(['nobody-has-this'])
  await setName('Augusta')
  expect(await contents.changedSince(before, ['nobody-has-this'])).toEqual([])
  const held = await contents.digests(['Augusta'])
  await setName('Augusta Ada')
  expect(await contents.changedSince(held, ['Augusta'])).toEqual(['users'])
})

test('the time of the last use does not count as a change', async () => {
  await query(
    world.knex,
    `insert into api_keys (user_id, name, prefix, secret_digest) values (?, 'k', 'p', '\\x00')`,
    [ada],
  )
  const before = await contents.digests()
  await query(world.knex, 'update api_keys set last_used_at = now()', [])
  expect(await contents.changedSince(before)).toEqual([])
  await query(world.knex, `update api_keys set name = 'other'`, [])
  expect(await contents.changedSince(before)).toEqual(['api_keys'])
})
