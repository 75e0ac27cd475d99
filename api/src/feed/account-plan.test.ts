import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
import { applyAccountPlan } from './account-plan.ts'
import { publishDomains } from './publish.ts'
import { query } from '../database/sql.ts'

let world: FeedWorld
let zone: string

beforeAll(async () => {
  world = await openFeedWorld()
  zone = await zoneId(world.knex)
})
afterAll(() => world.end())

let accounts = 0

/** An account on a plan, with published names n0, n1, … below a label of its own, oldest first. */
async function accountWith(count: number, accountType: string) {
  const label = `plan${(accounts += 1)}`
  const userId = await makeUser(world.knex, label, accountType)
  const rows = await query<{ id: string; fqdn: string }>(
    world.knex,
    `insert into domains (user_id, zone_id, fqdn, rrtype, record_ipv4, ttl, created_at)
     select ?, ?, 'n' || n || '.' || ? || '.homing.test', 'A', '192.0.2.1', 60, now() + n * interval '1 s'
     from generate_series(0, ? - 1) n order by n returning id, fqdn`,
    [userId, zone, label, count],
  )
  for (let at = 0; at < rows.length; at += 500) {
    const ids = rows.slice(at, at + 500).map(({ id }) => id)
    await world.knex.transaction((trx) => publishDomains(trx, ids))
  }
  return { userId, rows, label }
}

async function wildcardOf(userId: string, base: { id: string; fqdn: string }) {
  return world.knex.transaction(async (trx) => {
    const row = await insertDomain(trx, {
      userId,
      fqdn: `*.${base.fqdn}`,
      ipv4: '192.0.2.1',
      baseId: base.id,
    })
    await publishDomains(trx, [row.id])
    return row
  })
}

const putOn = (userId: string, accountType: string) =>
  world.knex.transaction(async (trx) => {
    await query(trx, 'update users set account_type = ? where id = ?', [accountType, userId])
    return applyAccountPlan(trx, userId)
  })

interface NameState {
  readonly fqdn: string
  readonly ttl: number
  readonly is_active: boolean
}

const namesOf = (userId: string) =>
  query<NameState>(
    world.knex,
    'select fqdn, ttl, is_active from domains where user_id = ? order by created_at, id',
    [userId],
  )

const servedOf = async (userId: string) =>
  (await namesOf(userId)).filter((name) => name.is_active).map(({ fqdn }) => fqdn)

async function expectFeedEqualsTables() {
  const held = replay(await toldSets(world.knex, zone))
  expect(held).toEqual(await tableState(world.knex, zone))
}

describe('a plan and its names', () => {
  test('a downgrade keeps the oldest, withholds the rest, and sets the TTL of all', async () => {
    const { userId, rows } = await accountWith(8, 'pro')
    expect(await putOn(userId, 'free')).toEqual({ isWhole: true })
    expect(await servedOf(userId)).toEqual(rows.slice(0, 5).map(({ fqdn }) => fqdn))
    expect(new Set((await namesOf(userId)).map(({ ttl }) => ttl))).toEqual(new Set([3600]))
    await expectFeedEqualsTables()
  })

  test('an upgrade restores all', async () => {
    const { userId, rows } = await accountWith(8, 'free')
    await putOn(userId, 'free')
    expect(await servedOf(userId)).toHaveLength(5)
    await putOn(userId, 'pro')
    expect(await servedOf(userId)).toEqual(rows.map(({ fqdn }) => fqdn))
    expect(new Set((await namesOf(userId)).map(({ ttl }) => ttl))).toEqual(new Set([60]))
    await expectFeedEqualsTables()
  })

  test('a disabled account serves nothing, and everything allowed when it is enabled', async () => {
    const { userId, rows } = await accountWith(3, 'pro')
    await putOn(userId, 'disabled')
    expect(await servedOf(userId)).toEqual([])
    await putOn(userId, 'pro')
    await query(world.knex, 'update users set enabled = false where id = ?', [userId])
    await world.knex.transaction((trx) => applyAccountPlan(trx, userId))
    expect(await servedOf(userId)).toEqual([])
    await query(world.knex, 'update users set enabled = true where id = ?', [userId])
    await world.knex.transaction((trx) => applyAccountPlan(trx, userId))
    expect(await servedOf(userId)).toEqual(rows.map(({ fqdn }) => fqdn))
    await expectFeedEqualsTables()
  })

  test('a wildcard counts towards no limit and follows its base and its plan', async () => {
    const { userId, rows } = await accountWith(101, 'pro')
    const [oldest, newest] = [rows[0], rows[100]]
    if (!oldest || !newest) throw new Error('no rows')
    const kept = await wildcardOf(userId, oldest)
    const withheld = await wildcardOf(userId, newest)
    await putOn(userId, 'pro')
    const served = await servedOf(userId)
    expect(served).toHaveLength(101)
    expect(served).toContain(kept.fqdn)
    expect(served).not.toContain(withheld.fqdn)
    await expectFeedEqualsTables()

    // Free has no wildcards, so the base is served alone.
    await putOn(userId, 'free')
    expect(await servedOf(userId)).not.toContain(kept.fqdn)
    expect(await servedOf(userId)).toContain(oldest.fqdn)
    await putOn(userId, 'elite')
    expect(await servedOf(userId)).toHaveLength(103)
    await expectFeedEqualsTables()
  })

  test('a locked name stays withheld with every plan', async () => {
    const { userId, rows } = await accountWith(2, 'pro')
    await query(world.knex, 'update domains set locked = true where id = ?', [rows[0]?.id ?? ''])
    await putOn(userId, 'free')
    await putOn(userId, 'elite')
    expect(await servedOf(userId)).toEqual([rows[1]?.fqdn])
  })

  test('nothing is written when nothing differs', async () => {
    const { userId } = await accountWith(3, 'pro')
    await putOn(userId, 'pro')
    const before = await toldSets(world.knex, zone)
    await putOn(userId, 'pro')
    expect(await toldSets(world.knex, zone)).toHaveLength(before.length)
  })

  test('each name that is withheld or restored has an event of the system', async () => {
    const { userId, rows } = await accountWith(6, 'pro')
    await putOn(userId, 'free')
    await putOn(userId, 'pro')
    const events = await query<{ kind: string; actor: string }>(
      world.knex,
      'select kind, actor from domain_events where domain_id = ? order by id',
      [rows[5]?.id ?? ''],
    )
    expect(events).toEqual([
      { kind: 'withheld', actor: 'system' },
      { kind: 'restored', actor: 'system' },
    ])
  })

  test('more than 500 names are done in steps, each of which can be the last of its process', async () => {
    const { userId } = await accountWith(600, 'admin')
    expect(await putOn(userId, 'free')).toEqual({ isWhole: false })
    await expectFeedEqualsTables()
    let steps = 1
    for (let isWhole = false; !isWhole; steps += 1) {
      const step = await world.knex.transaction((trx) => applyAccountPlan(trx, userId))
      isWhole = step.isWhole
    }
    expect(steps).toBe(3)
    expect(await servedOf(userId)).toHaveLength(5)
    const sets = await toldSets(world.knex, zone)
    expect(Math.max(...sets.map(({ owners }) => owners.size))).toBeLessThanOrEqual(500)
    await expectFeedEqualsTables()
  })
})
