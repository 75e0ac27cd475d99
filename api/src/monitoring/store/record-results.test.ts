import type { Knex } from 'knex'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FeedWorld, makeUser, openFeedWorld } from '../../../test/support/feed-world.ts'
import {
  announcedOf,
  checkOnce,
  claimAll,
  intervalsOf,
  letTimePass,
  makeMonitor,
  newRecorder,
  resultOf,
  type TestMonitor,
  recordResults,
} from '../../../test/support/monitor-world.ts'
import { query } from '../../database/sql.ts'
import type { CheckResult } from './check-result.ts'
import { settleMonitors } from './run-monitors.ts'

const MINUTE = 60_000

let world: FeedWorld
let knex: Knex
let ada: string
let monitor: TestMonitor

beforeAll(async () => {
  world = await openFeedWorld()
  knex = world.knex
  ada = await makeUser(knex, 'ada', 'elite')
})
afterAll(() => world.end())
beforeEach(async () => {
  await query(knex, 'delete from domains')
  monitor = await makeMonitor(knex, ada)
})

const recorder = newRecorder()

const check = (outcome: CheckResult['outcome'], more: Partial<Omit<CheckResult, 'lease'>> = {}) =>
  checkOnce(knex, recorder, monitor.id, outcome, more)

// A second, because the clock of a machine can be set back by a little at any time.
const makeDue = () => query(knex, `update monitor_schedule set due_at = now() - interval '1 s'`)

const readMonitor = async () => {
  const [row] = await query<Record<string, unknown>>(
    knex,
    `select m.*, s.due_at, s.lease, s.streak, s.checks, s.last_latency_ms, extract(epoch from s.due_at - now())::float8 as due_in
     from monitors m join monitor_schedule s on s.monitor_id = m.id where m.id = ?`,
    [monitor.id],
  )
  return row
}

const states = async () => (await intervalsOf(knex, monitor.id)).map(({ state }) => state)

test('the first success is up, the time of which begins with the check', async () => {
  const [transition] = await check('up', { ageMs: 5_000 })
  expect(transition).toMatchObject({ from: 'pending', to: 'up', fqdn: monitor.fqdn, userId: ada })
  const [interval] = await intervalsOf(knex, monitor.id)
  expect(interval).toMatchObject({ state: 'up', until: null, since: transition?.since })
  expect(Date.now() - Number(interval?.since)).toBeGreaterThanOrEqual(5_000)
  expect(await readMonitor()).toMatchObject({
    state: 'up',
    lease: null,
    checks: '1',
    last_latency_ms: 20,
  })
  expect(await announcedOf(knex, monitor.id)).toEqual([])
})

test('down is confirmed, begins at the first failure, and is announced once', async () => {
  await check('up')
  await letTimePass(knex, monitor.id, MINUTE)
  expect(await check('down')).toEqual([])
  expect(await readMonitor()).toMatchObject({ state: 'up', streak: 1 })
  expect(Number((await readMonitor())?.['due_in'])).toBeCloseTo(10, 0)
  await letTimePass(knex, monitor.id, 10_000)
  const [transition] = await check('down')
  expect(transition).toMatchObject({ from: 'up', to: 'down', cause: 'timeout' })
  const [, down] = await intervalsOf(knex, monitor.id)
  expect(down).toMatchObject({ state: 'down', cause: 'timeout', since: transition?.since })
  expect(Date.now() - Number(down?.since)).toBeGreaterThanOrEqual(10_000)
  expect(await readMonitor()).toMatchObject({
    state: 'down',
    streak: 0,
    cause: 'timeout',
    cause_text: 'The server did not answer within 10 s.',
  })
  await check('down')
  await check('up')
  expect(await states()).toEqual(['up', 'down', 'up'])
  expect(await announcedOf(knex, monitor.id)).toEqual(['down', 'up'])
  expect(await readMonitor()).toMatchObject({ state: 'up', cause: null, cause_text: null })
})

test('time in which nobody checked is unknown, and announces nothing', async () => {
  await check('up')
  await letTimePass(knex, monitor.id, 10 * MINUTE)
  expect(await check('up')).toMatchObject([{ from: 'up', to: 'up' }])
  const [up, gap, again] = await intervalsOf(knex, monitor.id)
  expect(gap).toMatchObject({ state: 'unknown', cause: 'not-checked', until: again?.since })
  // The next check was due after a minute, and its result 15 s later.
  expect(Number(gap?.since) - Number(up?.since)).toBeCloseTo(75_000, -3)
  expect(again).toMatchObject({ state: 'up', until: null })
  expect(await announcedOf(knex, monitor.id)).toEqual([])
})

test.each(['down', null] as const)(
  'a heartbeat that may have been lost with the service is expected again: %s',
  async (outcome) => {
    await query(knex, `update monitors set kind = 'heartbeat', confirmations = 1`)
    await check('up', { kind: 'heartbeat' })
    await letTimePass(knex, monitor.id, 10 * MINUTE)
    await check(outcome, { kind: 'heartbeat', cause: null })
    expect(await readMonitor()).toMatchObject({ state: 'unknown', cause: 'not-checked' })
    await makeDue()
    expect((await claimAll(knex, recorder))[0]?.running_ms).toBeLessThan(MINUTE)
    expect(await announcedOf(knex, monitor.id)).toEqual([])
  },
)

test('an outage that the service could not check for a while is announced once', async () => {
  await check('up')
  await check('down')
  await check('down')
  await check('unknown')
  expect(await readMonitor()).toMatchObject({ state: 'unknown', cause: 'checker-offline' })
  await check('down')
  await check('down')
  expect(await states()).toEqual(['up', 'down', 'unknown', 'down'])
  expect(await announcedOf(knex, monitor.id)).toEqual(['down'])
  await check('unknown')
  await check('up')
  expect(await announcedOf(knex, monitor.id)).toEqual(['down', 'up'])
})

test('mails wait a minute, or MONITOR_INTERVAL', async () => {
  await query(knex, 'update monitors set interval_seconds = 30, confirmations = 1')
  const waits = async () => {
    const [row] = await query<{ seconds: number }>(
      knex,
      'select round(extract(epoch from due_at - created_at))::int as seconds from monitor_notifications order by id desc',
    )
    return row?.seconds
  }
  await check('down')
  expect(await waits()).toBe(60)
  await checkOnce(knex, newRecorder('fast', 2), monitor.id, 'up')
  expect(await waits()).toBe(2)
})

test('the owner can turn messages off', async () => {
  await query(knex, 'update monitors set notifies_down = false where id = ?', [monitor.id])
  await check('up')
  await check('down')
  await check('down')
  expect(await announcedOf(knex, monitor.id)).toEqual([])
  await check('up')
  expect(await announcedOf(knex, monitor.id)).toEqual(['up'])
})

describe('a certificate', () => {
  const inDays = (days: number) =>
    new Date(Math.ceil(Date.now() / 1_000) * 1_000 + days * 86_400_000)

  test('that expires soon is announced once for each expiry', async () => {
    const later = inDays(60)
    await check('up', { certificateExpiresAt: later })
    expect(await readMonitor()).toMatchObject({ certificate_expires_at: later })
    expect(await announcedOf(knex, monitor.id)).toEqual([])
    const soon = inDays(13)
    await check('up', { certificateExpiresAt: soon })
    await check('up', { certificateExpiresAt: soon })
    expect(await announcedOf(knex, monitor.id)).toEqual(['certificate'])
    await check('up', { certificateExpiresAt: inDays(12) })
    expect(await announcedOf(knex, monitor.id)).toEqual(['certificate', 'certificate'])
    expect(await readMonitor()).toMatchObject({ state: 'up' })
  })

  test('that has expired does not expire soon', async () => {
    await check('down', { cause: 'tls-expired', certificateExpiresAt: inDays(-1) })
    expect(await announcedOf(knex, monitor.id)).toEqual([])
  })

  test('does not change the cause of an outage', async () => {
    await check('up')
    await check('down')
    await check('down', { cause: 'status', causeText: 'The server answered with status 502.' })
    await check('down', { certificateExpiresAt: inDays(50) })
    expect(await readMonitor()).toMatchObject({ state: 'down', cause: 'status' })
  })
})

describe('a monitor without a kind', () => {
  beforeEach(() => query(knex, 'update monitors set kind = null where id = ?', [monitor.id]))

  test('keeps what answered', async () => {
    await check('up', { found: { kind: 'tcp', port: 22 }, kind: 'tcp' })
    expect(await readMonitor()).toMatchObject({ kind: 'tcp', port: 22, state: 'up', version: 2 })
  })

  test('that stops after maintenance ends the maintenance', async () => {
    await query(knex, `update monitors set state = 'maintenance'`)
    await query(
      knex,
      `insert into monitor_intervals (monitor_id, state, since, up_ms_before, down_ms_before, unknown_ms_before, maintenance_ms_before)
       values (?, 'maintenance', now() - interval '1 hour', 0, 0, 0, 0)`,
      [monitor.id],
    )
    await check('down', { found: null })
    expect(await readMonitor()).toMatchObject({ state: 'undecided', due_at: null })
    expect(await states()).toEqual(['maintenance', 'off'])
  })

  test('got one since: that nothing answered says nothing', async () => {
    await makeDue()
    await claimAll(knex, recorder)
    await query(knex, `update monitors set kind = 'tcp'`)
    await recordResults(knex, recorder, [resultOf(monitor.id, 'down', { found: null })])
    expect(await readMonitor()).toMatchObject({ state: 'pending', checks: '0', streak: 0 })
  })

  test('stops when nothing answered, until its owner chooses', async () => {
    expect(await check('down', { found: null })).toMatchObject([
      { from: 'pending', to: 'undecided' },
    ])
    expect(await readMonitor()).toMatchObject({ state: 'undecided', due_at: null })
    expect(await states()).toEqual([])
    expect(await announcedOf(knex, monitor.id)).toEqual([])
    await query(knex, `update monitors set kind = 'heartbeat' where id = ?`, [monitor.id])
    await knex.transaction((trx) => settleMonitors(trx, { domainIds: [monitor.domainId] }))
    expect(await readMonitor()).toMatchObject({ state: 'pending', due_at: expect.any(Date) })
  })
})

describe('a result is dropped', () => {
  const dropped = async (change: () => Promise<unknown>) => {
    await check('up')
    await makeDue()
    await claimAll(knex, recorder)
    await change()
    expect(await recordResults(knex, recorder, [resultOf(monitor.id, 'unknown')])).toEqual([])
    expect(await readMonitor()).toMatchObject({ checks: '1' })
  }

  test('when the lease was lost', () =>
    dropped(async () => {
      await query(knex, `update monitor_schedule set leased_until = now() - interval '1 s'`)
      expect(await claimAll(knex, newRecorder('other'))).toHaveLength(1)
    }))

  test('when its owner turned the monitor off', async () => {
    await dropped(async () => {
      await query(knex, 'update monitors set is_enabled = false')
      await knex.transaction((trx) => settleMonitors(trx, { userIds: [ada] }))
    })
    expect(await states()).toEqual(['up', 'off'])
  })

  test('when the domain is withheld', async () => {
    await dropped(() => query(knex, 'update domains set locked = true'))
    expect(await states()).toEqual(['up'])
  })

  test('when the domain is deleted', async () => {
    await claimAll(knex, recorder)
    await query(knex, 'delete from domains')
    expect(await recordResults(knex, recorder, [resultOf(monitor.id, 'up')])).toEqual([])
  })

  test('while somebody else changes the monitor, and the check is made again', async () => {
    await check('up')
    await makeDue()
    await claimAll(knex, recorder)
    await knex.transaction(async (trx) => {
      await query(trx, 'select from monitors where id = ? for no key update', [monitor.id])
      expect(await recordResults(knex, recorder, [resultOf(monitor.id, 'unknown')])).toEqual([])
    })
    expect(await readMonitor()).toMatchObject({ state: 'up', lease: null })
  })
})

test('of two workers that record at once, one makes each transition', async () => {
  const monitors = [monitor]
  for (let n = 0; n < 19; n += 1) monitors.push(await makeMonitor(knex, ada, { confirmations: 1 }))
  await query(knex, 'update monitors set confirmations = 1')
  const other = world.connectAgain()
  const [one, two] = [newRecorder('one'), newRecorder('two')]
  await claimAll(knex, one)
  // The second worker takes over half of them while the first one still checks them.
  await query(
    knex,
    `update monitor_schedule set lease = ?, leased_until = now() + interval '1 min' where monitor_id % 2 = 0`,
    [two.lease],
  )
  const results = monitors.map(({ id }) => resultOf(id, 'down'))
  const both = await Promise.all([
    recordResults(knex, one, results),
    recordResults(other, two, results.toReversed()),
  ])
  expect(both.flat()).toHaveLength(20)
  expect(await Promise.all(monitors.map(({ id }) => announcedOf(knex, id)))).toEqual(
    monitors.map(() => ['down']),
  )
})

test('keeps the last 100 results, and counts by five minutes', async () => {
  await query(knex, 'update monitor_schedule set checks = 98')
  await check('up')
  await check('down', { latencyMs: 9_000 })
  await check('up', { latencyMs: 30 })
  const places = await query(
    knex,
    'select place, is_up, latency_ms from monitor_results order by at',
  )
  expect(places).toEqual([
    { place: 98, is_up: true, latency_ms: 20 },
    { place: 99, is_up: false, latency_ms: 9_000 },
    { place: 0, is_up: true, latency_ms: 30 },
  ])
  const [counts] = await query(
    knex,
    `select sum(checks)::int as checks, sum(failures)::int as failures, sum(latency_sum_ms)::int as latency,
            bool_and(extract(epoch from starts_at)::int % 300 = 0) as is_aligned
     from monitor_counts where monitor_id = ?`,
    [monitor.id],
  )
  expect(counts).toEqual({ checks: 3, failures: 1, latency: 50, is_aligned: true })
})

test('the clock goes back by an hour: states stay in order, and checks go on', async () => {
  await check('up')
  await letTimePass(knex, monitor.id, -60 * MINUTE)
  await check('down')
  await check('down')
  const intervals = await intervalsOf(knex, monitor.id)
  expect(intervals.map(({ state }) => state)).toEqual(['down'])
  expect(Number((await readMonitor())?.['due_in'])).toBeLessThanOrEqual(60)
})

test('MONITOR_INTERVAL overrides the interval and shortens confirmations', async () => {
  const fast = newRecorder('fast', 2)
  await claimAll(knex, fast)
  await recordResults(knex, fast, [resultOf(monitor.id, 'up')])
  expect(Number((await readMonitor())?.['due_in'])).toBeLessThanOrEqual(2)
})

test('a result never counts for a later claim, also of the same worker', async () => {
  await claimAll(knex, recorder)
  await query(knex, 'update monitor_schedule set lease = null, leased_until = null')
  const later = newRecorder(recorder.worker)
  await claimAll(knex, later)
  expect(await recordResults(knex, recorder, [resultOf(monitor.id, 'down')])).toEqual([])
  const [transition] = await recordResults(knex, later, [resultOf(monitor.id, 'up')])
  expect(transition?.to).toBe('up')
})
