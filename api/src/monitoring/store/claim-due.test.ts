import type { Knex } from 'knex'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FeedWorld, makeUser, openFeedWorld } from '../../../test/support/feed-world.ts'
import {
  claimAll,
  letTimePass,
  makeMonitor,
  newRecorder,
  type TestMonitor,
} from '../../../test/support/monitor-world.ts'
import { query } from '../../database/sql.ts'
import { claimDue, giveBack } from './claim-due.ts'

const LEASE_MS = 30_000

let world: FeedWorld
let knex: Knex
let ada: string
let monitor: TestMonitor

beforeAll(async () => {
  world = await openFeedWorld()
  knex = world.knex
})
afterAll(() => world.end())
beforeEach(async () => {
  await query(knex, 'delete from domains')
  await query(knex, 'delete from users')
  ada = await makeUser(knex, 'ada', 'elite')
  monitor = await makeMonitor(knex, ada)
})

const claimOne = (lease: string) => claimDue(knex, { lease, limit: 1, leaseMs: LEASE_MS })

test('workers that claim at once get different monitors, the longest due first', async () => {
  for (let n = 0; n < 19; n += 1) await makeMonitor(knex, ada)
  await letTimePass(knex, monitor.id, 60_000)
  const [first] = await claimOne(newRecorder().lease)
  expect(first).toMatchObject({
    id: monitor.id,
    fqdn: monitor.fqdn,
    kind: 'https',
    record_ipv4: '192.0.2.7',
  })
  expect(first?.lag_ms).toBeGreaterThanOrEqual(60_000)
  const other = world.connectAgain()
  const claimed = await Promise.all(
    [knex, other, knex, other].map((each) =>
      claimDue(each, { lease: newRecorder().lease, limit: 6, leaseMs: LEASE_MS }),
    ),
  )
  const ids = claimed.flat().map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).not.toContain(monitor.id)
  // One that found another's rows locked skipped them.
  const rest = await claimAll(knex, newRecorder())
  expect(ids.length + rest.length).toBe(19)
})

test('another worker takes over when a lease has ended', async () => {
  await claimOne(newRecorder().lease)
  expect(await claimOne(newRecorder().lease)).toEqual([])
  await query(knex, `update monitor_schedule set leased_until = now() - interval '1 ms'`)
  expect(await claimOne(newRecorder().lease)).toHaveLength(1)
})

test('so it does when the clock has gone back since', async () => {
  await query(
    knex,
    `update monitor_schedule set lease = gen_random_uuid(), leased_until = now() + interval '1 hour'`,
  )
  expect(await claimOne(newRecorder().lease)).toHaveLength(1)
})

test('a worker that stops gives its checks back', async () => {
  const { lease } = newRecorder()
  await claimOne(lease)
  await giveBack(knex, newRecorder().lease, [monitor.id])
  expect(await claimOne(newRecorder().lease)).toEqual([])
  await giveBack(knex, lease, [monitor.id])
  expect(await claimOne(newRecorder().lease)).toHaveLength(1)
})

test('a monitor whose window has begun is not claimed', async () => {
  await query(
    knex,
    `insert into maintenance_windows (monitor_id, starts_at, ends_at, next_starts_at, next_ends_at)
     select ?, b, e, b, e from (select now() - interval '1 s' as b, now() + interval '1 hour' as e) as w`,
    [monitor.id],
  )
  expect(await claimOne(newRecorder().lease)).toEqual([])
})

describe('a heartbeat', () => {
  const started = (seconds: number) => letTimePass(knex, monitor.id, seconds * 1_000)
  const beat = (seconds: number) =>
    query(
      knex,
      `update monitor_schedule set last_heartbeat_at = now() - make_interval(secs => ?)`,
      [seconds],
    )
  const claimed = async () => {
    const [due] = await claimOne(newRecorder().lease)
    const { heartbeat_age_ms: age, running_ms: running } = due ?? {}
    const rounded = (ms: number | null | undefined) =>
      ms === null ? null : Math.round(Number(ms) / 1_000)
    return { age: rounded(age), running: rounded(running) }
  }

  beforeEach(() => query(knex, `update monitors set kind = 'heartbeat'`))

  test('by URL', async () => {
    await started(100)
    await beat(20)
    expect(await claimed()).toEqual({ age: 20, running: 100 })
  })

  test('from before the monitor began to run', async () => {
    await started(100)
    await beat(500)
    expect(await claimed()).toEqual({ age: 500, running: 100 })
  })

  test('by dynamic updates', async () => {
    await query(knex, `update monitors set heartbeat_source = 'updates'`)
    await query(
      knex,
      `insert into update_call_rings (domain_id, accepted_at) values (?, now() - interval '30 s')`,
      [monitor.domainId],
    )
    await started(100)
    await beat(5)
    expect(await claimed()).toEqual({ age: 30, running: 100 })
  })
})

describe('what DNS should answer', () => {
  beforeEach(() => query(knex, `update monitors set kind = 'dns'`))

  test('is the address of the domain', async () => {
    await query(knex, `update domains set record_ipv6 = '2001:db8::7'`)
    expect(await claimOne(newRecorder().lease)).toMatchObject([
      { published: ['192.0.2.7', '2001:db8::7'] },
    ])
  })

  test('of a forwarded domain is those of the forwarders', async () => {
    await query(knex, 'update domains set is_forwarded = true')
    await query(knex, `insert into forward_addresses values ('203.0.113.1')`)
    expect(await claimOne(newRecorder().lease)).toMatchObject([{ published: ['203.0.113.1'] }])
  })
})
