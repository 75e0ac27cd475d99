/** The lock of a name follows the flag of its domain, also when an api of the previous version sets the flag. */
import type { Knex } from 'knex'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { query } from '../../src/database/sql.ts'
import { type FeedWorld, insertDomain, makeUser, openFeedWorld } from '../support/feed-world.ts'

let world: FeedWorld
let knex: Knex
let userId: string
let people = 0

beforeAll(async () => {
  world = await openFeedWorld()
  ;({ knex } = world)
})
afterAll(() => world.end())
beforeEach(async () => {
  people += 1
  userId = await makeUser(knex, `ada${people}`)
})

const locks = () =>
  query(
    knex,
    'select fqdn, locked_by, user_id, locked_at::text from locked_names where user_id = ? order by fqdn',
    [userId],
  )
const setFlag = (fqdn: string, locked: boolean) =>
  query(knex, 'update domains set locked = ? where fqdn = ?', [locked, fqdn])

test('setting the flag locks the name, and removing it clears the lock; a wildcard has no lock', async () => {
  const fqdn = `home${people}.homing.test`
  const { id } = await insertDomain(knex, { userId, fqdn })
  await insertDomain(knex, { userId, fqdn: `*.${fqdn}`, baseId: id })
  await query(knex, 'update domains set locked = true where user_id = ?', [userId])
  expect(await locks()).toMatchObject([{ fqdn, locked_by: null }])
  await setFlag(fqdn, false)
  expect(await locks()).toEqual([])
})

test('a domain below a locked name gets the flag without a separate lock', async () => {
  const fqdn = `home${people}.homing.test`
  for (const each of [fqdn, `nas.${fqdn}`, `x${fqdn}`]) {
    await insertDomain(knex, { userId, fqdn: each })
  }
  for (const each of [fqdn, `nas.${fqdn}`, `x${fqdn}`]) await setFlag(each, true)
  expect(await locks()).toMatchObject([{ fqdn }, { fqdn: `x${fqdn}` }])
})

test('the migration adds the locks of locked domains, once, with their administrators and times', async () => {
  const { up } = await import('../../migrations/0028-locked-names.ts')
  const bossId = await makeUser(knex, `boss${people}`)
  const [known, unknown] = [`known${people}.homing.test`, `unknown${people}.homing.test`]
  for (const fqdn of [known, unknown]) {
    const { id } = await insertDomain(knex, { userId, fqdn })
    await insertDomain(knex, { userId, fqdn: `*.${fqdn}`, baseId: id })
    await query(knex, 'update domains set locked = true where id = ? or base_id = ?', [id, id])
  }
  await query(
    knex,
    `insert into domain_events (domain_id, user_id, fqdn, kind, actor, actor_id, happened_at)
     select id, user_id, fqdn, 'withheld', 'administrator', ?, '2026-05-12T08:30Z' from domains where fqdn = ?`,
    [bossId, known],
  )
  await query(knex, 'delete from locked_names')
  await up(knex)
  const taken = await locks()
  expect(taken).toMatchObject([
    { fqdn: known, locked_by: bossId, locked_at: expect.stringContaining('2026-05-12 08:30:00') },
    { fqdn: unknown, locked_by: null },
  ])
  await up(knex)
  expect(await locks()).toEqual(taken)
})
