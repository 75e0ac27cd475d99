/** Deleting a row must not read whole tables for what refers to it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { query } from '../../src/database/sql.ts'
import { type FeedWorld, openFeedWorld } from '../support/feed-world.ts'

let world: FeedWorld
beforeAll(async () => {
  world = await openFeedWorld()
})
afterAll(() => world.end())

// A partial index serves the look-up of a value only if it leaves out no more than nulls.
const WITHOUT_INDEX = `
  select c.conrelid::regclass || '.' || a.attname as reference
  from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
  where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.confdeltype = any (?)
    and not exists (
      select from pg_index i
      where i.indrelid = c.conrelid and i.indkey[0] = a.attnum
        and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', a.attname)))
  order by 1`

test.each([
  ['cascade', 'c'],
  ['set null', 'n'],
])('each reference with “on delete %s” begins an index', async (_action, type) => {
  expect(await query(world.knex, WITHOUT_INDEX, [[type]])).toEqual([])
})

test('references to accounts, domains and zones that restrict their deletion begin an index', async () => {
  const restricting = WITHOUT_INDEX.replace(
    'order by',
    `and c.confrelid = any ('{users,domains,zones}'::regclass[]) order by`,
  )
  expect(await query(world.knex, restricting, [['a', 'r']])).toEqual([])
})
