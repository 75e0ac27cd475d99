import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  type FeedWorld,
  insertDomain,
  makeUser,
  openFeedWorld,
  zoneId,
} from '../../test/support/feed-world.ts'
import { lockNamedDomains } from './lock-named-domains.ts'
import {
  ascendingIds,
  holdAccount,
  holdOwnedDomain,
  holdPlans,
  lockAccount,
  lockAccounts,
  lockAllPlaces,
  lockDomains,
  lockPlace,
  lockPlan,
} from './lock-order.ts'
import { publish } from './publish.ts'
import { publishForwards } from './publish-forwards.ts'
import { query } from '../database/sql.ts'

let world: FeedWorld
let zone: string
let user: string
let low: string
let high: string

beforeAll(async () => {
  world = await openFeedWorld()
  zone = await zoneId(world.knex)
  user = await makeUser(world.knex, 'ada')
  low = (await insertDomain(world.knex, { userId: user, fqdn: 'a.homing.test' })).id
  high = (await insertDomain(world.knex, { userId: user, fqdn: 'b.homing.test' })).id
})
afterAll(() => world.end())

test('ids ascend as numbers, each once', () => {
  expect(ascendingIds(['10', '9', '2', '10', '100'])).toEqual(['2', '9', '10', '100'])
})

test('the whole order, and the rows as locked', async () => {
  await world.knex.transaction(async (trx) => {
    expect(await lockAccount(trx, user)).toMatchObject({ id: user, username: 'ada', enabled: true })
    await holdPlans(trx, ['pro', 'free'])
    await lockPlace(trx, zone, 'a')
    expect((await lockDomains(trx, [high, low])).map((row) => row.id)).toEqual([low, high])
    expect(await lockDomains(trx, [low])).toHaveLength(1)
    await publish(trx, [{ zoneId: zone, owners: ['a.homing.test'] }])
  })
})

test('an account and a domain that do not exist', async () => {
  await world.knex.transaction(async (trx) => {
    expect(await lockAccount(trx, '999999')).toBeUndefined()
    expect(await lockDomains(trx, ['999999'])).toEqual([])
  })
})

test.each([
  ['an account after a plan', () => [(trx: never) => holdPlans(trx, ['pro']), lockAccounts]],
  ['a plan after a domain', () => [lockDomains, (trx: never) => lockPlan(trx, 'pro')]],
  ['an account after a domain', () => [lockDomains, lockAccounts]],
  ['a place after a domain', () => [lockDomains, (trx: never) => lockPlace(trx, zone, 'a')]],
  ['all places after a domain', () => [lockDomains, (trx: never) => lockAllPlaces(trx, zone)]],
  [
    'a lower domain after a higher one',
    () => [(trx: never) => lockDomains(trx, [high]), (trx: never) => lockDomains(trx, [low])],
  ],
  [
    'a domain after the serial',
    () => [(trx: never) => publish(trx, [{ zoneId: zone, owners: ['a'] }]), lockDomains],
  ],
  [
    'a serial after the forward feed',
    () => [
      (trx: never) => publishForwards(trx, ['a']),
      (trx: never) => publish(trx, [{ zoneId: zone, owners: ['a'] }]),
    ],
  ],
  [
    'the forward feed twice',
    () => [
      (trx: never) => publishForwards(trx, ['a']),
      (trx: never) => publishForwards(trx, ['a']),
    ],
  ],
  [
    'a serial twice',
    () => [
      (trx: never) => publish(trx, [{ zoneId: zone, owners: ['a'] }]),
      (trx: never) => publish(trx, [{ zoneId: zone, owners: ['a'] }]),
    ],
  ],
])('%s is refused before it can deadlock', async (_, steps) => {
  const [first, second] = steps() as ((trx: unknown, ids: string[]) => Promise<unknown>)[]
  await expect(
    world.knex.transaction(async (trx) => {
      await first?.(trx, [low])
      await second?.(trx, [low])
    }),
  ).rejects.toThrow(/lock order/)
})

test('two registrations below one label wait for each other, others do not', async () => {
  const first = await world.knex.transaction()
  await lockPlace(first, zone, 'home')
  await world.knex.transaction((trx) => lockPlace(trx, zone, 'office'))
  const impatient = world.knex.transaction(async (trx) => {
    await query(trx, `set local lock_timeout = '20ms'`)
    await lockPlace(trx, zone, 'home')
  })
  await expect(impatient).rejects.toThrow(/lock timeout/)
  const wholeZone = world.knex.transaction(async (trx) => {
    await query(trx, `set local lock_timeout = '20ms'`)
    await lockAllPlaces(trx, zone)
  })
  await expect(wholeZone).rejects.toThrow(/lock timeout/)
  await first.rollback()
})

test('an account, its plan and its domain are held in one statement, as they are after the wait', async () => {
  const first = await world.knex.transaction()
  await lockAccount(first, user)
  await lockDomains(first, [low])
  await query(first, `update users set account_type = 'elite' where id = ?`, [user])
  await query(first, `update domains set note = 'moved' where id = ?`, [low])
  await world.knex.transaction(async (trx) => {
    const [backend] = await query<{ pid: number }>(trx, 'select pg_backend_pid() as pid')
    const waiting = holdOwnedDomain(trx, user, low)
    await vi.waitUntil(async () => {
      const [state] = await query<{ waits: boolean }>(
        world.knex,
        'select cardinality(pg_blocking_pids(?)) > 0 as waits',
        [backend?.pid ?? 0],
      )
      return state?.waits === true
    })
    await first.commit()
    expect(await waiting).toMatchObject({
      account: { account_type: 'elite', enabled: true },
      domain: { id: low, note: 'moved' },
    })
    const impatient = world.knex.transaction(async (other) => {
      await query(other, `set local lock_timeout = '20ms'`)
      await lockPlan(other, 'elite')
    })
    await expect(impatient).rejects.toThrow(/lock timeout/)
    await expect(lockDomains(trx, [high])).resolves.toHaveLength(1)
    await expect(lockAccount(trx, user)).rejects.toThrow(/lock order/)
  })
  await world.knex.transaction(async (trx) => {
    const stranger = await makeUser(trx, 'eve')
    expect(await holdOwnedDomain(trx, stranger, low)).toMatchObject({ domain: undefined })
  })
  await world.knex.transaction(async (trx) => {
    expect(await holdOwnedDomain(trx, '999999', low)).toBeUndefined()
  })
})

test('domains are locked by their names; what lies beside and below is only read', async () => {
  const below = await insertDomain(world.knex, { userId: user, fqdn: 'deep.a.homing.test' })
  const place = { userId: user, zoneId: zone }
  const asked = { locked: ['b.homing.test', 'free.homing.test'], read: ['a.homing.test'] }
  await world.knex.transaction(async (trx) => {
    const found = await lockNamedDomains(trx, place, { ...asked, above: ['a.homing.test'] })
    expect(found.map(({ id }) => id).toSorted()).toEqual([low, high, below.id].toSorted())
    expect(await lockNamedDomains(trx, place, { ...asked, above: [] })).toHaveLength(2)
    const isHeld = async (id: string) => {
      const rows = await query(
        world.knex,
        'select from domains where id = ? for update skip locked',
        [id],
      )
      return rows.length === 0
    }
    expect(await Promise.all([high, low, below.id].map(isHeld))).toEqual([true, false, false])
    await expect(holdAccount(trx, user)).rejects.toThrow(/lock order/)
  })
  await world.knex.transaction(async (trx) => {
    const stranger = await makeUser(trx, 'mallory')
    expect(
      await lockNamedDomains(trx, { ...place, userId: stranger }, { ...asked, above: [] }),
    ).toEqual([])
  })
})
