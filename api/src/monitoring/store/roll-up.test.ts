import type { Knex } from 'knex'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FeedWorld, makeUser, openFeedWorld } from '../../../test/support/feed-world.ts'
import { makeMonitor } from '../../../test/support/monitor-world.ts'
import { checkLedger } from '../../../test/support/uptime-ledger.ts'
import { query } from '../../database/sql.ts'
import { history } from './durations.ts'
import { rollUpChecks } from './roll-up.ts'

const DAY = 86_400_000
const MINUTE = 60_000
/** The begin of a day. */
const TODAY = Date.UTC(2027, 4, 12)

let world: FeedWorld
let knex: Knex
let monitors: string[]

beforeAll(async () => {
  world = await openFeedWorld()
  knex = world.knex
})
afterAll(() => world.end())
beforeEach(async () => {
  await query(knex, 'delete from domains')
  await query(knex, 'delete from users')
  await query(knex, 'delete from monitor_counts')
  const ada = await makeUser(knex, 'ada')
  monitors = [(await makeMonitor(knex, ada)).id, (await makeMonitor(knex, ada)).id]
})

const count = (n: number, daysAgo: number, checks: number) =>
  checkLedger(knex, monitors[n] ?? '', [
    { at: TODAY - daysAgo * DAY, checks, failures: 1, latencySumMs: 10 },
    { at: TODAY - daysAgo * DAY + DAY - 5 * MINUTE, checks, failures: 0, latencySumMs: 5 },
  ])

const days = () =>
  query(
    knex,
    `select (monitor_id = ?)::int as first, to_char(day, 'MM-DD') as day, checks, failures, latency_sum_ms::int as latency
     from monitor_days order by day, monitor_id`,
    [monitors[0] ?? ''],
  )

const at = (ms: number) => new Date(TODAY + ms)

test('complete days are added up ten minutes after their end, once', async () => {
  await count(0, 1, 10)
  await count(1, 1, 7)
  await count(0, 0, 3)
  expect(await rollUpChecks(knex, at(9 * MINUTE))).toEqual([])
  expect(await rollUpChecks(knex, at(10 * MINUTE))).toEqual(['2027-05-11'])
  const expected = [
    { first: 1, day: '05-11', checks: 20, failures: 1, latency: 15 },
    { first: 0, day: '05-11', checks: 14, failures: 1, latency: 15 },
  ]
  expect(await days()).toEqual(expected)
  expect(await rollUpChecks(knex, at(DAY - MINUTE))).toEqual([])
  expect(await days()).toEqual(expected)
})

test('after a week without a worker, all days are added, and those without checks are left out', async () => {
  await count(0, 7, 1)
  await count(0, 6, 2)
  await count(1, 2, 3)
  expect(await rollUpChecks(knex, at(DAY / 2))).toEqual(['2027-05-05', '2027-05-06', '2027-05-10'])
  expect(await days()).toMatchObject([
    { day: '05-05', checks: 2 },
    { day: '05-06', checks: 4 },
    { day: '05-10', checks: 6 },
  ])
})

test('a history of days is the same before and after', async () => {
  await count(0, 3, 1)
  await count(0, 1, 2)
  await count(0, 0, 4)
  const read = async () => {
    const range = { from: at(-5 * DAY), to: at(DAY), resolution: '1d' } as const
    const parts = await history(knex, monitors[0] ?? '', range)
    return parts.map(({ checks }) => checks)
  }
  const before = await read()
  expect(before).toEqual([0, 0, 2, 0, 4, 8])
  await rollUpChecks(knex, at(DAY / 2))
  expect(await read()).toEqual(before)
  await query(knex, `delete from monitor_counts where starts_at < ?`, [at(0)])
  expect(await read()).toEqual(before)
})

test('counts of a deleted monitor are left out', async () => {
  await count(0, 1, 10)
  await query(knex, 'delete from domains')
  expect(await rollUpChecks(knex, at(DAY / 2))).toEqual([])
})
