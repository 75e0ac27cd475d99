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
  type TestMonitor,
} from '../../../test/support/monitor-world.ts'
import { query } from '../../database/sql.ts'
import { durationsOf } from './durations.ts'
import { advanceWindows, settleMaintenance } from './maintenance.ts'
import { settleMonitors } from './run-monitors.ts'

const HOUR = 3_600_000

let world: FeedWorld
let knex: Knex
let monitor: TestMonitor

beforeAll(async () => {
  world = await openFeedWorld()
  knex = world.knex
  await query(knex, 'delete from maintenance_windows')
})
afterAll(() => world.end())
beforeEach(async () => {
  await query(knex, 'delete from domains')
  await query(knex, 'delete from users')
  monitor = await makeMonitor(knex, await makeUser(knex, 'ada'), { confirmations: 1 })
})

const recorder = newRecorder()
const check = (outcome: 'up' | 'down') => checkOnce(knex, recorder, monitor.id, outcome)

interface Window {
  readonly starts: Date | string
  readonly ends: Date | string
  readonly repeats?: string
  readonly zone?: string
}

const announce = ({ starts, ends, repeats = 'never', zone = 'UTC' }: Window) =>
  query(
    knex,
    `insert into maintenance_windows (monitor_id, starts_at, ends_at, repeats, time_zone, next_starts_at, next_ends_at)
     select ?, s, e, ?, ?, s, e from (select ?::timestamptz as s, ?::timestamptz as e) as w`,
    [monitor.id, repeats, zone, starts, ends],
  )

const next = async () => {
  const [row] = await query<{ s: Date | null; e: Date | null }>(
    knex,
    'select next_starts_at as s, next_ends_at as e from maintenance_windows',
  )
  return [row?.s?.toISOString() ?? null, row?.e?.toISOString() ?? null]
}

describe('the occurrences of a window', () => {
  // The clocks of Vienna go forward on 2027-03-28 at 01:00 UTC, and back on 2027-10-31 at 01:00 UTC.
  test.each<[string, Window, string, [string | null, string | null]]>([
    [
      'one that does not repeat is over',
      { starts: '2027-01-01T10:00Z', ends: '2027-01-01T11:00Z' },
      '2027-01-01T11:00Z',
      [null, null],
    ],
    [
      'daily',
      { starts: '2027-01-01T10:00Z', ends: '2027-01-01T11:00Z', repeats: 'daily' },
      '2027-01-01T11:00Z',
      ['2027-01-02T10:00:00.000Z', '2027-01-02T11:00:00.000Z'],
    ],
    [
      'after days without a worker, also in the middle of one',
      { starts: '2027-01-01T10:00Z', ends: '2027-01-01T11:00Z', repeats: 'daily' },
      '2027-01-09T10:30Z',
      ['2027-01-09T10:00:00.000Z', '2027-01-09T11:00:00.000Z'],
    ],
    [
      'weekly, over midnight',
      { starts: '2027-01-01T22:00Z', ends: '2027-01-02T02:00Z', repeats: 'weekly' },
      '2027-01-08T23:00Z',
      ['2027-01-08T22:00:00.000Z', '2027-01-09T02:00:00.000Z'],
    ],
    [
      'it keeps its local time when clocks go forward',
      {
        starts: '2027-03-27T21:00Z',
        ends: '2027-03-27T22:00Z',
        repeats: 'daily',
        zone: 'Europe/Vienna',
      },
      '2027-03-27T22:00Z',
      ['2027-03-28T20:00:00.000Z', '2027-03-28T21:00:00.000Z'],
    ],
    [
      'weekly, when clocks go back',
      {
        starts: '2027-10-24T20:00Z',
        ends: '2027-10-24T21:00Z',
        repeats: 'weekly',
        zone: 'Europe/Vienna',
      },
      '2027-10-30T00:00Z',
      ['2027-10-31T21:00:00.000Z', '2027-10-31T22:00:00.000Z'],
    ],
    [
      'over the change it is an hour shorter',
      {
        starts: '2027-03-27T00:30Z',
        ends: '2027-03-27T03:00Z',
        repeats: 'daily',
        zone: 'Europe/Vienna',
      },
      '2027-03-27T03:00Z',
      ['2027-03-28T00:30:00.000Z', '2027-03-28T02:00:00.000Z'],
    ],
    [
      'in the hour that does not exist it is left out',
      {
        starts: '2027-03-27T01:00Z',
        ends: '2027-03-27T02:00Z',
        repeats: 'daily',
        zone: 'Europe/Vienna',
      },
      '2027-03-27T02:00Z',
      ['2027-03-29T00:00:00.000Z', '2027-03-29T01:00:00.000Z'],
    ],
  ])('%s', async (_, window, now, expected) => {
    await announce(window)
    await advanceWindows(knex, new Date(now))
    expect(await next()).toEqual(expected)
  })

  test('one that has not ended stays', async () => {
    await announce({ starts: '2027-01-01T10:00Z', ends: '2027-01-01T11:00Z', repeats: 'daily' })
    expect(await advanceWindows(knex, new Date('2027-01-01T10:59:59Z'))).toBe(0)
  })
})

const ago = (ms: number) => new Date(Date.now() - ms)
const states = async () => (await intervalsOf(knex, monitor.id)).map(({ state }) => state)
const isDue = async () => {
  const [row] = await query<{ due_at: Date | null }>(knex, 'select due_at from monitor_schedule')
  return row?.due_at !== null
}

test('maintenance begins with its window, ends with the first result after it, and is left out', async () => {
  await check('up')
  await letTimePass(knex, monitor.id, 2 * HOUR)
  // Results of these hours are stored, so that they are not a gap.
  await query(knex, `update monitor_schedule set due_at = now(), expected_by = now()`)
  const begin = ago(HOUR)
  await announce({ starts: begin, ends: new Date(Date.now() + HOUR) })
  await claimAll(knex, recorder)
  expect(await settleMaintenance(knex)).toBe(1)
  expect(await isDue()).toBe(false)
  const [, maintenance] = await intervalsOf(knex, monitor.id)
  expect(maintenance).toMatchObject({ state: 'maintenance', since: begin, until: null })
  expect(await settleMaintenance(knex)).toBe(0)

  await query(knex, 'update maintenance_windows set next_ends_at = now()')
  expect(await settleMaintenance(knex)).toBe(1)
  expect(await isDue()).toBe(true)
  await check('down')
  expect(await states()).toEqual(['up', 'maintenance', 'down'])
  const sums = (await durationsOf(knex, [monitor.id], new Date(0), new Date())).get(monitor.id)
  expect(sums?.upMs).toBeCloseTo(HOUR, -4)
  expect(sums?.maintenanceMs).toBeCloseTo(HOUR, -4)
  expect(sums?.downMs).toBeLessThan(1_000)
})

test('an outage before and after maintenance is announced once', async () => {
  await check('up')
  await check('down')
  await letTimePass(knex, monitor.id, 1_000)
  await announce({ starts: ago(500), ends: new Date(Date.now() + HOUR) })
  await settleMaintenance(knex)
  await query(knex, 'delete from maintenance_windows')
  await settleMaintenance(knex)
  await check('down')
  expect(await states()).toEqual(['up', 'down', 'maintenance', 'down'])
  expect(await announcedOf(knex, monitor.id)).toEqual(['down'])
})

test('a monitor that is turned on during its window is not checked', async () => {
  await query(knex, 'update monitors set is_enabled = false')
  await knex.transaction((trx) => settleMonitors(trx, { domainIds: [monitor.domainId] }))
  await announce({ starts: ago(HOUR), ends: new Date(Date.now() + HOUR) })
  expect(await settleMaintenance(knex)).toBe(0)
  await query(knex, 'update monitors set is_enabled = true')
  await knex.transaction((trx) => settleMonitors(trx, { domainIds: [monitor.domainId] }))
  expect(await claimAll(knex, recorder)).toEqual([])
  expect(await settleMaintenance(knex)).toBe(1)
  const [only] = await intervalsOf(knex, monitor.id)
  expect(only?.state).toBe('maintenance')
  expect(Date.now() - Number(only?.since)).toBeLessThan(10_000)
})

test('a monitor that is turned off during its window stays off', async () => {
  await check('up')
  await letTimePass(knex, monitor.id, 1_000)
  await announce({ starts: ago(500), ends: new Date(Date.now() + HOUR) })
  await settleMaintenance(knex)
  await query(knex, 'update monitors set is_enabled = false')
  await knex.transaction((trx) => settleMonitors(trx, { domainIds: [monitor.domainId] }))
  await query(knex, 'delete from maintenance_windows')
  expect(await settleMaintenance(knex)).toBe(0)
  expect(await states()).toEqual(['up', 'maintenance', 'off'])
})
