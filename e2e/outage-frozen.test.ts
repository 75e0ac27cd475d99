/** PostgreSQL is frozen for a minute: connections stay open, and nobody answers on them. */
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
      () => postgres.freeze(),
      () => postgres.thaw(),
    )
    expectGoodConduct('frozen', report)
    await expect(world.worksAsBefore()).resolves.toBeUndefined()
  },
)
