import { describe, expect, test } from 'vitest'
import {
  afterGap,
  afterResult,
  type CheckOutcome,
  type CheckRules,
  type MonitorTrack,
  nextDueAt,
} from './monitor-state.ts'

const RULES: CheckRules = { confirmations: 2, recoveries: 1, intervalMs: 60_000 }
const at = (second: number) => second * 1_000
const track = (state: MonitorTrack['state'], more: Partial<MonitorTrack> = {}): MonitorTrack => ({
  state,
  since: 0,
  streak: 0,
  streakSince: null,
  ...more,
})

/** The states after results: `60:down` is a failure in second 60. */
function run(first: MonitorTrack, results: string, rules: Partial<CheckRules> = {}): string {
  let held = first
  const seen: string[] = []
  for (const result of results.split(' ')) {
    const [second, outcome] = result.split(':')
    const given = { outcome: outcome as CheckOutcome, at: at(Number(second)) }
    held = afterResult(held, given, { ...RULES, ...rules })
    seen.push(`${held.state}@${held.since === null ? '-' : held.since / 1_000}`)
  }
  return seen.join(' ')
}

describe('a state is confirmed, and begins at the first result that agrees with it', () => {
  test.each<[string, MonitorTrack, string, Partial<CheckRules>, string]>([
    ['two failures', track('up'), '60:down 70:down', {}, 'up@0 down@60'],
    ['a single failure', track('up'), '60:down 70:up 130:down', {}, 'up@0 up@0 up@0'],
    ['three', track('up'), '60:down 70:down 80:down', { confirmations: 3 }, 'up@0 up@0 down@60'],
    ['one is enough', track('up'), '60:down', { confirmations: 1 }, 'down@60'],
    ['one success', track('down'), '60:up', {}, 'up@60'],
    ['two successes', track('down'), '60:up 70:up', { recoveries: 2 }, 'down@0 up@60'],
    [
      'a single success',
      track('down'),
      '60:up 70:down 80:up',
      { recoveries: 2 },
      'down@0 down@0 down@0',
    ],
    ['pending: success', track('pending', { since: null }), '5:up', { recoveries: 3 }, 'up@5'],
    [
      'pending: failures',
      track('pending', { since: null }),
      '5:down 15:down',
      {},
      'pending@- down@5',
    ],
    [
      'pending: failure, then success',
      track('pending', { since: null }),
      '5:down 15:up',
      {},
      'pending@- up@15',
    ],
    ['unknown: success', track('unknown'), '60:up', { recoveries: 3 }, 'up@60'],
    ['unknown: failures', track('unknown'), '60:down 70:down', {}, 'unknown@0 down@60'],
    ['maintenance: failures', track('maintenance'), '60:down 70:down', {}, 'maintenance@0 down@60'],
  ])('%s', (_, first, results, rules, expected) => {
    expect(run(first, results, rules)).toBe(expected)
  })
})

describe('a failure in a failed network', () => {
  test.each<[string, MonitorTrack, string, string]>([
    ['makes the monitor unknown', track('up'), '60:unknown', 'unknown@60'],
    ['so do the failures before it', track('up'), '60:down 70:unknown', 'up@0 unknown@60'],
    ['a known outage is unknown from then on', track('down'), '60:unknown', 'unknown@60'],
    [
      'a pending monitor stays pending',
      track('pending', { since: null }),
      '60:unknown',
      'pending@-',
    ],
    ['a success ends it', track('up'), '60:unknown 120:up', 'unknown@60 up@120'],
    [
      'a failure after it begins again',
      track('up'),
      '50:down 60:unknown 120:down 130:down',
      'up@0 unknown@50 unknown@50 down@120',
    ],
  ])('%s', (_, first, results, expected) => {
    expect(run(first, results)).toBe(expected)
  })
})

describe('the clock goes back', () => {
  test('a state begins no earlier than the one before it', () => {
    expect(run(track('up', { since: at(3_600) }), '60:down 70:down')).toBe('up@3600 down@3600')
  })

  test('a streak keeps its begin', () => {
    expect(run(track('up'), '3600:down 10:down')).toBe('up@0 down@3600')
  })
})

describe('time until the next check', () => {
  const delay = (state: MonitorTrack['state'], outcome: CheckOutcome, intervalMs = 60_000) =>
    afterResult(track(state), { outcome, at: 1 }, { ...RULES, recoveries: 2, intervalMs })
      .nextDelayMs

  test.each<[string, number | null, number | null]>([
    ['a result that agrees', delay('up', 'up'), null],
    ['a first failure', delay('up', 'down'), 10_000],
    ['a first success', delay('down', 'up'), 10_000],
    ['an interval below 10 s', delay('up', 'down', 2_000), 2_000],
    ['a confirmed state', delay('unknown', 'up'), null],
  ])('%s', (_, found, expected) => expect(found).toBe(expected))

  test.each([
    ['on time', 100, 103, 160],
    ['late by less than an interval', 100, 159, 160],
    ['at the next time', 100, 160, 220],
    ['after an outage: missed checks are not made up for', 100, 3_700, 3_760],
    ['the clock went back by an hour', 3_700, 100, 160],
  ])('%s: the grid stays', (_, dueAt, now, expected) => {
    expect(nextDueAt(at(dueAt), at(now), { nextDelayMs: null, intervalMs: 60_000 })).toBe(
      at(expected),
    )
  })

  test('a confirmation comes after its delay', () => {
    expect(nextDueAt(at(100), at(103), { nextDelayMs: 10_000, intervalMs: 60_000 })).toBe(at(113))
  })
})

describe('a result that comes late', () => {
  const gap = (first: MonitorTrack, lateAt: number) => {
    const { state, since, streak } = afterGap(first, at(100), at(lateAt))
    return { state, since, streak }
  }

  test('by up to 30 s changes nothing', () => {
    expect(gap(track('up', { streak: 1, streakSince: 90 }), 130)).toEqual({
      state: 'up',
      since: 0,
      streak: 1,
    })
  })

  test.each<[string, MonitorTrack, object]>([
    [
      'is unknown since it was expected',
      track('up'),
      { state: 'unknown', since: at(100), streak: 0 },
    ],
    [
      'also for a monitor that is down',
      track('down'),
      { state: 'unknown', since: at(100), streak: 0 },
    ],
    [
      'never before its last state',
      track('up', { since: at(110) }),
      { state: 'unknown', since: at(110), streak: 0 },
    ],
    [
      'a pending monitor stays pending',
      track('pending', { since: null }),
      { state: 'pending', since: null, streak: 0 },
    ],
    [
      'an unknown one stays unknown',
      track('unknown', { streak: 1 }),
      { state: 'unknown', since: 0, streak: 0 },
    ],
  ])('by more %s', (_, first, expected) => {
    expect(gap(first, 131)).toEqual(expected)
  })
})
