/** Percentages and histories against a ledger of random states. */
import type { Knex } from 'knex'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FeedWorld, makeUser, openFeedWorld } from '../../../test/support/feed-world.ts'
import { makeMonitor } from '../../../test/support/monitor-world.ts'
import {
  checkLedger,
  type Ledger,
  ledgerSums,
  randomLedger,
  storeLedger,
} from '../../../test/support/uptime-ledger.ts'
import { query } from '../../database/sql.ts'
import { NO_TIME, totalTime, uptimeOf } from '../../rules/uptime.ts'
import { durationsOf, durationsUntilNow, history } from './durations.ts'
import { summary } from './summary.ts'

const DAY = 86_400_000
const MINUTE = 60_000

let world: FeedWorld
let knex: Knex
let ada: string

beforeAll(async () => {
  world = await openFeedWorld()
  knex = world.knex
})
afterAll(() => world.end())
beforeEach(async () => {
  await query(knex, 'delete from domains')
  await query(knex, 'delete from users')
  ada = await makeUser(knex, 'ada', 'elite')
})

/** Monitors with random states. */
async function ledgers(count: number, days: number): Promise<Ledger[]> {
  const made: Ledger[] = []
  for (let n = 0; n < count; n += 1) {
    const { id } = await makeMonitor(knex, ada)
    made.push(randomLedger(id, days, n))
  }
  await storeLedger(knex, made)
  return made
}

test('durations equal those of the ledger to the millisecond, for any range', async () => {
  const made = await ledgers(5, 30)
  const now = Date.now()
  for (let n = 0; n < 40; n += 1) {
    // From before the first state to after the last one.
    const from = now - Math.floor(Math.random() * 35 * DAY)
    const to = from + Math.floor(Math.random() * (now - from))
    const found = await durationsOf(
      knex,
      made.map(({ monitorId }) => monitorId),
      new Date(from),
      new Date(to),
    )
    for (const ledger of made) {
      expect(found.get(ledger.monitorId)).toEqual(ledgerSums(ledger, from, to))
    }
  }
})

test('the uptimes until now and the summary are those of the ledger', async () => {
  const made = await ledgers(5, 40)
  const spans = [DAY, 7 * DAY, 30 * DAY]
  const now = new Date()
  const ids = made.map(({ monitorId }) => monitorId)
  const found = await durationsUntilNow(knex, ids, now, spans)
  const expected = (span: number) =>
    made.map((ledger) => ledgerSums(ledger, now.getTime() - span, now.getTime()))
  spans.forEach((span, n) => {
    expect(ids.map((id) => found.get(id)?.[n])).toEqual(expected(span))
  })
  await query(
    knex,
    `update monitors set state = case when id = ? then 'down' else 'up' end, is_enabled = id <> ?`,
    [made[0]?.monitorId ?? '', made[1]?.monitorId ?? ''],
  )
  const seen = await summary(knex, ada)
  expect(seen).toMatchObject({ monitored: 4, up: 4, down: 1 })
  const [day, week, month] = spans.map((span) => uptimeOf(totalTime(expected(span))))
  // The summary is some milliseconds later.
  expect(seen.uptime24h).toBeCloseTo(Number(day), 1)
  expect(seen.uptime7d).toBeCloseTo(Number(week), 1)
  expect(seen.uptime30d).toBeCloseTo(Number(month), 1)
})

test('a summary of some domains, and of another account', async () => {
  await ledgers(2, 3)
  const bob = await makeUser(knex, 'bob')
  const nothing = {
    uptime24h: null,
    uptime7d: null,
    uptime30d: null,
    uptimeByHour: Array.from({ length: 24 }, () => null),
    monitored: 0,
    up: 0,
    down: 0,
  }
  expect(await summary(knex, bob)).toEqual(nothing)
  expect(await summary(knex, ada, [])).toEqual(nothing)
  const [domain] = await query<{ id: string }>(knex, 'select id from domains limit 1')
  expect(await summary(knex, ada, [domain?.id ?? ''])).toMatchObject({ monitored: 1 })
})

describe('a history', () => {
  test.each([
    ['5m', DAY],
    ['1h', 7 * DAY],
    ['1d', 30 * DAY],
  ] as const)(
    'of %s parts adds up to the whole, and each part equals the ledger',
    async (resolution, span) => {
      const [ledger] = await ledgers(1, 40)
      if (ledger === undefined) return
      const to = new Date(Math.floor(Date.now() / DAY) * DAY)
      const from = new Date(to.getTime() - span)
      const parts = await history(knex, ledger.monitorId, { from, to, resolution })
      expect(parts[0]?.from).toEqual(from)
      expect(parts.at(-1)?.to).toEqual(to)
      for (const { from: begin, to: end, upMs, downMs, unknownMs, maintenanceMs } of parts) {
        expect({ upMs, downMs, unknownMs, maintenanceMs }).toEqual(
          ledgerSums(ledger, begin.getTime(), end.getTime()),
        )
      }
      expect(totalTime(parts)).toEqual(ledgerSums(ledger, from.getTime(), to.getTime()))
    },
  )

  test('has the counts of checks of each part', async () => {
    const { id } = await makeMonitor(knex, ada)
    const day = Math.floor(Date.now() / DAY) * DAY - DAY
    await checkLedger(knex, id, [
      { at: day, checks: 5, failures: 1, latencySumMs: 400 },
      { at: day + 5 * MINUTE, checks: 4, failures: 0, latencySumMs: 100 },
      { at: day + 65 * MINUTE, checks: 3, failures: 3, latencySumMs: 0 },
    ])
    const read = async (resolution: '5m' | '1h' | '1d') => {
      const range = { from: new Date(day), to: new Date(day + DAY), resolution }
      const parts = await history(knex, id, range)
      return parts
        .filter(({ checks }) => checks > 0)
        .map(({ from, checks, failures, latencySumMs }) => [
          (from.getTime() - day) / MINUTE,
          checks,
          failures,
          latencySumMs,
        ])
    }
    expect(await read('5m')).toEqual([
      [0, 5, 1, 400],
      [5, 4, 0, 100],
      [65, 3, 3, 0],
    ])
    expect(await read('1h')).toEqual([
      [0, 9, 1, 500],
      [60, 3, 3, 0],
    ])
    expect(await read('1d')).toEqual([[0, 12, 4, 500]])
  })

  test('of a monitor without results is empty time', async () => {
    const { id } = await makeMonitor(knex, ada)
    const range = {
      from: new Date(Date.now() - 10 * MINUTE),
      to: new Date(),
      resolution: '5m',
    } as const
    for (const part of await history(knex, id, range)) {
      expect(part).toMatchObject({ ...NO_TIME, checks: 0 })
    }
  })
})

test('time after the last expected result is unknown, before and after the next result', async () => {
  const [ledger] = await ledgers(1, 0)
  if (ledger === undefined) return
  const id = ledger.monitorId
  const now = Date.now()
  await storeLedger(knex, [{ monitorId: id, states: [{ state: 'up', since: now - 60 * MINUTE }] }])
  await query(knex, `update monitor_schedule set due_at = ?, expected_by = ?`, [
    new Date(now - 20 * MINUTE),
    new Date(now - 20 * MINUTE),
  ])
  const found = await durationsOf(knex, [id], new Date(now - 30 * MINUTE), new Date(now))
  expect(found.get(id)).toEqual({ ...NO_TIME, upMs: 10 * MINUTE, unknownMs: 20 * MINUTE })
})

test('before the oldest interval that is kept, no time is invented', async () => {
  const { id } = await makeMonitor(knex, ada)
  const now = Date.now()
  await storeLedger(knex, [
    {
      monitorId: id,
      states: [
        { state: 'up', since: now - 500 * DAY },
        { state: 'down', since: now - 450 * DAY },
        { state: 'up', since: now - 10 * DAY },
      ],
    },
  ])
  await query(knex, `delete from monitor_intervals where until <= now() - interval '10 days'`)
  const found = await durationsOf(knex, [id], new Date(now - 400 * DAY), new Date(now))
  expect(found.get(id)).toEqual({ ...NO_TIME, upMs: 10 * DAY })
})
