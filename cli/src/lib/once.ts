/**
 * Calls that change something and must happen once. Each has an idempotency key, so that it can be repeated when its
 * response was lost: the service then repeats the response and changes nothing more.
 */
import { IDEMPOTENCY_KEY_HEADER } from '@homing/openapi/vocabulary'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Answer } from './api.ts'
import { CommandFailure } from './failure.ts'
import { retrySeconds } from './text.ts'

const ATTEMPTS = 4
/** Pause after a lost connection. */
const PAUSE_MS = 250
/** A longer wait is left to the user. */
const WAIT_LIMIT_SECONDS = 5

const isLost = (error: unknown) => error instanceof CommandFailure && error.isAnswerLost

/** Milliseconds until the call can be repeated; undefined when it has its final response. */
function pauseAfter({ response, error }: Answer<unknown>): number | undefined {
  const code = (error as { readonly code?: string } | undefined)?.code
  if (code !== 'request-in-progress') return undefined
  const seconds = retrySeconds(response.headers.get('retry-after'), Date.now()) ?? 1
  return seconds <= WAIT_LIMIT_SECONDS ? seconds * 1_000 : undefined
}

/**
 * Sends a call with an idempotency key, and repeats it when the connection is lost or the first attempt is still in
 * progress.
 *
 * @param send makes the call with these headers
 * @throws CommandFailure when the connection is lost again and again
 */
export async function sendOnce<A extends Answer<unknown>>(
  send: (headers: Readonly<Record<string, string>>) => Promise<A>,
): Promise<A> {
  const headers = { [IDEMPOTENCY_KEY_HEADER]: randomUUID() }
  for (let left = ATTEMPTS - 1; ; left -= 1) {
    try {
      const answer = await send(headers)
      const pauseMs = left > 0 ? pauseAfter(answer) : undefined
      if (pauseMs === undefined) return answer
      await delay(pauseMs)
    } catch (error) {
      if (left === 0 || !isLost(error)) throw error
      await delay(PAUSE_MS)
    }
  }
}
