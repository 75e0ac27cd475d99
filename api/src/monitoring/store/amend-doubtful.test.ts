import type { Knex } from 'knex'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FeedWorld, makeUser, openFeedWorld } from '../../../test/support/feed-world.ts'
import {
  announcedOf,
  checkOnce,
  intervalsOf,
  letTimePass,
  makeMonitor,
  newRecorder,
  resultOf,
  type TestMonitor,
  recordResults,
} from '../../../test/support/monitor-world.ts'
import { query } from '../../database/sql.ts'
import { amendDoubtful } from './amend-doubtful.ts'
import { durationsOf } from './durations.ts'

const MINUTE = 60_000
const DOUBTFUL_MS = MINUTE

let world: FeedWorld
let knex: Knex
let monitor: TestMonitor

beforeAll(async () => {
  world = await openFeedWorld()
  knex = world.knex
})
afterAll(() => world.end())
beforeEach(async () => {
  await query(knex, 'delete from domains')
  await query(knex, 'delete from users')
  monitor = await makeMonitor(knex, await makeUser(knex, 'ada'), { confirmations: 1 })
  await checkOnce(knex, recorder, monitor.id, 'up')
})

const recorder = newRecorder()
const check = (outcome: 'up' | 'down') => checkOnce(knex, recorder, monitor.id, outcome)
const causes = async () =>
  (await intervalsOf(knex, monitor.id)).map(({ state, cause }) => `${state} ${cause ?? '-'}`)
const stateOf = async () => {
  const [row] = await query<{ state: string; cause: string | null }>(
    knex,
    'select state, cause from monitors where id = ?',
    [monitor.id],
  )
  return row
}

test('an outage of the last minute becomes unknown, and is not announced', async () => {
  await check('down')
  expect(await announcedOf(knex, monitor.id)).toEqual(['down'])
  expect(await amendDoubtful(knex, recorder.worker, DOUBTFUL_MS)).toBe(1)
  expect(await causes()).toEqual(['up -', 'unknown checker-offline'])
  expect(await stateOf()).toEqual({ state: 'unknown', cause: 'checker-offline' })
  expect(await announcedOf(knex, monitor.id)).toEqual([])
})

test('also one that has ended: its time moves in all later sums', async () => {
  await letTimePass(knex, monitor.id, 30_000)
  await check('down')
  await letTimePass(knex, monitor.id, 10_000)
  await check('up')
  await letTimePass(knex, monitor.id, 5_000)
  await check('down')
  const now = new Date()
  const durations = async () =>
    (await durationsOf(knex, [monitor.id], new Date(0), now)).get(monitor.id)
  const before = await durations()
  await amendDoubtful(knex, recorder.worker, DOUBTFUL_MS)
  expect(await causes()).toEqual([
    'up -',
    'unknown checker-offline',
    'up -',
    'unknown checker-offline',
  ])
  const after = await durations()
  expect(before?.downMs).toBeGreaterThanOrEqual(10_000)
  expect(after).toEqual({
    ...before,
    downMs: 0,
    unknownMs: (before?.downMs ?? 0) + (before?.unknownMs ?? 0),
  })
  expect(await announcedOf(knex, monitor.id)).toEqual([])
})

test('outages of earlier times and of other workers stay', async () => {
  await check('down')
  expect(await amendDoubtful(knex, 'other', DOUBTFUL_MS)).toBe(0)
  await query(knex, `update monitor_intervals set found_at = found_at - interval '61 s'`)
  expect(await amendDoubtful(knex, recorder.worker, DOUBTFUL_MS)).toBe(0)
  expect(await stateOf()).toEqual({ state: 'down', cause: 'timeout' })
})

test('a check that is under way is made again', async () => {
  await check('down')
  await query(knex, 'update monitor_schedule set lease = ?', [recorder.lease])
  await amendDoubtful(knex, recorder.worker, DOUBTFUL_MS)
  expect(await recordResults(knex, recorder, [resultOf(monitor.id, 'down')])).toEqual([])
  expect(await stateOf()).toEqual({ state: 'unknown', cause: 'checker-offline' })
})
