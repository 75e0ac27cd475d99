import { expect, test } from 'vitest'
import { barOf } from './uptime-bar.ts'

const part = (
  up_seconds: number,
  down_seconds = 0,
  unknown_seconds = 0,
  maintenance_seconds = 0,
) => ({
  from: '',
  to: '',
  up_seconds,
  down_seconds,
  unknown_seconds,
  maintenance_seconds,
  uptime: null,
  checks: 0,
  failures: 0,
  latency_ms: null,
})

test('each state has its own character, and a second of downtime shows', () => {
  const parts = [
    part(0),
    part(0, 0, 0, 60),
    part(0, 0, 60),
    part(59, 0, 1),
    part(59, 1),
    part(0, 60),
  ]
  expect(barOf(parts, 1)).toBe('·m?█▄x')
})

test('the newest parts are together in the last character', () => {
  expect(barOf([part(0), part(60), part(0, 60)], 2)).toBe('·▄')
})
