import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type FeedWorld,
  insertDomain,
  makeUser,
  openFeedWorld,
} from '../../test/support/feed-world.ts'
import { AddressCoalescer } from './coalescer.ts'
import { query } from '../database/sql.ts'

let world: FeedWorld
/** Two processes. */
let replicas: AddressCoalescer[]
let user: string
let asked = 0

beforeAll(async () => {
  world = await openFeedWorld()
  replicas = [
    new AddressCoalescer({ knex: world.knex }),
    new AddressCoalescer({ knex: world.connectAgain() }),
  ]
  user = await makeUser(world.knex, 'ada')
})
afterAll(() => world.end())

const actor = { kind: 'password', id: null, sourceIp: null, client: null } as const

async function change(domainId: string, ipv4: string, isThrottled = true) {
  asked += 1
  const replica = replicas[asked % 2]
  if (replica === undefined) throw new Error('no replica')
  return replica.submit({ domainId, userId: user, ipv4, isThrottled, actor })
}

const addressAt = (n: number) => `192.0.2.${n + 1}`
const domainNamed = (label: string) =>
  insertDomain(world.knex, { userId: user, fqdn: `${label}.homing.test` })

/** Moves a name's last change this many seconds into the past. */
const wait = (id: string, seconds: number) =>
  query(
    world.knex,
    `update domains set allowance_full_at = allowance_full_at - ? * interval '1 s' where id = ?`,
    [seconds, id],
  )

test('ten changes at once, at any replica; the eleventh gets the time to wait', async () => {
  const { id } = await domainNamed('burst')
  for (let n = 0; n < 10; n += 1) {
    expect(await change(id, addressAt(n))).toMatchObject({ kind: 'changed' })
  }
  const refused = await change(id, addressAt(10))
  expect(refused).toMatchObject({ kind: 'throttled' })
  const { retryAfterSeconds } = refused as { retryAfterSeconds: number }
  expect(retryAfterSeconds).toBeGreaterThanOrEqual(1)
  expect(retryAfterSeconds).toBeLessThanOrEqual(10)
  const [row] = await query<{ ip: string }>(
    world.knex,
    'select host(record_ipv4) as ip from domains where id = ?',
    [id],
  )
  expect(row?.ip).toBe(addressAt(9))
})

test('of many concurrent changes exactly ten are stored', async () => {
  const { id } = await domainNamed('storm')
  const verdicts = await Promise.all(Array.from({ length: 30 }, (_, n) => change(id, addressAt(n))))
  const kinds = verdicts.map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'changed')).toHaveLength(10)
  expect(kinds.filter((kind) => kind === 'throttled')).toHaveLength(20)
})

test('one change is refilled each ten seconds', async () => {
  const { id } = await domainNamed('refill')
  for (let n = 0; n < 10; n += 1) await change(id, addressAt(n))
  await wait(id, 10)
  expect(await change(id, addressAt(10))).toMatchObject({ kind: 'changed' })
  expect(await change(id, addressAt(11))).toMatchObject({ kind: 'throttled' })
  await wait(id, 1000)
  for (let n = 20; n < 30; n += 1) {
    expect(await change(id, addressAt(n))).toMatchObject({ kind: 'changed' })
  }
  expect(await change(id, addressAt(30))).toMatchObject({ kind: 'throttled' })
})

test('the same address does not count as a change, however often it is sent', async () => {
  const { id } = await domainNamed('same')
  for (let n = 0; n < 10; n += 1) await change(id, addressAt(n))
  for (let n = 0; n < 30; n += 1) {
    expect(await change(id, addressAt(9))).toMatchObject({ kind: 'unchanged' })
  }
})

test('a change without the rate limit is not limited', async () => {
  const { id } = await domainNamed('free')
  for (let n = 0; n < 20; n += 1) {
    expect(await change(id, addressAt(n), false)).toMatchObject({ kind: 'changed' })
  }
})
