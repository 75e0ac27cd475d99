import { describe, expect, test } from 'vitest'
import { Refusal } from './errors.ts'
import {
  affectsChecks,
  defaultSettings,
  type MonitorChange,
  settingsAfter,
} from './monitor-settings.ts'

const FORMER = { ...defaultSettings(60), kind: 'https' } as const
const after = (change: MonitorChange, former = FORMER, min = 60) =>
  settingsAfter(former, change, min)

function faultOf(change: MonitorChange): string | undefined {
  try {
    after(change)
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.faults[0]?.field
  }
}

test.each<[MonitorChange, object]>([
  [{}, FORMER],
  [{ path: '/a b?q=ü' }, { ...FORMER, path: '/a%20b?q=%C3%BC' }],
  [{ path: '//evil.test/' }, { ...FORMER, path: '//evil.test/' }],
  [{ path: '/a/../b' }, { ...FORMER, path: '/b' }],
  [{ expected_status: '200, 401' }, { ...FORMER, expected_status: '200,401' }],
  [
    { kind: 'tcp', port: 22 },
    { ...FORMER, kind: 'tcp', port: 22 },
  ],
  // A form sends every field.
  [
    { ...FORMER, kind: 'tcp' },
    { ...FORMER, kind: 'tcp' },
  ],
  [
    { kind: 'heartbeat', heartbeat_grace_seconds: 0 },
    { ...FORMER, kind: 'heartbeat', heartbeat_grace_seconds: 0 },
  ],
])('%j', (change, settings) => {
  expect(after(change)).toEqual(settings)
})

test.each<[MonitorChange, string]>([
  [{ path: '/a#b' }, 'path'],
  [{ path: String.raw`/\evil.test` }, 'path'],
  [{ path: '/a\nHost: evil.test' }, 'path'],
  [{ path: 'a' }, 'path'],
  [{ expected_status: '2xx' }, 'expected_status'],
  [{ body_text: 'a\nb' }, 'body_text'],
  [{ port: 25 }, 'port'],
  [{ interval_seconds: 59 }, 'interval_seconds'],
  [{ kind: 'tcp', body_text: 'ok' }, 'body_text'],
  [{ kind: 'http', certificate_warning_days: 7 }, 'certificate_warning_days'],
  [{ kind: 'dns', port: 53 }, 'port'],
  [{ heartbeat_source: 'updates' }, 'heartbeat_source'],
])('%j: the fault is in %s', (change, field) => {
  expect(faultOf(change)).toBe(field)
})

describe('the minimum of the plan', () => {
  test('raises an interval that is not part of the change', () => {
    expect(after({ path: '/x' }, FORMER, 90).interval_seconds).toBe(90)
    expect(defaultSettings(90).interval_seconds).toBe(90)
  })
  test('is not the default', () => {
    expect(defaultSettings(30).interval_seconds).toBe(60)
  })
})

test('notifications do not affect checks, everything else does', () => {
  expect(affectsChecks(FORMER, { ...FORMER, notifies_up: false })).toBe(false)
  expect(affectsChecks(FORMER, { ...FORMER, confirmations: 3 })).toBe(true)
})
