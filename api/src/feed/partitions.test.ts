import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type FeedWorld,
  openFeedWorld,
  replay,
  tableState,
  toldSets,
  zoneId,
} from '../../test/support/feed-world.ts'
import { keepPartitions } from './partitions.ts'
import { publish } from './publish.ts'
import { query } from '../database/sql.ts'

const HOUR_MS = 3_600_000
const retentionMs = 24 * HOUR_MS

let world: FeedWorld
let zone: string
let nowMs: number

beforeEach(async () => {
  world = await openFeedWorld()
  zone = await zoneId(world.knex)
  const [clock] = await query<{ ms: string }>(
    world.knex,
    `select extract(epoch from clock_timestamp()) * 1000 as ms`,
  )
  nowMs = Number(clock?.ms)
})
afterEach(() => world.end())

/** Inserts change sets with these times, with serials that no zone reaches. */
async function tell(atMs: number, count = 1) {
  await query(
    world.knex,
    `insert into zone_changes (zone_id, serial, owner, token, previous_token, changed_at)
     select 0, n, 'x', gen_random_uuid(), gen_random_uuid(), ?::timestamptz from generate_series(1, ?::int) n`,
    [new Date(atMs), count],
  )
}

const countIn = async (table: string) => {
  const [row] = await query<{ count: string }>(world.knex, `select count(*) from ${table}`)
  return Number(row?.count)
}

const partitions = async (table = 'zone_changes') => {
  const rows = await query<{ name: string }>(
    world.knex,
    `select relid::regclass::text as name from pg_partition_tree(?) where isleaf order by 1`,
    [table],
  )
  return rows.map(({ name }) => name)
}

/** The partition that received a row of this moment. */
const homeOf = async (atMs: number) => {
  const rows = await query<{ name: string }>(
    world.knex,
    `select distinct tableoid::regclass::text as name from zone_changes where changed_at = ?::timestamptz`,
    [new Date(atMs)],
  )
  return rows.map(({ name }) => name)
}

test('partitions exist ahead of time, and receive rows', async () => {
  const { created } = await keepPartitions(world.knex, { retentionMs, nowMs })
  expect(created.filter((name) => name.startsWith('zone_changes'))).not.toHaveLength(0)
  for (const aheadMs of [2, 3, 4].map((hours) => nowMs + hours * HOUR_MS)) {
    await tell(aheadMs)
    expect(await homeOf(aheadMs)).toEqual([expect.stringMatching(/^zone_changes_\d{8}t\d+$/)])
  }
})

test('a second run finds nothing to do', async () => {
  await keepPartitions(world.knex, { retentionMs, nowMs })
  expect(await keepPartitions(world.knex, { retentionMs, nowMs })).toEqual({
    created: [],
    dropped: [],
    truncated: [],
  })
})

test('three days with an hourly run: never a row in default, never more partitions than the retention and those ahead', async () => {
  await keepPartitions(world.knex, { retentionMs, nowMs: nowMs - 1 })
  for (let hour = 3; hour < 75; hour += 1) {
    const atMs = nowMs + hour * HOUR_MS
    await keepPartitions(world.knex, { retentionMs, nowMs: atMs })
    await tell(atMs)
    expect(await homeOf(atMs)).not.toEqual(['zone_changes_default'])
  }
  expect((await partitions()).length).toBeLessThanOrEqual(12 + 1 + 3 + 1)
  const [oldest] = await query<{ age_ms: string }>(
    world.knex,
    `select extract(epoch from (?::timestamptz - min(changed_at))) * 1000 as age_ms from zone_changes where zone_id = 0`,
    [new Date(nowMs + 74 * HOUR_MS)],
  )
  expect(Number(oldest?.age_ms)).toBeLessThanOrEqual(retentionMs + 2 * HOUR_MS)
  expect(Number(oldest?.age_ms)).toBeGreaterThanOrEqual(retentionMs - HOUR_MS)
})

describe('the default partition', () => {
  test('receives rows when maintenance did not run, and blocks nothing', async () => {
    expect(await countIn('zone_changes_default')).toBeGreaterThan(0)
    await keepPartitions(world.knex, { retentionMs, nowMs })
    const lateMs = nowMs + 100 * HOUR_MS
    await tell(lateMs)
    expect(await homeOf(lateMs)).toEqual(['zone_changes_default'])
    const { created } = await keepPartitions(world.knex, { retentionMs, nowMs: lateMs })
    expect(created.length).toBeGreaterThan(0)
    await tell(lateMs + 3 * HOUR_MS)
    expect(await homeOf(lateMs + 3 * HOUR_MS)).not.toEqual(['zone_changes_default'])
  })

  test('a row of a wrong clock, years ahead, affects only its own time', async () => {
    await tell(nowMs + 1000 * 24 * HOUR_MS)
    const { created } = await keepPartitions(world.knex, {
      retentionMs,
      nowMs: nowMs + 3 * HOUR_MS,
    })
    expect(created.filter((name) => name.startsWith('zone_changes'))).not.toHaveLength(0)
    await tell(nowMs + 6 * HOUR_MS)
    expect(await homeOf(nowMs + 6 * HOUR_MS)).not.toEqual(['zone_changes_default'])
  })

  test('is truncated when all its rows have expired, not before', async () => {
    const early = await keepPartitions(world.knex, { retentionMs, nowMs: nowMs + 23 * HOUR_MS })
    expect(early.truncated).toEqual([])
    const late = await keepPartitions(world.knex, { retentionMs, nowMs: nowMs + 25 * HOUR_MS })
    expect(late.truncated).toEqual(['zone_changes_default'])
    expect(await countIn('zone_changes_default')).toBe(0)
  })
})

test('another retention changes the width of later partitions', async () => {
  await keepPartitions(world.knex, { retentionMs, nowMs })
  // By then, all partitions that were created for the longer retention are in the past, at any time of day.
  const laterMs = nowMs + 10 * HOUR_MS
  const { created } = await keepPartitions(world.knex, { retentionMs: HOUR_MS, nowMs: laterMs })
  const changes = created.filter((name) => name.startsWith('zone_changes'))
  expect(changes).not.toHaveLength(0)
  const widths = await query<{ minutes: string }>(
    world.knex,
    `select distinct extract(epoch from bounds[2]::timestamptz - bounds[1]::timestamptz) / 60 as minutes
     from (
       select regexp_match(pg_get_expr(relpartbound, oid), 'FROM \\(''(.*)''\\) TO \\(''(.*)''\\)') as bounds
       from pg_class where relname = any (?)
     ) as parts`,
    [changes],
  )
  expect(widths.map(({ minutes }) => Number(minutes))).toEqual([5])
  await tell(laterMs + 60_000)
  expect(await homeOf(laterMs + 60_000)).toHaveLength(1)
})

test('the changes of the forward feed are kept for as long as those of zones', async () => {
  // The change set of the new zone would occupy the present time of `zone_changes`.
  await query(world.knex, 'truncate zone_changes_default')
  await keepPartitions(world.knex, { retentionMs, nowMs })
  const forwards = await partitions('forward_changes')
  expect(forwards.map((name) => name.replace('forward', 'zone'))).toEqual(await partitions())
  await query(
    world.knex,
    `insert into forward_changes values
       (1, 'x', null, true, 0, gen_random_uuid(), gen_random_uuid(), ?::timestamptz)`,
    [new Date(nowMs)],
  )
  await keepPartitions(world.knex, { retentionMs, nowMs: nowMs + 23 * HOUR_MS })
  expect(await countIn('forward_changes')).toBe(1)
  await keepPartitions(world.knex, { retentionMs, nowMs: nowMs + 27 * HOUR_MS })
  expect(await countIn('forward_changes')).toBe(0)
})

test('the shortest width is a minute', async () => {
  await keepPartitions(world.knex, { retentionMs: 60_000, nowMs })
  expect((await partitions()).length).toBeLessThanOrEqual(5)
})

test('domain_events: by month, with its numbers and its index', async () => {
  await keepPartitions(world.knex, { retentionMs, nowMs })
  const row = (monthsLater: number) =>
    query<{ id: string; home: string }>(
      world.knex,
      `insert into domain_events (happened_at, domain_id, user_id, fqdn, kind, actor)
       values (now() + make_interval(months => ?::int), 1, 1, 'x', 'address', 'system')
       returning id, tableoid::regclass::text as home`,
      [monthsLater],
    )
  const rows = [...(await row(0)), ...(await row(1)), ...(await row(2))]
  expect(new Set(rows.map(({ id }) => id)).size).toBe(3)
  expect(new Set(rows.map(({ home }) => home)).size).toBe(3)
  expect(rows.every(({ home }) => /^domain_events_\d{8}t/.test(home))).toBe(true)
  const later = await keepPartitions(world.knex, { retentionMs, nowMs: nowMs + 440 * 24 * HOUR_MS })
  expect(later.dropped).toContain(rows[0]?.home)
})

test('monitor_counts: by day, for 35 days', async () => {
  await keepPartitions(world.knex, { retentionMs, nowMs })
  const [row] = await query<{ home: string }>(
    world.knex,
    `insert into monitor_counts values (1, date_bin('5 minutes', now(), 'epoch'), 1, 0, 20)
     returning tableoid::regclass::text as home`,
  )
  expect(row?.home).toMatch(/^monitor_counts_\d{8}t000000000$/)
  const run = (days: number) =>
    keepPartitions(world.knex, { retentionMs, nowMs: nowMs + days * 24 * HOUR_MS })
  expect((await run(35)).dropped).not.toContain(row?.home)
  expect((await run(36)).dropped).toContain(row?.home)
})

test.each([
  // A partition of six hours, or of five days, goes when its last row is due.
  ['queries_5m', 48, 48 + 2 + 6],
  ['queries_1h', 35 * 24, (35 + 5) * 24 + 2],
])('%s: kept for %i hours', async (table, keptHours, goneHours) => {
  await keepPartitions(world.knex, { retentionMs, nowMs })
  const [row] = await query<{ home: string }>(
    world.knex,
    `insert into ${table} values (date_bin('5 minutes', now(), 'epoch'), 1, 'total', '', 1)
     returning tableoid::regclass::text as home`,
  )
  expect(row?.home).toMatch(new RegExp(String.raw`^${table}_\d{8}t`))
  const run = (hours: number) =>
    keepPartitions(world.knex, { retentionMs, nowMs: nowMs + hours * HOUR_MS })
  expect((await run(keptHours)).dropped).not.toContain(row?.home)
  expect((await run(goneHours)).dropped).toContain(row?.home)
})

test('eight concurrent runs, while zones are changed: each change is published', async () => {
  const stop = new AbortController()
  const writers = Array.from({ length: 4 }, async (_, w) => {
    for (let n = 0; !stop.signal.aborted || n < 20; n += 1) {
      await world.knex.transaction(async (trx) => {
        await query(
          trx,
          `insert into records (zone_id, owner, type, ttl, rdata, origin) values (?, ?, 'A', 60, '{192.0.2.1}', 'import')`,
          [zone, `w${w}n${n}.homing.test`],
        )
        await publish(trx, [{ zoneId: zone, owners: [`w${w}n${n}.homing.test`] }])
      })
    }
  })
  const pool = world.connectAgain({ maxConnections: 16 })
  for (let hour = 0; hour < 30; hour += 3) {
    await Promise.all(
      Array.from({ length: 8 }, () =>
        keepPartitions(pool, { retentionMs: 48 * HOUR_MS, nowMs: nowMs + hour * HOUR_MS }),
      ),
    )
  }
  stop.abort()
  await Promise.all(writers)
  expect(replay(await toldSets(world.knex, zone))).toEqual(await tableState(world.knex, zone))
})

test('a lock that is never granted fails, and the next run continues there', async () => {
  const reader = await world.connectAgain({ maxConnections: 1 }).transaction()
  // On a busy machine, the attempts take longer than the time limit of an idle transaction.
  await query(reader, 'set local idle_in_transaction_session_timeout = 0')
  await query(reader, 'select 1 from zone_changes_default')
  await expect(keepPartitions(world.knex, { retentionMs, nowMs })).rejects.toThrow(/lock timeout/)
  await reader.rollback()
  await keepPartitions(world.knex, { retentionMs, nowMs })
  expect((await partitions()).length).toBeGreaterThan(2)
})
