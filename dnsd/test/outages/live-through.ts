import { setTimeout as delay } from 'node:timers/promises'
import { until } from './databases.ts'
import type { Outage } from './outages.ts'
import type { OutageWorld } from './world.ts'

/** How dnsd behaved during an outage. */
export interface OutageReport {
  readonly seconds: number
  readonly asked: number
  readonly failed: readonly string[]
  /** How often a client saw the serial decrease. */
  readonly wentBack: number
  /** Time from the end of the outage until everything that was published is served. */
  readonly caughtUpMs: number
  /** The first line of the log that reported it. */
  readonly told: string
}

/**
 * Starts an outage and ends it.
 *
 * @param leastMs the minimum duration; the outage also lasts until the log and the metrics have reported it
 * @throws Error when they do not report it, or when dnsd does not catch up
 */
export async function liveThrough(
  world: OutageWorld,
  outage: Outage,
  leastMs: number,
): Promise<OutageReport> {
  const { load, databases } = world
  await world.catchUp()
  load.reset()
  databases.startUpdates()
  const logAt = world.log.length
  const beganMs = performance.now()
  await outage.begin(world)
  const told = () => messagesOf(world.log.slice(logAt)).find((message) => outage.told.test(message))
  await until(`the log reports: ${outage.name}`, () => told() !== undefined)
  await outage.shown(world)
  await delay(Math.max(0, leastMs - (performance.now() - beganMs)))
  await outage.end(world)
  const endedMs = performance.now()
  const caughtUpMs = await world.catchUp()
  await databases.stopUpdates()
  await load.pause()
  const { asked, failed, wentBack } = load.counts
  load.resume()
  const after = outage.toldAfterwards
  if (after !== undefined && !after.test(world.log.slice(logAt))) {
    throw new Error(`the log does not report the end: ${outage.name}`)
  }
  const seconds = (endedMs - beganMs) / 1_000
  return { seconds, asked, failed, wentBack, caughtUpMs, told: told() ?? '' }
}

function messagesOf(lines: string): string[] {
  return lines.split('\n').flatMap((line) => {
    try {
      return [String((JSON.parse(line) as { msg?: unknown }).msg)]
    } catch {
      return []
    }
  })
}
