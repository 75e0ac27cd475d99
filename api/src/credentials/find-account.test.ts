import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FeedWorld, openFeedWorld } from '../../test/support/feed-world.ts'
import { connect } from '../database/connect.ts'
import { SERVICE_LIMITS } from '../database/connection-limits.ts'
import { query } from '../database/sql.ts'
import { findLoginAccounts } from './find-account.ts'

let world: FeedWorld

beforeAll(async () => {
  world = await openFeedWorld()
})
afterAll(() => world.end())

test('a name is found in the same way as its attempts are counted, in any locale of the database', async () => {
  const name = `locale_${process.pid}`
  await query(
    world.knex,
    `create database ${name} template template0 encoding 'UTF8'
       locale_provider builtin builtin_locale 'C.UTF-8' locale 'C'`,
  )
  const url = new URL(world.url)
  url.pathname = `/${name}`
  const limits = SERVICE_LIMITS
  const elsewhere = connect({ url: url.href, applicationName: 'test', limits, maxConnections: 1 })
  try {
    await query(
      elsewhere,
      `create table users as select 7 as id, 'Admin' as username, 'Admin@mail.test' as email, '' as password_hash,
         1 as credential_version, now() as email_verified_at`,
    )
    const [lowered] = await query<{ name: string }>(
      elsewhere,
      `select lower('adm' || chr(304) || 'n') as name`,
    )
    expect(lowered).toEqual({ name: 'admin' })
    const found = async (typed: string) => (await findLoginAccounts(elsewhere, typed))[0]?.id
    expect([await found('ADMIN'), await found('ADMIN@mail.test')]).toEqual([7, 7])
    expect([await found('adm\u0130n'), await found('adm\u0130n@mail.test')]).toEqual([
      undefined,
      undefined,
    ])
  } finally {
    await elsewhere.destroy()
    await query(world.knex, `drop database ${name} with (force)`)
  }
})
