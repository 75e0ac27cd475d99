/** Waits until a payment in the browser has arrived, which the service learns from the payment provider. */
import { setTimeout as delay } from 'node:timers/promises'
import { hasChosen } from './plan-change.ts'
import type { Choice, Subscription } from './plans.ts'
import { isPassing, pauseMs, type Waiting } from './waiting.ts'

/** After this number of reads, a person has left the page, or pays by a slow method. */
const FAST_READS = 100

interface PlanWaiting extends Waiting {
  readonly choice: Choice
  readonly read: () => Promise<Subscription>
}

/**
 * The subscription when it has the chosen plan; undefined when the time is over.
 *
 * @throws CommandFailure if a call is refused
 */
export async function untilChosen(waiting: PlanWaiting): Promise<Subscription | undefined> {
  const { choice, read, until, now = Date.now, pause = delay } = waiting
  for (let reads = 1; ; reads += 1) {
    try {
      const subscription = await read()
      if (hasChosen(subscription, choice)) return subscription
    } catch (error) {
      if (!isPassing(error)) throw error
    }
    const left = until - now()
    if (left <= 0) return undefined
    await pause(pauseMs(reads, FAST_READS, left))
  }
}
