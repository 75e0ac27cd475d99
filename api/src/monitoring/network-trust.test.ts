import { beforeEach, expect, test } from 'vitest'
import { NetworkTrust } from './network-trust.ts'

const NEVER = { haveAnsweredSince: () => false }

const warnings: unknown[] = []
const log = { warn: (...what: unknown[]) => void warnings.push(what.at(-1)) }
beforeEach(() => void warnings.splice(0))

/** Twenty monitors of five accounts are checked each second. @returns what the worker decides each time */
function live(trust: NetworkTrust, fromSecond: number, seconds: number, isUp: boolean): boolean[] {
  return Array.from({ length: seconds }, (_, second) => {
    const atMs = (fromSecond + second) * 1_000
    for (let n = 0; n < 20; n += 1) {
      const wasUp = isUp || second === 0
      const isNewFailure = !isUp && wasUp
      trust.see({ monitorId: String(n), userId: String(n % 5), atMs, isUp, wasUp, isNewFailure })
    }
    trust.decide(atMs)
    return trust.isBlind
  })
}

test('it is blind until more than half of ten seconds succeed, not because of earlier successes', () => {
  const trust = new NetworkTrust(NEVER, log)
  expect(live(trust, 0, 60, true)).not.toContain(true)
  expect(live(trust, 60, 100, false)).not.toContain(false)
  const after = live(trust, 160, 20, true)
  expect(after.indexOf(false)).toBeGreaterThanOrEqual(4)
  expect(after.at(-1)).toBe(false)
})

test('it doubts failures of checks that began before its network returned, however late they end', () => {
  const trust = new NetworkTrust(NEVER, log)
  expect(trust.doubts(0)).toBe(false)
  live(trust, 0, 60, true)
  live(trust, 60, 100, false)
  expect(trust.doubts(159_000)).toBe(true)
  const returnedAtMs = (160 + live(trust, 160, 20, true).indexOf(false)) * 1_000
  expect([trust.doubts(returnedAtMs - 1), trust.doubts(returnedAtMs)]).toEqual([true, false])
})

test('it says once that it has become blind', () => {
  const trust = new NetworkTrust(NEVER, log)
  for (let n = 0; n < 20; n += 1) {
    const userId = String(n % 5)
    const failure = { isUp: false, wasUp: true, isNewFailure: true }
    trust.see({ monitorId: String(n), userId, atMs: 1_000, ...failure })
  }
  expect([trust.decide(1_000), trust.decide(1_001)]).toEqual([true, false])
})

test('references that answer a minute later show that the targets have failed', () => {
  const askedFor: number[] = []
  const trust = new NetworkTrust(
    {
      haveAnsweredSince(ms) {
        askedFor.push(ms)
        return true
      },
    },
    log,
  )
  const blind = live(trust, 0, 70, false)
  expect(blind.indexOf(false)).toBe(60)
  expect(askedFor[0]).toBe(60_000)
})

test('after ten minutes, successes of three accounts are enough', () => {
  const trust = new NetworkTrust(NEVER, log)
  // 25 monitors of five accounts fail for hours; 15 others succeed.
  const blind = Array.from({ length: 660 }, (_, second) => {
    const atMs = second * 1_000
    for (let n = 0; n < 40; n += 1) {
      const isUp = n >= 25
      const wasUp = isUp || second === 0
      const isNewFailure = !isUp && wasUp
      trust.see({ monitorId: String(n), userId: String(n % 5), atMs, isUp, wasUp, isNewFailure })
    }
    trust.decide(atMs)
    return trust.isBlind
  })
  expect([blind.indexOf(true), blind.lastIndexOf(true)]).toEqual([0, 599])
  expect(warnings).toEqual([
    'many monitors fail at once: failed checks count as unknown',
    'failed checks count again',
  ])
})
