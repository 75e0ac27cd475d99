/** Waits until a payment in the browser has arrived, which the service learns from the payment provider. */
import { setTimeout as delay } from 'node:timers/promises'
import { CommandFailure } from './failure.ts'
import { EXIT } from './exit-codes.ts'
import { hasChosen } from './plan-change.ts'
import type { Choice, Subscription } from './plans.ts'

const PAUSE_MS = 3_000
/** After this number of reads, a person has left the page, or pays by a slow method. */
const FAST_READS = 100
const SLOW_PAUSE_MS = 15_000

interface Waiting {
  readonly choice: Choice
  readonly read: () => Promise<Subscription>
  /** When to stop waiting, in milliseconds since the epoch. */
  readonly until: number
  readonly now?: () => number
  readonly pause?: (milliseconds: number) => Promise<unknown>
}

/** The service is away for a moment, or the account has read too often. Both end. */
export const isPassing = (error: unknown) =>
  error instanceof CommandFailure &&
  (error.exitCode === EXIT.network || error.problem.code === 'rate-limited')

/**
 * The subscription when it has the chosen plan; undefined when the time is over.
 *
 * @throws CommandFailure if a call is refused
 */
export async function untilChosen(waiting: Waiting): Promise<Subscription | undefined> {
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
    await pause(Math.min(reads < FAST_READS ? PAUSE_MS : SLOW_PAUSE_MS, left))
  }
}
