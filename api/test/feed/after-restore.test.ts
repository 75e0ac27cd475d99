import { afterEach, beforeEach, expect, test } from 'vitest'
import { nextSerial, serialGreater, soaSerial } from '@homing/dnsd/names'
import { declareRestored, SERIAL_LIFT } from '../../src/feed/after-restore.ts'
import { publish } from '../../src/feed/publish.ts'
import { query } from '../../src/database/sql.ts'
import { type FeedWorld, openFeedWorld, toldSets, zoneId } from '../support/feed-world.ts'

let world: FeedWorld

beforeEach(async () => {
  world = await openFeedWorld(['a.test', 'b.test'])
})
afterEach(() => world.end())

interface Head {
  readonly name: string
  readonly serial: string
  readonly feed_id: string
  readonly token: string
}
const heads = () =>
  query<Head>(world.knex, 'select name, serial, feed_id, token from dns_zone order by name')

test('every zone: a new feed, a new token, a serial 2²⁸ ahead, which is newer for secondaries', async () => {
  const before = await heads()
  const lifted = await declareRestored(world.knex)
  const after = await heads()
  expect(lifted.map(({ name }) => name)).toEqual(['a.test', 'b.test'])
  for (const [n, old] of before.entries()) {
    const now = after[n] as Head
    expect(BigInt(now.serial)).toBe(BigInt(old.serial) + SERIAL_LIFT)
    expect(serialGreater(soaSerial(BigInt(now.serial)), soaSerial(BigInt(old.serial)))).toBe(true)
    expect(now.feed_id).not.toBe(old.feed_id)
    expect(now.token).not.toBe(old.token)
  }
  expect(new Set(after.map(({ feed_id }) => feed_id)).size).toBe(1)
})

test('the next change continues from the new token, and no follower continues from an old one', async () => {
  const zone = await zoneId(world.knex, 'a.test')
  await declareRestored(world.knex)
  const [head] = await heads()
  await world.knex.transaction((trx) => publish(trx, [{ zoneId: zone, owners: ['x.a.test'] }]))
  const sets = await toldSets(world.knex, zone)
  expect(sets.at(-1)?.previousToken).toBe(head?.token)
  expect(sets.at(-1)?.serial).toBe(nextSerial(BigInt(head?.serial ?? 0)))
  expect(sets.slice(0, -1).map(({ token }) => token)).not.toContain(head?.token)
})

test('the forward feed: a new feed, a new token, a serial 2²⁸ ahead', async () => {
  const feed = async () =>
    (await query<Omit<Head, 'name'>>(world.knex, 'select * from forward_feed'))[0]
  const before = await feed()
  await declareRestored(world.knex)
  const after = await feed()
  expect(BigInt(after?.serial ?? 0)).toBe(BigInt(before?.serial ?? 0) + SERIAL_LIFT)
  expect(after?.feed_id).not.toBe(before?.feed_id)
  expect(after?.token).not.toBe(before?.token)
})

test('a serial that would be SOA serial 0 is skipped', async () => {
  await query(world.knex, 'update zone_serials set serial = ?', [
    (2n ** 32n - SERIAL_LIFT).toString(),
  ])
  const [lifted] = await declareRestored(world.knex)
  expect(lifted?.serial).toBe(2n ** 32n + 1n)
})

test('a second run is harmless', async () => {
  await declareRestored(world.knex)
  const between = await heads()
  await declareRestored(world.knex)
  for (const [n, now] of (await heads()).entries()) {
    expect(BigInt(now.serial)).toBe(BigInt(between[n]?.serial ?? 0) + SERIAL_LIFT)
  }
})
