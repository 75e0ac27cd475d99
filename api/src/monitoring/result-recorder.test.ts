import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type FeedWorld, makeUser, openFeedWorld } from '../../test/support/feed-world.ts'
import {
  announcedOf,
  checkOnce,
  claimAll,
  intervalsOf,
  letTimePass,
  makeMonitor,
  newRecorder,
  resultOf,
} from '../../test/support/monitor-world.ts'
import { query } from '../database/sql.ts'
import { createLog } from '../process/log.ts'
import { RECOVERY_MS } from '../rules/network-doubt.ts'
import { DatabaseWatch } from './database-watch.ts'
import { monitorMetrics } from './metrics.ts'
import { NetworkTrust } from './network-trust.ts'
import { ResultRecorder } from './result-recorder.ts'
import type { Recorder } from './store/check-result.ts'

let world: FeedWorld
beforeAll(async () => (world = await openFeedWorld()))
afterAll(() => world.end())

/** A recorder for the results of a worker, by a clock. */
function openResults(recorder: Recorder, now: () => number) {
  const { knex } = world
  const log = createLog({ logLevel: 'silent', logFormat: 'json' }, 'worker')
  const metrics = monitorMetrics(new Registry())
  const database = new DatabaseWatch(log, now)
  const trust = new NetworkTrust({ haveAnsweredSince: () => false }, log)
  const options = { knex, recorder, database, trust, metrics, log, now, leaseMs: 30_000 }
  return { results: new ResultRecorder(options), database, metrics, trust }
}

test('results that cannot be stored do not hold up the others', async () => {
  const { knex } = world
  const recorder = newRecorder()
  const ada = await makeUser(knex, 'ada')
  for (let n = 0; n < 5; n += 1) await makeMonitor(knex, ada)
  const now = () => performance.now()
  const { results, database, metrics, trust } = openResults(recorder, now)
  const due = await claimAll(knex, recorder)
  const bad = [{ certificateExpiresAt: new Date('0000-01-02T00:00:00Z') }, { causeText: 'a\0b' }]
  const ofOtherKind = { kind: 'heartbeat' } as const
  const see = vi.spyOn(trust, 'see')
  // No date can be made of the last time.
  const begun = [now(), now(), 1e18]
  for (const [index, monitor] of due.entries()) {
    const {
      monitorId: _id,
      ageMs: _age,
      ...probed
    } = resultOf(monitor.id, 'up', bad[index] ?? ofOtherKind)
    results.add({ monitor, lease: recorder.lease, begunMs: begun[index] ?? now(), probed })
  }
  // Heartbeats say nothing about the network.
  expect(see).toHaveBeenCalledTimes(bad.length)
  await results.stop()
  const rows = await query(knex, 'select from monitors where state = ?', ['up'])
  expect([due.length, rows.length]).toEqual([5, 2])
  expect((await metrics.dropped.get()).values[0]?.value).toBe(3)
  expect(database.sinceOutageMs()).toBe(Infinity)
})

test('a check that began before the network returned, and fails after it, is unknown', async () => {
  const { knex } = world
  const recorder = newRecorder()
  const { id } = await makeMonitor(knex, await makeUser(knex, 'grace'), { confirmations: 1 })
  await checkOnce(knex, recorder, id, 'up')
  await letTimePass(knex, id, 61_000)
  let nowMs = 100_000
  const { results, trust } = openResults(recorder, () => nowMs)
  const monitor = (await claimAll(knex, recorder)).find((due) => due.id === id)
  if (monitor === undefined) throw new Error('the monitor is not due')
  const see = (n: number, isUp: boolean) => {
    const check = { monitorId: `m${n}`, userId: `u${n % 5}`, atMs: nowMs, isUp, wasUp: true }
    trust.see({ ...check, isNewFailure: !isUp })
  }
  for (let n = 0; n < 20; n += 1) see(n, false)
  expect(trust.decide(nowMs)).toBe(true)
  const begunMs = nowMs + RECOVERY_MS
  nowMs = begunMs + 1
  see(0, true)
  trust.decide(nowMs)
  expect(trust.isBlind).toBe(false)
  nowMs = begunMs + 10_000
  const { monitorId: _id, ageMs: _age, ...probed } = resultOf(id, 'down')
  results.add({ monitor, lease: recorder.lease, begunMs, probed })
  await results.stop()
  const states = (await intervalsOf(knex, id)).map(({ state }) => state)
  expect([states, await announcedOf(knex, id)]).toEqual([['up', 'unknown'], []])
})
