/**
 * An outage of PostgreSQL: stopped, so that it refuses connections, and frozen, so that connections stay open and
 * get no answer. Both run at the same time, each with its own service, because the tests mostly wait. It lasts 15 seconds, and
 * a minute with `TEST_FORM=long`.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testMonitors } from './outage/monitors.ts'
import { testDetector } from './outage/storm-detector.ts'
import { expectGoodConduct } from './support/outage-conduct.ts'
import { OutageWorld } from './support/outage.ts'
import { VISITORS } from './support/forward-watch.ts'
import type { OwnPostgres } from './support/own-postgres.ts'
import { eventually } from './support/stack.ts'

interface Outage {
  readonly how: 'stopped' | 'frozen'
  readonly begin: (postgres: OwnPostgres) => unknown
  readonly end: (postgres: OwnPostgres) => unknown
}

const OUTAGES: readonly Outage[] = [
  { how: 'stopped', begin: (postgres) => postgres.stop(), end: (postgres) => postgres.start() },
  { how: 'frozen', begin: (postgres) => postgres.freeze(), end: (postgres) => postgres.thaw() },
]
const worlds = new Map<Outage['how'], OutageWorld>()

function worldOf(how: Outage['how']): OutageWorld {
  const world = worlds.get(how)
  if (world === undefined) throw new Error(`no service for ${how}`)
  return world
}

beforeAll(async () => {
  for (const { how } of OUTAGES) worlds.set(how, await OutageWorld.open())
})
afterAll(async () => {
  for (const world of worlds.values()) await world.close()
})

testMonitors(() => worldOf('stopped'))

describe.concurrent('PostgreSQL is unavailable', () => {
  test.for(OUTAGES)(
    '$how: DNS and web forwards continue, updates are deferred, and everything recovers by itself',
    async ({ how, begin, end }) => {
      const world = worldOf(how)
      const { postgres } = world
      const report = await world.liveThrough(
        () => begin(postgres),
        () => end(postgres),
      )
      expectGoodConduct(how, report)
      await expect(world.worksAsBefore()).resolves.toBeUndefined()
    },
  )
})

test('kill -9 of the forwarder while PostgreSQL is stopped: it answers again from its snapshot', async () => {
  const world = worldOf('stopped')
  const { stack, postgres } = world
  const visits = await world.visit()
  await postgres.stop()
  const before = stack.pidOf('forwarder')
  process.kill(before, 'SIGKILL')
  await eventually(
    async () => stack.pidOf('forwarder'),
    (pid) => pid !== before,
  )
  const { counts } = visits
  // More than the former process could have in progress.
  const sufficient = counts.redirected + 2 * VISITORS
  await eventually(
    async () => counts.redirected,
    (redirected) => redirected > sufficient,
  )
  await visits.end()
  await postgres.start()
  process.stdout.write(
    `kill -9 of the forwarder: ${counts.broken} of ${counts.asked} visits failed, no redirect for ${counts.longestGapMs.toFixed(0)} ms\n`,
  )
  expect(counts.wrong).toEqual([])
  await expect(world.worksAsBefore()).resolves.toBeUndefined()
})

// The last test: what it loses is lost for the service, too.
testDetector(() => worldOf('frozen'))
