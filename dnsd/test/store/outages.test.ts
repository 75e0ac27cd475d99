/*
 * A daemon in a separate process, queried continuously while its database, its disk and its clock fail. The outages are
 * in `../outages`, whose script runs them for longer and prints the results.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { needs } from '../../../test/outside-tool.ts'
import { liveThrough } from '../outages/live-through.ts'
import { OUTAGES } from '../outages/outages.ts'
import { OutageWorld } from '../outages/world.ts'

const PER_SECOND = 200

let world: OutageWorld

beforeAll(async () => {
  world = await OutageWorld.open({ perSecond: PER_SECOND, durable: false })
  await world.databases.clone('standby', 'older')
})
afterAll(() => world?.close())

for (const outage of OUTAGES.filter(({ testedIn }) => testedIn === undefined)) {
  it(`survives: ${outage.name}`, needs(...(outage.needs ?? [])), async () => {
    const { asked, failed, wentBack } = await liveThrough(world, outage, 0)
    expect(failed).toEqual([])
    // Only a reset of the database itself may decrease the serial.
    expect(outage.goesBack === true ? 0 : wentBack).toBe(0)
    expect(asked).toBeGreaterThan(0)
  })
}
