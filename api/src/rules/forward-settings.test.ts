/** What a call says about a web forward, and what is stored. */
import { describe, expect, test } from 'vitest'
import { attempt, Refusal } from './errors.ts'
import {
  fallbackAfterCheck,
  type ForwardOptions,
  optionsAfter,
  requireFlag,
  usesStealthFlag,
} from './forward-settings.ts'

const stealth: ForwardOptions = {
  forwarding_type: 'stealth',
  status_code: 307,
  title: 'Shop',
  description: null,
  keywords: 'a, b',
  forward_path: false,
  forward_query: true,
  is_active: false,
}

describe('settings', () => {
  test('have defaults', () => {
    expect(optionsAfter({})).toEqual({
      forwarding_type: 'redirect',
      status_code: 301,
      title: null,
      description: null,
      keywords: null,
      forward_path: true,
      forward_query: true,
      is_active: true,
    })
  })

  test('that a call does not give stay as they are', () => {
    expect(optionsAfter({}, stealth)).toEqual(stealth)
    expect(optionsAfter({ title: null, is_active: true }, stealth)).toEqual({
      ...stealth,
      title: null,
      is_active: true,
    })
  })

  test('of a redirect have no texts, although forms send them', () => {
    const texts = { title: 'Shop', description: 'x', keywords: '' }
    expect(optionsAfter(texts)).toMatchObject({ title: null, description: null, keywords: null })
    expect(optionsAfter({ forwarding_type: 'redirect' }, stealth)).toMatchObject({
      title: null,
      keywords: null,
    })
  })

  test('keep texts on one line, and empty ones as null', () => {
    const given = { forwarding_type: 'stealth', title: '  <b>Ä</b> ', description: ' ' } as const
    expect(optionsAfter(given)).toMatchObject({ title: '<b>Ä</b>', description: null })
    const broken = attempt(() => optionsAfter({ forwarding_type: 'stealth', title: 'a\nb' }))
    expect(broken).toMatchObject({ code: 'validation-failed', faults: [{ field: 'title' }] })
  })
})

describe('stealth flags', () => {
  test.each([
    ['stealth', null, true],
    ['stealth', 'frames-refused', false],
    ['stealth', 'plan', false],
    ['redirect', null, false],
  ] as const)('%s with the fallback %s uses one: %s', (forwarding_type, fallback, uses) => {
    expect(usesStealthFlag({ forwarding_type, fallback })).toBe(uses)
  })

  test('the last one can be used, and then no other', () => {
    const forward = { forwarding_type: 'stealth', fallback: null } as const
    expect(() => requireFlag(forward, { limit: 10, usedByOthers: 9 })).not.toThrow()
    const refusal = attempt(() => requireFlag(forward, { limit: 10, usedByOthers: 10 }))
    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal).toMatchObject({
      code: 'stealth-limit',
      message:
        'Your plan includes 10 stealth flags and 10 are in use. Use a redirect, change another stealth forward, or choose a larger plan.',
    })
    const redirect = { ...forward, fallback: 'frames-refused' } as const
    expect(() => requireFlag(redirect, { limit: 0, usedByOthers: 0 })).not.toThrow()
  })

  test.each([
    [null, 'frames-refused', 'frames-refused'],
    ['frames-refused', null, null],
    ['frames-refused', 'mixed-content', 'mixed-content'],
    ['plan', null, 'plan'],
    ['plan', 'frames-refused', 'frames-refused'],
    ['frames-refused', undefined, 'frames-refused'],
    [null, undefined, null],
  ] as const)('after %s, a check that finds %s leaves %s', (former, found, after) => {
    expect(fallbackAfterCheck(former, found)).toBe(after)
  })
})
