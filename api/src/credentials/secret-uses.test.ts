import type { Knex } from 'knex'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type FeedWorld,
  insertDomain,
  makeUser,
  openFeedWorld,
} from '../../test/support/feed-world.ts'
import { query } from '../database/sql.ts'
import { SecretUses } from './secret-uses.ts'

let world: FeedWorld
let clock = new Date()
let errors: unknown[] = []
let keyId: string
let tokenId: string
/** The digests of the key and the token, in hexadecimal. */
let digest: string
let made = 0

beforeAll(async () => {
  world = await openFeedWorld()
})
afterAll(() => world.end())
beforeEach(async () => {
  made += 1
  clock = new Date('2030-01-01T00:00:00Z')
  errors = []
  const ada = await makeUser(world.knex, `ada${made}`)
  const domain = await insertDomain(world.knex, { userId: ada, fqdn: `home${made}.homing.test` })
  const [key] = await query<{ id: string }>(
    world.knex,
    `insert into api_keys (user_id, name, prefix, secret_digest) values (?, 'k', 'ak_', int4send(?)) returning id`,
    [ada, made],
  )
  const [token] = await query<{ id: string }>(
    world.knex,
    `insert into update_tokens (domain_id, prefix, secret_digest) values (?, 'ut_', int4send(?)) returning id`,
    [domain.id, made],
  )
  digest = made.toString(16).padStart(8, '0')
  keyId = key?.id ?? ''
  tokenId = token?.id ?? ''
})

const usesOver = (knex: Knex) =>
  new SecretUses({ knex, now: () => clock, onError: (error) => errors.push(error) })
const home = { ip: '192.0.2.1', client: 'FRITZ!Box DDNS/1.0.1' }

async function noted(): Promise<object> {
  const [row] = await query<object>(
    world.knex,
    `select k.last_used_at as key_at, t.last_used_at as token_at, host(t.last_used_ip) as ip, t.last_client as client
     from api_keys k, update_tokens t where k.id = ? and t.id = ?`,
    [keyId, tokenId],
  )
  return row ?? {}
}

test('uses are written together, with their sources', async () => {
  const uses = usesOver(world.knex)
  uses.note('api_key', digest, home)
  uses.note('update_token', digest, home)
  expect(await noted()).toEqual({ key_at: null, token_at: null, ip: null, client: null })
  await uses.flush()
  expect(await noted()).toEqual({ key_at: clock, token_at: clock, ...home })
})

test('the use of a secret in constant use is written once a minute', async () => {
  const began = clock
  const uses = usesOver(world.knex)
  const useAfter = async (ms: number, ip: string) => {
    clock = new Date(began.getTime() + ms)
    uses.note('update_token', digest, { ip, client: null })
    await uses.flush()
  }
  await useAfter(0, '192.0.2.1')
  await useAfter(59_999, '192.0.2.2')
  expect(await noted()).toMatchObject({ token_at: began, ip: '192.0.2.1' })
  await useAfter(60_000, '192.0.2.3')
  expect(await noted()).toMatchObject({ token_at: clock, ip: '192.0.2.3' })
})

test('a clock that was set back does not stop the records', async () => {
  const uses = usesOver(world.knex)
  uses.note('api_key', digest, home)
  await uses.flush()
  clock = new Date(clock.getTime() - 3_600_000)
  uses.note('api_key', digest, home)
  await uses.flush()
  expect(await noted()).toMatchObject({ key_at: clock })
})

test('a deleted token, and one whose row is locked, do not affect others', async () => {
  const uses = usesOver(world.knex)
  await world.knex.transaction(async (trx) => {
    await query(trx, 'select 1 from update_tokens where id = ? for update', [tokenId])
    uses.note('update_token', digest, home)
    uses.note('update_token', 'ffffffff', home)
    uses.note('api_key', digest, home)
    await uses.flush()
  })
  expect(errors).toEqual([])
  expect(await noted()).toMatchObject({ key_at: clock, token_at: null })
})

test('a use for which there is no room does not keep the next one from being written', async () => {
  const uses = usesOver(world.knex)
  for (let n = 0; n < 20_000; n += 1)
    uses.note('api_key', `ff${n.toString(16).padStart(8, '0')}`, home)
  uses.note('api_key', digest, home)
  await uses.flush()
  expect(await noted()).toMatchObject({ key_at: null })
  clock = new Date(clock.getTime() + 1_000)
  uses.note('api_key', digest, home)
  await uses.flush()
  expect(await noted()).toMatchObject({ key_at: clock })
})

test('a failed write is reported, and the next use is written', async () => {
  let isAway = true
  const knex = {
    raw: (...all: Parameters<Knex['raw']>) => {
      if (isAway) throw new Error('away')
      return world.knex.raw(...all)
    },
  }
  const uses = usesOver(knex as unknown as Knex)
  uses.note('api_key', digest, home)
  await uses.flush()
  expect(errors).toEqual([new Error('away')])
  isAway = false
  uses.note('api_key', digest, home)
  await uses.flush()
  expect(await noted()).toMatchObject({ key_at: clock })
})
