/** What commands that wait for the service have in common. */
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'

/** How long a command waits. Tests replace the clock and the pause. */
export interface Waiting {
  /** When to stop, in milliseconds since the epoch. */
  readonly until: number
  readonly now?: () => number
  readonly pause?: (milliseconds: number) => Promise<unknown>
}

const PAUSE_MS = 3_000
const SLOW_PAUSE_MS = 15_000

/**
 * The pause before the next attempt, in milliseconds.
 *
 * @param fastAttempts after so many, what is waited for takes long, and the pauses become longer
 * @param leftMs the time until the command stops waiting
 */
export const pauseMs = (attempts: number, fastAttempts: number, leftMs: number): number =>
  Math.min(attempts < fastAttempts ? PAUSE_MS : SLOW_PAUSE_MS, leftMs)

export const isRateLimited = (error: unknown): boolean =>
  error instanceof CommandFailure && error.problem.code === 'rate-limited'

/** The service is unreachable for a moment, or the account has called too often. Both end. */
export const isPassing = (error: unknown): boolean =>
  isRateLimited(error) || (error instanceof CommandFailure && error.exitCode === EXIT.network)
