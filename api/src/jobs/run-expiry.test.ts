import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type FeedWorld,
  makeUser,
  NAMESERVERS,
  openFeedWorld,
} from '../../test/support/feed-world.ts'
import { query } from '../database/sql.ts'
import { runExpiry } from './run-expiry.ts'

const now = new Date('2030-06-15T12:00:00Z')
const MONTH_AGO = new Date('2030-05-15T12:00:00Z')

let world: FeedWorld
beforeAll(async () => {
  world = await openFeedWorld()
})
afterAll(() => world.end())

test('a table that cannot expire stops neither the other tables nor the removal of accounts', async () => {
  const { knex } = world
  const owner = await makeUser(knex, 'owner')
  await makeUser(knex, 'leaver')
  await makeUser(knex, 'unverified', 'free')
  await query(knex, `update users set created_at = ? where username = 'unverified'`, [MONTH_AGO])
  await query(knex, `update users set deletion_due_at = ? where username = 'leaver'`, [MONTH_AGO])
  await query(
    knex,
    `insert into sessions (user_id, token_digest, expires_at) values (?, int4send(1), ?)`,
    [owner, MONTH_AGO],
  )
  // `sessions` are first, and `users` last.
  await knex.raw(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'too slow'; end $$;
    create trigger refuse before delete on sessions for each row execute function refuse()`)
  const services = {
    knex,
    log: pino({ level: 'silent' }),
    now: () => now,
    config: { nameservers: NAMESERVERS },
  }
  const left = () => query<{ username: string }>(knex, 'select username from users order by id')

  const failed: unknown = await runExpiry(services).catch((error: unknown) => error)
  expect(failed).toMatchObject({
    message: 'parts of the expiry failed',
    errors: [
      {
        message: 'expiry of sessions failed',
        cause: { message: expect.stringContaining('too slow') },
      },
    ],
  })
  expect(await left()).toEqual([{ username: 'owner' }])

  await knex.raw('drop trigger refuse on sessions; drop function refuse')
  await runExpiry(services)
  expect(await query(knex, 'select from sessions')).toEqual([])
})
