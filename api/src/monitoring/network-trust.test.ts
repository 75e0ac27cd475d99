import { expect, test } from 'vitest'
import { NetworkTrust } from './network-trust.ts'

const NEVER = { haveAnsweredSince: () => false }

/** Twenty monitors of five accounts are checked each second. @returns what the worker decides each time */
function live(trust: NetworkTrust, fromSecond: number, seconds: number, isUp: boolean): boolean[] {
  return Array.from({ length: seconds }, (_, second) => {
    const atMs = (fromSecond + second) * 1_000
    for (let n = 0; n < 20; n += 1) {
      const isNewFailure = !isUp && second === 0
      trust.see({ monitorId: String(n), userId: String(n % 5), atMs, isUp, isNewFailure })
    }
    trust.decide(atMs)
    return trust.isBlind
  })
}

test('it is blind until more than half of ten seconds succeed, not because of earlier successes', () => {
  const trust = new NetworkTrust(NEVER)
  expect(live(trust, 0, 60, true)).not.toContain(true)
  expect(live(trust, 60, 100, false)).not.toContain(false)
  const after = live(trust, 160, 20, true)
  expect(after.indexOf(false)).toBeGreaterThanOrEqual(4)
  expect(after.at(-1)).toBe(false)
})

test('it says once that it has become blind', () => {
  const trust = new NetworkTrust(NEVER)
  for (let n = 0; n < 20; n += 1) {
    const userId = String(n % 5)
    trust.see({ monitorId: String(n), userId, atMs: 1_000, isUp: false, isNewFailure: true })
  }
  expect([trust.decide(1_000), trust.decide(1_001)]).toEqual([true, false])
})

test('references that answer a minute later show that the targets have failed', () => {
  const askedFor: number[] = []
  const trust = new NetworkTrust({
    haveAnsweredSince(ms) {
      askedFor.push(ms)
      return true
    },
  })
  const blind = live(trust, 0, 70, false)
  expect(blind.indexOf(false)).toBe(60)
  expect(askedFor[0]).toBe(60_000)
})
