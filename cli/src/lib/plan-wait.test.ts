import { expect, test } from 'vitest'
import { noSubscription, subscription } from '../../test/plan-fixtures.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { untilChosen } from './plan-wait.ts'
import type { Subscription } from './plans.ts'

const ELITE = { plan: 'elite', billing: 'annual' } as const
const ARRIVED = subscription({ plan: 'elite', interval: 'annual' })
const AWAY = new CommandFailure(EXIT.network, 'Away.')
const LIMITED = new CommandFailure(EXIT.limit, 'Too many.', {
  detail: 'Too many.',
  code: 'rate-limited',
})
const REFUSED = new CommandFailure(EXIT.auth, 'No.')

/** A service that answers with these one after another, the last of them again and again. */
function service(answers: readonly (Subscription | Error)[], until = Number.POSITIVE_INFINITY) {
  const pauses: number[] = []
  let reads = 0
  const elapsed = () => pauses.reduce((sum, pause) => sum + pause, 0)
  const result = untilChosen({
    choice: ELITE,
    read: async () => {
      const answer = answers[Math.min(reads, answers.length - 1)]
      reads += 1
      if (answer instanceof Error || answer === undefined) throw answer
      return answer
    },
    until,
    now: elapsed,
    pause: async (milliseconds) => {
      pauses.push(milliseconds)
    },
  })
  return { result, pauses, elapsed }
}

test.each([
  ['a payment that arrived', ARRIVED],
  [
    'a change that is set for the next period',
    subscription({ pendingChange: { ...ELITE, at: '2026-06-12T08:30:00.000Z' } }),
  ],
])('%s ends it at once', async (_name, arrived) => {
  const { result, pauses } = service([arrived])
  await expect(result).resolves.toBe(arrived)
  expect(pauses).toEqual([])
})

test.each([
  ['no subscription', noSubscription()],
  ['an incomplete payment', subscription({ ...ARRIVED, status: 'incomplete' })],
  ['another plan', subscription()],
  ['another cycle', subscription({ plan: 'elite' })],
  ['a service that is away', AWAY],
  ['a rate limit', LIMITED],
])('%s does not end it', async (_name, answer) => {
  const { result, pauses } = service([answer, answer, ARRIVED])
  await expect(result).resolves.toBe(ARRIVED)
  expect(pauses).toHaveLength(2)
})

test('a refusal ends it', async () => {
  await expect(service([noSubscription(), REFUSED]).result).rejects.toBe(REFUSED)
})

test('it reads less often later, and ends when the time is over', async () => {
  const { result, pauses, elapsed } = service([noSubscription()], 1_800_000)
  await expect(result).resolves.toBeUndefined()
  expect(elapsed()).toBe(1_800_000)
  expect(Math.max(...pauses)).toBe(15_000)
  expect(pauses.length).toBeLessThan(250)
})
