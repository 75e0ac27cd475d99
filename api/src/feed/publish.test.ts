import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nextSerial, soaSerial } from '@homing/dnsd/names'
import {
  type FeedWorld,
  insertDomain,
  makeUser,
  openFeedWorld,
  replay,
  tableState,
  toldSets,
  zoneId,
} from '../../test/support/feed-world.ts'
import { ChangeSetTooLarge, ZoneWithoutSerial } from './change-set.ts'
import { lockDomains } from './lock-order.ts'
import { ownersOfDomains, publish, publishDomains } from './publish.ts'
import { query } from '../database/sql.ts'

let world: FeedWorld
let zone: string
let user: string

beforeAll(async () => {
  world = await openFeedWorld(['homing.test', 'other.test'])
  zone = await zoneId(world.knex)
  user = await makeUser(world.knex, 'ada')
})
afterAll(() => world.end())

const told = async (owner: string) => replay(await toldSets(world.knex, zone))[owner]

async function createDomain(fqdn: string, ipv4?: string, baseId?: string) {
  return world.knex.transaction(async (trx) => {
    const options = { ...(ipv4 && { ipv4 }), ...(baseId && { baseId }) }
    const row = await insertDomain(trx, { userId: user, fqdn, ...options })
    await publishDomains(trx, [row.id])
    return row
  })
}

async function change(ids: string[], assignment: string) {
  await world.knex.transaction(async (trx) => {
    await lockDomains(trx, ids)
    await query(trx, `update domains set ${assignment} where id = any (?::bigint[])`, [ids])
    await publishDomains(trx, ids)
  })
}

test.each([1n, 2n ** 32n - 2n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 33n - 1n, 2n ** 40n])(
  'the serial after %d is the one of @homing/dnsd/names and never SOA serial 0',
  async (serial) => {
    const [row] = await query<{ next: string }>(world.knex, `select next_serial(?)::text as next`, [
      serial.toString(),
    ])
    expect(BigInt(row?.next ?? 0)).toBe(nextSerial(serial))
    expect(soaSerial(nextSerial(serial))).not.toBe(0)
  },
)

test('each set has the token of the previous set', async () => {
  const { id } = await createDomain('chain.homing.test', '192.0.2.1')
  await change([id], `record_ipv4 = '192.0.2.2'`)
  const sets = await toldSets(world.knex, zone)
  for (const [index, set] of sets.entries()) {
    const before = sets[index - 1]
    if (before === undefined) continue
    expect(set.serial).toBe(nextSerial(before.serial))
    expect(set.previousToken).toBe(before.token)
  }
  const [head] = await query<{ serial: string; token: string }>(
    world.knex,
    'select serial, token from dns_zone where zone_id = ?',
    [zone],
  )
  expect(head).toEqual({ serial: String(sets.at(-1)?.serial), token: sets.at(-1)?.token })
})

test('an owner is published whole: addresses and further records in one state', async () => {
  const { id } = await createDomain('whole.homing.test', '192.0.2.1')
  await world.knex.transaction(async (trx) => {
    await lockDomains(trx, [id])
    await query(
      trx,
      `insert into records (zone_id, domain_id, owner, type, ttl, rdata, origin) values
       (?, ?, 'whole.homing.test', 'TXT', 60, '{"\\"a\\""}', 'import'), (?, ?, 'deep.whole.homing.test', 'MX', 60, '{"10 whole.homing.test."}', 'import')`,
      [zone, id, zone, id],
    )
    await publishDomains(trx, [id])
  })
  expect(await told('whole.homing.test')).toEqual([
    { type: 'A', ttl: 60, rdata: ['192.0.2.1'] },
    { type: 'TXT', ttl: 60, rdata: ['"a"'] },
  ])
  expect(await told('deep.whole.homing.test')).toHaveLength(1)
  await change([id], 'locked = true')
  expect(await told('whole.homing.test')).toBeUndefined()
  expect(await told('deep.whole.homing.test')).toBeUndefined()
  await change([id], 'locked = false')
  expect(await told('whole.homing.test')).toHaveLength(2)
  expect(await told('deep.whole.homing.test')).toHaveLength(1)
})

test('a deleted name is published as deleted, with everything that depended on it', async () => {
  const { id } = await createDomain('gone.homing.test', '192.0.2.1')
  await world.knex.transaction(async (trx) => {
    await lockDomains(trx, [id])
    const touched = await ownersOfDomains(trx, [id])
    await query(trx, 'delete from domains where id = ?', [id])
    await publish(trx, touched)
  })
  const last = (await toldSets(world.knex, zone)).at(-1)
  expect(last?.owners).toEqual(new Map([['gone.homing.test', null]]))
})

describe('withheld names and wildcards (RFC 4592 §2.2.2)', () => {
  test('a withheld name does not exist, and below a served wildcard it is empty', async () => {
    const base = await createDomain('home.homing.test', '192.0.2.1')
    const below = await createDomain('cam.home.homing.test', '192.0.2.2')
    await change([below.id], 'paused = true')
    expect(await told('cam.home.homing.test')).toBeUndefined()

    const wildcard = await createDomain('*.home.homing.test', '192.0.2.1', base.id)
    expect(await told('cam.home.homing.test')).toEqual([])

    await change([base.id, wildcard.id], 'over_limit = true')
    expect(await told('cam.home.homing.test')).toBeUndefined()
    expect(await told('*.home.homing.test')).toBeUndefined()

    await change([base.id, wildcard.id], 'over_limit = false')
    expect(await told('cam.home.homing.test')).toEqual([])

    await change([below.id], 'paused = false')
    expect(await told('cam.home.homing.test')).toHaveLength(1)
    expect(replay(await toldSets(world.knex, zone))).toEqual(await tableState(world.knex, zone))
  })

  test('a concurrent wildcard and a withheld name below it: the later commit publishes the correct state', async () => {
    const base = await createDomain('race.homing.test', '192.0.2.1')
    const below = await createDomain('cam.race.homing.test', '192.0.2.2')
    const pausing = await world.knex.transaction()
    await lockDomains(pausing, [below.id])
    await query(pausing, 'update domains set paused = true where id = ?', [below.id])
    const creating = await world.knex.transaction()
    await lockDomains(creating, [base.id])
    const wildcard = await insertDomain(creating, {
      userId: user,
      fqdn: '*.race.homing.test',
      ipv4: '192.0.2.1',
      baseId: base.id,
    })
    await publishDomains(pausing, [below.id])
    const waiting = publishDomains(creating, [wildcard.id])
    await pausing.commit()
    await waiting
    await creating.commit()
    expect(await told('cam.race.homing.test')).toEqual([])
  })
})

test('several zones: one set each, none for a zone without an owner', async () => {
  const other = await zoneId(world.knex, 'other.test')
  const sets = await world.knex.transaction((trx) =>
    publish(trx, [
      { zoneId: other, owners: ['a.other.test'] },
      { zoneId: zone, owners: ['b.homing.test'] },
      { zoneId: other, owners: ['c.other.test'] },
    ]),
  )
  expect(sets.map((set) => set.zoneId)).toEqual([zone, other])
  const last = (await toldSets(world.knex, other)).at(-1)
  expect([...(last?.owners.keys() ?? [])]).toEqual(['a.other.test', 'c.other.test'])
  const none = await world.knex.transaction((trx) => publish(trx, [{ zoneId: zone, owners: [] }]))
  expect(none).toEqual([])
})

test('500 owners fit into a set and 501 do not', async () => {
  const owners = Array.from({ length: 501 }, (_, n) => `n${n}.homing.test`)
  const before = (await toldSets(world.knex, zone)).length
  await expect(
    world.knex.transaction((trx) => publish(trx, [{ zoneId: zone, owners }])),
  ).rejects.toThrow(ChangeSetTooLarge)
  await world.knex.transaction((trx) => publish(trx, [{ zoneId: zone, owners: owners.slice(1) }]))
  expect((await toldSets(world.knex, zone)).length).toBe(before + 1)
})

test('a zone without a serial is refused', async () => {
  await expect(
    world.knex.transaction((trx) => publish(trx, [{ zoneId: '999', owners: ['a.b'] }])),
  ).rejects.toThrow(ZoneWithoutSerial)
})
