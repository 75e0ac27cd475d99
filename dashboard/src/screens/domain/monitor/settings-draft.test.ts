import { describe, expect, test } from 'vitest'
import { exampleOf } from '../../../../test/mock.ts'
import { changeOf, draftOf, faultOf, fieldsOf, intervalsOf } from './settings-draft.ts'

const monitor = exampleOf('getMonitor')
const draft = draftOf(monitor)

describe('the change', () => {
  test('has only what differs', () => {
    expect(changeOf(draft, monitor)).toEqual({})
    expect(
      changeOf(
        { ...draft, port: ' 8443 ', body_text: 'ok ', certificate_warning_days: '' },
        monitor,
      ),
    ).toEqual({ port: 8443, body_text: 'ok ', certificate_warning_days: null })
  })

  test('has only fields of the kind', () => {
    const typed = { ...draft, path: '/health', heartbeat_period_seconds: '600' }
    expect(changeOf({ ...typed, kind: 'tcp' }, monitor)).toEqual({ kind: 'tcp' })
    expect(changeOf({ ...typed, kind: 'heartbeat' }, monitor)).toEqual({
      kind: 'heartbeat',
      heartbeat_period_seconds: 600,
    })
  })
})

test('a monitor that found nothing asks for its kind first', () => {
  expect(fieldsOf({ kind: null })).toEqual([])
})

test.each([
  ['port', '', undefined],
  ['port', '0', 'Enter a number from 1 to 65535.'],
  ['port', '22.5', 'Enter a number from 1 to 65535.'],
  ['certificate_warning_days', '61', 'Enter a number from 1 to 60.'],
  ['heartbeat_period_seconds', '', 'Enter a number from 30 to 604800.'],
  ['heartbeat_grace_seconds', '0', undefined],
  ['path', 'health', 'A path begins with a slash, such as /health.'],
  ['expected_status', ' ', 'Enter statuses such as 200-399 or 200,401.'],
] as const)('%s %j: %s', (field, text, fault) => {
  expect(faultOf({ ...draft, [field]: text }, field)).toBe(fault)
})

test('intervals begin with the shortest of the plan, and have the present one', () => {
  expect(intervalsOf(60, 60).slice(0, 2)).toEqual([60, 120])
  expect(intervalsOf(45, 30).slice(0, 3)).toEqual([30, 45, 60])
  expect(intervalsOf(60, 1).slice(0, 2)).toEqual([1, 30])
})
