import type { Knex } from 'knex'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type FeedWorld,
  insertDomain,
  makeUser,
  openFeedWorld,
} from '../../../test/support/feed-world.ts'
import { connect } from '../../database/connect.ts'
import { query } from '../../database/sql.ts'
import { HostReader } from './host-reader.ts'

let world: FeedWorld
let ada: string
let bob: string
let people = 0

beforeAll(async () => {
  world = await openFeedWorld()
})
afterAll(() => world.end())
beforeEach(async () => {
  people += 1
  ada = await makeUser(world.knex, `ada${people}`)
  bob = await makeUser(world.knex, `bob${people}`)
})

const name = (label: string) => `${label}${people}.homing.test`
const domainOf = (userId: string, fqdn: string, ipv4?: string) =>
  insertDomain(world.knex, { userId, fqdn, ...(ipv4 && { ipv4 }) })

/** Inserts a key or token directly into its table. */
async function insertSecret(table: string, owner: string): Promise<{ id: string; digest: string }> {
  const digest = randomBytes(32).toString('hex')
  const columns =
    table === 'api_keys'
      ? `(user_id, name, prefix, secret_digest) values (?, 'k', 'ak_', decode(?, 'hex'))`
      : `(domain_id, prefix, secret_digest) values (?, 'ut_', decode(?, 'hex'))`
  const [row] = await query<{ id: string }>(
    world.knex,
    `insert into ${table} ${columns} returning id`,
    [owner, digest],
  )
  return { id: row?.id ?? '', digest }
}

/** Counts the queries to PostgreSQL. */
function countingReader() {
  const counted = { queries: 0 }
  const raw: Knex['raw'] = ((...all: Parameters<Knex['raw']>) => {
    counted.queries += 1
    return world.knex.raw(...all)
  }) as Knex['raw']
  return { reader: new HostReader({ raw } as unknown as Knex), counted }
}

test('a name is read with its account; a name of another account, a wildcard or an unknown name is not found', async () => {
  const reader = new HostReader(world.knex)
  const base = await domainOf(ada, name('home'), '192.0.2.1')
  await domainOf(ada, name('nas'))
  await insertDomain(world.knex, { userId: ada, fqdn: `*.${name('home')}`, baseId: base.id })
  const account = { credentialVersion: 1, isBlocked: false, hasSecondFactor: false }
  const [own, his, star, none, several, nobody] = await Promise.all([
    reader.ofAccount(ada, name('home')),
    reader.ofAccount(bob, name('home')),
    reader.ofAccount(ada, `*.${name('home')}`),
    reader.ofAccount(ada, name('none')),
    reader.ofAccount(ada, null),
    reader.ofAccount('999999', name('home')),
  ])
  expect(own).toEqual({
    ...account,
    host: {
      domainId: base.id,
      fqdn: name('home'),
      ipv4: '192.0.2.1',
      ipv6: null,
      version: 1,
      isWithheld: false,
      isForwarded: false,
    },
  })
  for (const reading of [his, star, none, several])
    expect(reading).toEqual({ ...account, host: undefined })
  expect(nobody).toBeUndefined()
})

test('without a name: the account’s only one, without its wildcard', async () => {
  const reader = new HostReader(world.knex)
  const base = await domainOf(ada, name('home'), '192.0.2.1')
  await insertDomain(world.knex, { userId: ada, fqdn: `*.${name('home')}`, baseId: base.id })
  const { digest } = await insertSecret('api_keys', ada)
  expect((await reader.ofAccount(ada, null))?.host?.fqdn).toBe(name('home'))
  expect((await reader.ofKey(digest, null))?.host?.fqdn).toBe(name('home'))
  await domainOf(ada, name('nas'))
  expect((await reader.ofAccount(ada, null))?.host).toBeUndefined()
  expect((await reader.ofKey(digest, null))?.host).toBeUndefined()
})

test('a key is read with its account, its plan and a name of its account', async () => {
  const reader = new HostReader(world.knex)
  await domainOf(ada, name('home'), '192.0.2.1')
  await domainOf(bob, name('bobs'))
  const { id, digest } = await insertSecret('api_keys', ada)
  const key = { keyId: id, policyId: null, userId: ada, isBlocked: false, isInPlan: true }
  expect(await reader.ofKey(digest, name('home'))).toMatchObject({
    ...key,
    host: { fqdn: name('home'), ipv4: '192.0.2.1' },
  })
  expect(await reader.ofKey(digest, name('bobs'))).toEqual({ ...key, host: undefined })
  expect(await reader.ofKey('00'.repeat(32), name('home'))).toBeUndefined()
  await query(world.knex, `update users set account_type = 'free' where id = ?`, [ada])
  expect(await reader.ofKey(digest, name('home'))).toMatchObject({ isInPlan: false })
})

test('a token is read with its account and its own name', async () => {
  const reader = new HostReader(world.knex)
  const { id: domainId } = await domainOf(ada, name('home'), '192.0.2.1')
  await domainOf(ada, name('nas'))
  const { id, digest } = await insertSecret('update_tokens', domainId)
  expect(await reader.ofToken(digest)).toEqual({
    tokenId: id,
    userId: ada,
    isBlocked: false,
    host: {
      domainId,
      fqdn: name('home'),
      ipv4: '192.0.2.1',
      ipv6: null,
      version: 1,
      isWithheld: false,
      isForwarded: false,
    },
  })
  expect(await reader.ofToken('00'.repeat(32))).toBeUndefined()
  await query(world.knex, 'delete from domains where id = ?', [domainId])
  expect(await reader.ofToken(digest)).toBeUndefined()
})

test('requests that arrive during a query share the next one', async () => {
  const { reader, counted } = countingReader()
  const rows = await query<{ id: string; fqdn: string }>(
    world.knex,
    `insert into domains (user_id, zone_id, fqdn, rrtype, ttl)
     select ?, (select id from zones limit 1), 'n' || n || '.homing.test', 'A', 60 from generate_series(0, 599) n
     returning id, fqdn`,
    [ada],
  )
  const readings = await Promise.all(rows.map(({ fqdn }) => reader.ofAccount(ada, fqdn)))
  expect(readings.map((reading) => reading?.host?.domainId)).toEqual(rows.map(({ id }) => id))
  // 600 names at 256 a query.
  expect(counted.queries).toBe(3)
  await reader.ofAccount(ada, null)
  expect(counted.queries).toBe(4)
})

test('keys and tokens are batched', async () => {
  const { reader, counted } = countingReader()
  const { id: domainId } = await domainOf(ada, name('home'))
  const key = await insertSecret('api_keys', ada)
  const token = await insertSecret('update_tokens', domainId)
  const unknown = '00'.repeat(32)
  const keys = await Promise.all(
    [key.digest, unknown, key.digest].map((digest) => reader.ofKey(digest, name('home'))),
  )
  expect(keys.map((reading) => reading?.keyId)).toEqual([key.id, undefined, key.id])
  const tokens = await Promise.all(
    [unknown, token.digest, token.digest].map((digest) => reader.ofToken(digest)),
  )
  expect(tokens.map((reading) => reading?.tokenId)).toEqual([undefined, token.id, token.id])
  expect(counted.queries).toBe(2)
})

test('nothing is cached: the next read sees a ban, a new password and a lock', async () => {
  const reader = new HostReader(world.knex)
  const { id } = await domainOf(bob, name('bobs'))
  const token = await insertSecret('update_tokens', id)
  const key = await insertSecret('api_keys', bob)
  await query(world.knex, 'update domains set locked = true where id = ?', [id])
  await query(world.knex, 'update users set enabled = false, credential_version = 7 where id = ?', [
    bob,
  ])
  const blocked = { isBlocked: true, host: { isWithheld: true } }
  expect(await reader.ofAccount(bob, name('bobs'))).toMatchObject({
    ...blocked,
    credentialVersion: 7,
  })
  expect(await reader.ofKey(key.digest, name('bobs'))).toMatchObject(blocked)
  expect(await reader.ofToken(token.digest)).toMatchObject(blocked)
})

test('an unavailable database fails the waiting callers, and the next ones query again', async () => {
  const away = connect({ url: 'postgresql://homing@127.0.0.1:1/homing', applicationName: 'test' })
  let knex = away
  const reader = new HostReader({
    raw: (...all: Parameters<Knex['raw']>) => knex.raw(...all),
  } as unknown as Knex)
  const outcomes = await Promise.allSettled([
    reader.ofAccount(ada, null),
    reader.ofAccount(ada, null),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  knex = world.knex
  expect(await reader.ofAccount(ada, null)).toBeDefined()
  await away.destroy()
})
