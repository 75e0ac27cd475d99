import { expect, test } from 'vitest'
import { DAY_MS, nextCheckAt, standingAfter } from './zone-checks.ts'

const NOW = new Date('2026-05-12T08:30:00.000Z')
const HOUR_MS = 3_600_000
const ago = (ms: number) => new Date(NOW.getTime() - ms)
const NEW = { claimedAt: NOW, verifiedAt: null, failedChecks: 0, isBroken: false }

test.each([
  ['the first failure', { failedChecks: 1 }, 60_000],
  ['the second', { failedChecks: 2 }, 120_000],
  ['the ninth', { failedChecks: 9 }, 256 * 60_000],
  ['the tenth', { failedChecks: 10 }, 6 * HOUR_MS],
  ['the hundredth', { failedChecks: 100 }, 6 * HOUR_MS],
  ['a proved zone that is not delegated yet', { failedChecks: 0 }, 60_000],
  ['after 30 days', { failedChecks: 3, claimedAt: ago(30 * DAY_MS) }, DAY_MS],
  ['a right delegation', { verifiedAt: ago(DAY_MS) }, DAY_MS],
  ['a right delegation, one failure', { verifiedAt: ago(DAY_MS), failedChecks: 1 }, DAY_MS],
  ['a broken delegation', { isBroken: true, failedChecks: 2 }, DAY_MS],
])('%s', (_, fields, waitMs) => {
  expect(nextCheckAt({ ...NEW, ...fields }, NOW)).toEqual(new Date(NOW.getTime() + waitMs))
})

const RIGHT = { isRight: true, isActive: true }
const WRONG = { isRight: false, isActive: true }
const before = { verifiedAt: null, failedChecks: 3, notified: null }
const green = { verifiedAt: ago(DAY_MS), failedChecks: 0, notified: 'verified' as const }

test.each([
  ['turns green', before, RIGHT, { verifiedAt: NOW, failedChecks: 0, mail: 'verified' }],
  ['stays green', green, RIGHT, { verifiedAt: green.verifiedAt, mail: undefined }],
  [
    'is not green without proof',
    before,
    { ...RIGHT, isActive: false },
    { verifiedAt: null, mail: undefined },
  ],
  ['stays wrong', before, WRONG, { verifiedAt: null, failedChecks: 4, mail: undefined }],
  ['fails once', green, WRONG, { verifiedAt: green.verifiedAt, failedChecks: 1, mail: undefined }],
  [
    'breaks',
    { ...green, failedChecks: 1 },
    WRONG,
    { verifiedAt: null, notified: 'broken', mail: 'broken' },
  ],
  [
    'stays broken',
    { verifiedAt: null, failedChecks: 2, notified: 'broken' as const },
    WRONG,
    { notified: 'broken', mail: undefined },
  ],
  [
    'is repaired',
    { verifiedAt: null, failedChecks: 2, notified: 'broken' as const },
    RIGHT,
    { verifiedAt: NOW, notified: 'verified', mail: 'verified' },
  ],
])('%s', (_, state, found, after) => {
  expect(standingAfter(state, found, NOW)).toMatchObject(after)
})
