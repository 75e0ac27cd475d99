import { setTimeout as delay } from 'node:timers/promises'
import { until } from './databases.ts'
import type { Outage } from './outages.ts'
import type { OutageWorld } from './world.ts'

/** How an outage was lived through. */
export interface OutageReport {
  readonly seconds: number
  readonly asked: number
  readonly failed: readonly string[]
  /** How often the serial went back, as those see it who ask. */
  readonly wentBack: number
  /** From the end of the outage until what was published then is answered, and nothing is missing. */
  readonly caughtUpMs: number
  /** The first line of the log that told of it. */
  readonly told: string
}

/**
 * Lets an outage happen and end.
 *
 * @param leastMs how long it lasts; it is not over before the log and the metrics have told of it
 * @throws Error when they do not, or when the daemon does not catch up
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
  await until(`the log tells: ${outage.name}`, () => told() !== undefined)
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
    throw new Error(`the log does not tell what came of it: ${outage.name}`)
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
