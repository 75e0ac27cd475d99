import { expect, test } from 'vitest'
import { ACTIVE, check, ownZone, RIGHT } from '../../test/record-fixtures.ts'
import { untilRight } from './delegation-wait.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import type { OwnZone } from './own-zones.ts'

const PENDING = ownZone()
const LIMITED = new CommandFailure(EXIT.limit, 'Too many requests.', {
  detail: 'Too many requests.',
  code: 'rate-limited',
})

/** A service that answers with these zones, the last of them again and again. Time passes only while the command waits. */
function service(zones: readonly OwnZone[], { checks = Infinity, until = Infinity } = {}) {
  const calls: string[] = []
  const told: string[] = []
  let now = 0
  const answer = (call: string): OwnZone => {
    calls.push(call)
    return zones[Math.min(calls.length, zones.length) - 1] ?? PENDING
  }
  const result = untilRight({
    check: async () => {
      if (calls.filter((call) => call === 'check').length >= checks) throw LIMITED
      return answer('check')
    },
    read: async () => answer('read'),
    tell: (line) => told.push(line),
    until,
    now: () => now,
    pause: async (milliseconds) => {
      now += milliseconds
    },
  })
  return { result, calls, told, elapsed: () => now }
}

test('a delegation that is right ends it at once', async () => {
  const { result, calls, told } = service([ACTIVE])
  await expect(result).resolves.toBe(ACTIVE)
  expect([calls, told]).toEqual([['check'], []])
})

test('it reads until the service has found the delegation right, and tells what changed', async () => {
  const proved = ownZone({ last_check: RIGHT })
  const { result, calls, told } = service([PENDING, PENDING, proved, ACTIVE])
  await expect(result).resolves.toBe(ACTIVE)
  expect(calls).toEqual(['check', 'read', 'read', 'read'])
  expect(told).toEqual(['1 of 2 facts are right.', 'names: wrong → right'])
})

test('it asks for a check of its own every third minute, as often as the account may', async () => {
  const many = service([...Array.from({ length: 40 }, () => PENDING), ACTIVE])
  await many.result
  expect(many.calls.flatMap((call, at) => (call === 'check' ? [at] : []))).toEqual([0, 18, 36])
  const limited = service([...Array.from({ length: 40 }, () => PENDING), ACTIVE], { checks: 1 })
  await limited.result
  expect(limited.calls.filter((call) => call === 'check')).toHaveLength(1)
})

test('it ends when the time is over', async () => {
  const { result, elapsed } = service([PENDING], { until: 25_000 })
  await expect(result).resolves.toMatchObject({ state: 'pending' })
  expect(elapsed()).toBe(25_000)
})

test.each([
  ['lost', 'Another account has proved that it owns example.com.'],
  ['expired', 'Your claim of example.com has expired.'],
  ['withheld', 'your plan does not include own zones'],
] as const)('a claim that is %s ends it', async (state, message) => {
  const { result } = service([PENDING, ownZone({ state, last_check: check() })])
  await expect(result).rejects.toThrow(message)
})
