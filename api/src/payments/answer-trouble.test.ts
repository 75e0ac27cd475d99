/** What a caller learns of a provider that lets every call wait, and when. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { askProvider, DONE_LATER, NOTHING_DONE, requireConfirmed } from './answer-trouble.ts'

const never = new Promise<never>(() => undefined)

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const errorOf = async (work: Promise<unknown>) => work.catch((error: unknown) => error)

test('a call ends within 30 seconds, and says what was decided until then', async () => {
  let then = NOTHING_DONE
  const early = errorOf(askProvider('stripe', async () => never))
  const late = errorOf(
    askProvider(
      'paypal',
      async () => never,
      () => then,
    ),
  )
  then = DONE_LATER
  vi.advanceTimersByTime(30_000)
  const code = 'provider-unavailable'
  expect(await early).toMatchObject({ code, message: expect.stringContaining(NOTHING_DONE) })
  expect(await late).toMatchObject({ code, message: expect.stringContaining(DONE_LATER) })
})

test('what is left of the time of a call ends it', async () => {
  const answer = errorOf(requireConfirmed('stripe', never, { limitMs: 5_000 }))
  vi.advanceTimersByTime(5_000)
  expect(await answer).toMatchObject({ message: expect.stringContaining(DONE_LATER) })
})
