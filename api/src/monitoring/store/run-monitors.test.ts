import type { Knex } from 'knex'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FeedWorld, makeUser, openFeedWorld } from '../../../test/support/feed-world.ts'
import {
  checkOnce,
  claimAll,
  intervalsOf,
  makeMonitor,
  newRecorder,
  type TestMonitor,
} from '../../../test/support/monitor-world.ts'
import { query } from '../../database/sql.ts'
import { keepMonitors } from './keep-monitors.ts'
import { recheck, settleMonitors } from './run-monitors.ts'

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
  ada = await makeUser(knex, 'ada', 'pro')
  monitor = await makeMonitor(knex, ada)
  await checkOnce(knex, recorder, monitor.id, 'up')
})

const recorder = newRecorder()

const readMonitor = async (id = monitor.id) => {
  const [row] = await query<Record<string, unknown>>(
    knex,
    `select m.state, m.stopped_by, m.interval_seconds, m.version, s.due_at is not null as is_due
     from monitors m join monitor_schedule s on s.monitor_id = m.id where m.id = ?`,
    [id],
  )
  return row
}
const states = async () => (await intervalsOf(knex, monitor.id)).map(({ state }) => state)

// [what stops it, the change, stopped_by, the change back]
const STOPS: readonly (readonly [string, string, string, string])[] = [
  [
    'its plan changes',
    `update users set account_type = 'free'`,
    'plan',
    `update users set account_type = 'pro'`,
  ],
  [
    'the plan itself changes',
    `update plans set abilities = array_remove(abilities, 'uptime') where account_type = 'pro'`,
    'plan',
    `update plans set abilities = abilities || '{uptime}' where account_type = 'pro'`,
  ],
  [
    'the domain is locked',
    'update domains set locked = true',
    'withheld',
    'update domains set locked = false',
  ],
  [
    'the domain is paused',
    'update domains set paused = true',
    'withheld',
    'update domains set paused = false',
  ],
  [
    'an administrator pauses the account',
    `update users set monitoring_paused_at = now(), monitoring_pause_reason = 'x'`,
    'administrator',
    'update users set monitoring_paused_at = null, monitoring_pause_reason = null',
  ],
  [
    'an administrator pauses all',
    `update monitoring set paused_at = now(), pause_reason = 'x'`,
    'administrator',
    'update monitoring set paused_at = null, pause_reason = null',
  ],
]

test.each(STOPS)(
  '%s: it stops, keeps its history, and goes on',
  async (_, stop, stoppedBy, back) => {
    await query(knex, stop)
    expect(await keepMonitors(knex)).toMatchObject({ settled: 1 })
    expect(await readMonitor()).toMatchObject({
      state: 'stopped',
      stopped_by: stoppedBy,
      is_due: false,
    })
    expect(await states()).toEqual(['up', 'off'])
    expect(await keepMonitors(knex)).toMatchObject({ settled: 0 })
    await query(knex, back)
    expect(await keepMonitors(knex)).toMatchObject({ settled: 1 })
    expect(await readMonitor()).toMatchObject({ state: 'pending', stopped_by: null, is_due: true })
    expect(await states()).toEqual(['up', 'off'])
    await checkOnce(knex, recorder, monitor.id, 'up')
    expect(await states()).toEqual(['up', 'off', 'up'])
  },
)

test('of several reasons, the first is an administrator, then the plan', async () => {
  await query(knex, 'update domains set locked = true')
  await query(knex, `update users set account_type = 'free'`)
  await keepMonitors(knex)
  expect(await readMonitor()).toMatchObject({ stopped_by: 'plan' })
  await query(knex, `update users set monitoring_paused_at = now(), monitoring_pause_reason = 'x'`)
  await keepMonitors(knex)
  expect(await readMonitor()).toMatchObject({ stopped_by: 'administrator' })
  await query(knex, 'update monitors set is_enabled = false')
  await keepMonitors(knex)
  expect(await readMonitor()).toMatchObject({ state: 'off', stopped_by: null })
  expect(await states()).toEqual(['up', 'off'])
})

test('a plan with a longer interval raises those below it', async () => {
  await query(knex, 'update monitors set interval_seconds = 30')
  await keepMonitors(knex)
  expect(await readMonitor()).toMatchObject({ state: 'up', interval_seconds: 60, version: 2 })
})

test('only the given accounts and domains are settled', async () => {
  const bob = await makeUser(knex, 'bob')
  const other = await makeMonitor(knex, bob)
  await query(knex, 'update monitors set is_enabled = false')
  await knex.transaction((trx) => settleMonitors(trx, { userIds: [bob] }))
  expect([await readMonitor(), await readMonitor(other.id)]).toMatchObject([
    { state: 'up' },
    { state: 'off' },
  ])
  await knex.transaction((trx) => settleMonitors(trx, { domainIds: [monitor.domainId] }))
  expect(await readMonitor()).toMatchObject({ state: 'off' })
})

test('a monitor that somebody else is changing is left for the next time', async () => {
  await query(knex, 'update domains set locked = true')
  await knex.transaction(async (trx) => {
    await query(trx, 'select from monitors for no key update')
    expect(await keepMonitors(knex)).toMatchObject({ settled: 0 })
  })
  expect(await keepMonitors(knex)).toMatchObject({ settled: 1 })
})

test('many monitors that start together are spread', async () => {
  for (let n = 0; n < 20; n += 1) await makeMonitor(knex, ada)
  await query(knex, `update monitoring set paused_at = now(), pause_reason = 'x'`)
  await keepMonitors(knex)
  await query(knex, 'update monitoring set paused_at = null, pause_reason = null')
  expect(await keepMonitors(knex)).toMatchObject({ settled: 21 })
  const [spread] = await query<{ s: number }>(
    knex,
    'select extract(epoch from max(due_at) - min(due_at))::float8 as s from monitor_schedule',
  )
  expect(spread?.s).toBeGreaterThan(10)
  expect(spread?.s).toBeLessThanOrEqual(60)
})

describe('changed settings', () => {
  test('are checked at once, and drop the result that is under way', async () => {
    await checkOnce(knex, recorder, monitor.id, 'down')
    await knex.transaction((trx) => recheck(trx, [monitor.domainId]))
    const [due] = await claimAll(knex, recorder)
    expect(due).toMatchObject({ id: monitor.id, state: 'up', streak: 0 })
  })

  test('of a monitor that does not run do not start it', async () => {
    await query(knex, 'update domains set locked = true')
    await keepMonitors(knex)
    await knex.transaction((trx) => recheck(trx, [monitor.domainId]))
    expect(await readMonitor()).toMatchObject({ state: 'stopped', is_due: false })
  })
})

test('after the clock has gone back, checks are due within their interval again', async () => {
  await query(
    knex,
    `update monitor_schedule set due_at = now() + interval '1 hour', expected_by = now() + interval '1 hour'`,
  )
  expect(await keepMonitors(knex)).toMatchObject({ pulledBack: 1 })
  const [row] = await query(
    knex,
    `select due_at <= now() + interval '1 minute' and expected_by <= now() + interval '75 s' as is_soon from monitor_schedule`,
  )
  expect(row).toEqual({ is_soon: true })
})

test('the deletion of the domain deletes the monitor with everything that belongs to it', async () => {
  await checkOnce(knex, recorder, monitor.id, 'down')
  await checkOnce(knex, recorder, monitor.id, 'down')
  await query(
    knex,
    `insert into maintenance_windows (monitor_id, starts_at, ends_at) values (?, now(), now() + interval '1 hour')`,
    [monitor.id],
  )
  await query(knex, 'delete from domains')
  const tables = [
    'monitors',
    'monitor_schedule',
    'monitor_intervals',
    'monitor_results',
    'monitor_notifications',
    'maintenance_windows',
  ]
  const left = await Promise.all(tables.map((table) => query(knex, `select from ${table}`)))
  expect(left.flat()).toEqual([])
})
