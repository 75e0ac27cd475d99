import { expect, test } from 'vitest'
import type { UptimePart } from '../../../api/monitors.ts'
import { kindOf, runsOf, whatText, whenText } from './part-words.ts'

const part = (minute: number, changes: Partial<UptimePart> = {}): UptimePart => ({
  from: new Date(Date.UTC(2026, 4, 12, 8, minute)).toISOString(),
  to: new Date(Date.UTC(2026, 4, 12, 8, minute + 5)).toISOString(),
  up_seconds: 0,
  down_seconds: 0,
  unknown_seconds: 0,
  maintenance_seconds: 0,
  uptime: null,
  checks: 5,
  failures: 0,
  latency_ms: null,
  ...changes,
})

test.each([
  [{}, 'none', 'no data'],
  [
    { up_seconds: 299, down_seconds: 1, uptime: 99.66, latency_ms: 38 },
    'down',
    'uptime 99.66%, down for 1 s, mean response 38 ms',
  ],
  [
    { up_seconds: 200, unknown_seconds: 100, uptime: 100 },
    'up',
    'uptime 100.00%, unknown for 1 min 40 s',
  ],
  [{ unknown_seconds: 300 }, 'unknown', 'unknown for 5 min'],
  [
    { maintenance_seconds: 200, unknown_seconds: 100 },
    'maintenance',
    'unknown for 1 min 40 s, in maintenance for 3 min 20 s',
  ],
] as const)('%j is %s: %s', (changes, kind, text) => {
  expect([kindOf(part(0, changes)), whatText(part(0, changes))]).toEqual([kind, text])
})

test('parts that show the same are one line, and each part with time down has its own', () => {
  const up = { up_seconds: 300, uptime: 100 }
  const down = { down_seconds: 300, uptime: 0, failures: 5 }
  const parts = [part(0, up), part(5, up), part(10, down), part(15, down), part(20)]
  const lines = runsOf(parts).map(({ kind, from, to, checks, failures }) => [
    kind,
    `${from.slice(14, 16)}-${to.slice(14, 16)}`,
    checks,
    failures,
  ])
  expect(lines).toEqual([
    ['none', '20-25', 5, 0],
    ['down', '15-20', 5, 5],
    ['down', '10-15', 5, 5],
    ['up', '00-10', 10, 0],
  ])
})

test('days are those of UTC', () => {
  const day = { from: '2026-05-11T00:00:00.000Z', to: '2026-05-12T00:00:00.000Z' }
  expect(whenText(day, '90d')).toBe('11 May 2026')
  expect(whenText({ ...day, to: '2026-05-14T00:00:00.000Z' }, '90d')).toBe(
    '11 May 2026 to 13 May 2026',
  )
})
