import { describe, expect, test } from 'vitest'
import { hasSuccesses, looksOffline, looksOnline, type SeenCheck } from './network-doubt.ts'

const NOW = 1_000_000

/** Checks of `count` monitors, the last of them now, `everyMs` apart. */
function checks(
  count: number,
  { everyMs = 100, accounts = 5, isUp = false, wasDown = false, from = 0 } = {},
): SeenCheck[] {
  return Array.from({ length: count }, (_, n) => ({
    monitorId: String(from + n),
    userId: String(n % accounts),
    atMs: NOW - (count - 1 - n) * everyMs,
    isUp,
    wasUp: !wasDown,
    isNewFailure: !isUp && !wasDown,
  }))
}
const inOrder = (...all: SeenCheck[][]) => all.flat().toSorted((a, b) => a.atMs - b.atMs)

describe('offline', () => {
  test.each([
    ['20 monitors of 5 accounts', checks(20), true],
    ['19 monitors', checks(19), false],
    ['4 accounts', checks(20, { accounts: 4 }), false],
    ['monitors that were down before', checks(20, { wasDown: true }), false],
    [
      'the same monitor again and again',
      checks(40).map((each) => ({ ...each, monitorId: '1' })),
      false,
    ],
    ['over less than a minute', checks(20, { everyMs: 3_150 }), true],
    ['over more than a minute', checks(20, { everyMs: 3_200 }), false],
    ['as many others succeed', inOrder(checks(20), checks(20, { isUp: true, from: 100 })), false],
    ['fewer others succeed', inOrder(checks(20), checks(19, { isUp: true, from: 100 })), true],
    // The minute before the outage was good: shorter times are looked at, too.
    [
      'after many successes',
      [
        ...checks(500, { isUp: true, from: 100 }).map((c) => ({ ...c, atMs: c.atMs - 5_000 })),
        ...checks(20),
      ],
      true,
    ],
  ])('%s: %s', (_what, seen, expected) => {
    expect(looksOffline(seen, NOW)).toBe(expected)
  })

  test('old checks do not count', () => {
    expect(looksOffline(checks(20), NOW + 60_000)).toBe(false)
  })
})

const idsOf = (seen: readonly SeenCheck[]) => new Set(seen.map(({ monitorId }) => monitorId))

test('online again when more than half of the last ten seconds succeed', () => {
  const up = checks(11, { isUp: true })
  const all = idsOf(up)
  expect(looksOnline(inOrder(checks(10), up), NOW, all)).toBe(true)
  expect(looksOnline(inOrder(checks(11), up), NOW, all)).toBe(false)
  expect(looksOnline([], NOW, all)).toBe(false)
  expect(looksOnline(up, NOW + 20_000, all)).toBe(false)
})

test('monitors that were down before the outage do not count', () => {
  const up = checks(30, { isUp: true })
  const longDead = checks(50, { wasDown: true, from: 100 })
  expect(looksOnline(inOrder(longDead, up), NOW, idsOf(up))).toBe(true)
  expect(looksOnline(longDead, NOW, idsOf(up))).toBe(false)
})

test.each([
  [3, 9, true],
  [2, 9, false],
  [2, 2, true],
  [0, 2, false],
])('successes of %i accounts of %i: %s', (succeeding, accounts, expected) => {
  const seen = checks(50, { accounts })
  const some = seen.map((each) => ({ ...each, isUp: Number(each.userId) < succeeding }))
  expect(hasSuccesses(some)).toBe(expected)
})
