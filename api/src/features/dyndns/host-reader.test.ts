import type { Knex } from 'knex'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type FeedWorld,
  insertDomain,
  makeUser,
  openFeedWorld,
} from '../../../test/support/feed-world.ts'
import { connect } from '../../database.ts'
import { query } from '../../sql.ts'
import { HostReader } from './host-reader.ts'

let world: FeedWorld
let ada: string
let bob: string

beforeAll(async () => {
  world = await openFeedWorld()
  ada = await makeUser(world.knex, 'ada')
  bob = await makeUser(world.knex, 'bob')
})
afterAll(() => world.end())

const name = (label: string) => `${label}.homing.test`

test('a name is read with its account; one that is another’s, a wildcard or none is not there', async () => {
  const reader = new HostReader(world.knex)
  const base = await insertDomain(world.knex, {
    userId: ada,
    fqdn: name('home'),
    ipv4: '192.0.2.1',
  })
  await insertDomain(world.knex, { userId: ada, fqdn: `*.${name('home')}`, baseId: base.id })
  const account = { credentialVersion: 1, isBlocked: false }
  const [own, his, star, none, alone, nobody] = await Promise.all([
    reader.read(ada, name('home')),
    reader.read(bob, name('home')),
    reader.read(ada, `*.${name('home')}`),
    reader.read(ada, name('none')),
    reader.read(ada, null),
    reader.read('999999', name('home')),
  ])
  expect(own).toEqual({
    account,
    host: { domainId: base.id, ipv4: '192.0.2.1', ipv6: null, isWithheld: false },
  })
  for (const reading of [his, star, none, alone])
    expect(reading).toEqual({ account, host: undefined })
  expect(nobody).toEqual({ account: undefined, host: undefined })
})

test('what arrives while a query is under way is asked together in the next one', async () => {
  let queries = 0
  const counting = {
    raw: (...all: Parameters<Knex['raw']>) => ((queries += 1), world.knex.raw(...all)),
  }
  const reader = new HostReader(counting as unknown as Knex)
  const rows = await query<{ id: string; fqdn: string }>(
    world.knex,
    `insert into domains (user_id, zone_id, fqdn, rrtype, ttl)
     select ?, (select id from zones limit 1), 'n' || n || '.homing.test', 'A', 60 from generate_series(0, 599) n
     returning id, fqdn`,
    [ada],
  )
  const readings = await Promise.all(rows.map(({ fqdn }) => reader.read(ada, fqdn)))
  expect(readings.map(({ host }) => host?.domainId)).toEqual(rows.map(({ id }) => id))
  // 600 names at 256 a query.
  expect(queries).toBe(3)
  await reader.read(ada, null)
  expect(queries).toBe(4)
})

test('nothing is remembered: a ban, a new password and a lock are seen by the next read', async () => {
  const reader = new HostReader(world.knex)
  const { id } = await insertDomain(world.knex, { userId: bob, fqdn: name('bobs') })
  await query(world.knex, 'update domains set locked = true where id = ?', [id])
  await query(world.knex, 'update users set enabled = false, credential_version = 7 where id = ?', [
    bob,
  ])
  expect(await reader.read(bob, name('bobs'))).toMatchObject({
    account: { credentialVersion: 7, isBlocked: true },
    host: { isWithheld: true },
  })
})

test('a database that is away fails those who wait, and the next ones ask again', async () => {
  const away = connect({ url: 'postgresql://homing@127.0.0.1:1/homing', applicationName: 'test' })
  let knex = away
  const reader = new HostReader({
    raw: (...all: Parameters<Knex['raw']>) => knex.raw(...all),
  } as unknown as Knex)
  const outcomes = await Promise.allSettled([reader.read(ada, null), reader.read(ada, null)])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  knex = world.knex
  expect((await reader.read(ada, null)).account).toBeDefined()
  await away.destroy()
})
