/**
 * An outage of PostgreSQL: stopped, so that it refuses connections, and frozen, so that connections stay open and
 * get no answer. Both run at the same time, each with its own service, because the tests mostly wait. It lasts 15 seconds, and
 * a minute with `TEST_FORM=long`.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectGoodConduct } from './support/outage-conduct.ts'
import { OutageWorld } from './support/outage.ts'
import type { OwnPostgres } from './support/own-postgres.ts'

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

beforeAll(async () => {
  for (const { how } of OUTAGES) worlds.set(how, await OutageWorld.open())
})
afterAll(async () => {
  for (const world of worlds.values()) await world.close()
})

describe.concurrent('PostgreSQL is unavailable', () => {
  test.for(OUTAGES)(
    '$how: DNS continues, updates are deferred, and everything recovers by itself',
    async ({ how, begin, end }) => {
      const world = worlds.get(how)
      if (world === undefined) throw new Error(`no service for ${how}`)
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
