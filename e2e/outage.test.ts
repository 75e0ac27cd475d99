/** PostgreSQL is stopped for a minute. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGoodConduct } from './support/outage-conduct.ts'
import { OutageWorld } from './support/outage.ts'

let world: OutageWorld

beforeAll(async () => {
  world = await OutageWorld.open()
})
afterAll(() => world.close())

test(
  'DNS goes on, updates are put off, and all of it recovers by itself',
  { timeout: 180_000 },
  async () => {
    const { postgres } = world
    const report = await world.liveThrough(
      () => postgres.stop(),
      () => postgres.start(),
    )
    expectGoodConduct('stopped', report)
    await expect(world.worksAsBefore()).resolves.toBeUndefined()
  },
)
