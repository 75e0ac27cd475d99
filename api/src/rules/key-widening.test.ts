import { describe, expect, test } from 'vitest'
import { EVERYTHING, type KeyScope } from './key-scope.ts'
import { isWidened, type KeyGrant } from './key-widening.ts'

const FOREVER: KeyGrant = { scope: null, expiresAt: null, unusedDays: null }
const scoped = (limits: Partial<KeyScope>): KeyGrant => ({
  ...FOREVER,
  scope: { ...EVERYTHING, ...limits },
})
const at = (year: number) => ({ ...FOREVER, expiresAt: new Date(Date.UTC(year, 0)) })
const unused = (unusedDays: number | null) => ({ ...FOREVER, unusedDays })

describe('domains', () => {
  test.each([
    [['home.example.net'], ['home.example.net'], false],
    [['home.example.net'], ['nas.example.net'], true],
    [['home.example.net', 'nas.example.net'], ['nas.example.net'], false],
    [['home.example.net'], ['home.example.net', 'nas.example.net'], true],
    [['home.example.net'], ['*.home.example.net'], true],
    [['*.example.net'], ['home.example.net'], false],
    [['*.example.net'], ['a.b.example.net'], false],
    [['*.example.net'], ['*.ci.example.net'], false],
    [['*.example.net'], ['ci-*.example.net'], false],
    [['*.example.net'], ['ci-*.sub.example.net'], false],
    [['*.example.net'], ['example.net'], true],
    [['*.example.net'], ['*.badexample.net'], true],
    [['*.ci.example.net'], ['*.example.net'], true],
    [['ci-*.example.net'], ['ci-7.example.net'], false],
    [['ci-*.example.net'], ['ci-7-*.example.net'], false],
    [['ci-*.example.net'], ['ci-*-a.example.net'], false],
    [['ci-*-a.example.net'], ['ci-*.example.net'], true],
    [['ci-*.example.net'], ['c*.example.net'], true],
    [['ci-*.example.net'], ['*.example.net'], true],
    [['ci-*.example.net'], ['*.ci-7.example.net'], true],
    [['ci-*.example.net'], ['ci-*.sub.example.net'], true],
    [['*.a.example.net', '*.b.example.net'], ['x.b.example.net'], false],
  ])('from %j to %j: %s', (before, after, expected) => {
    expect(isWidened(scoped({ domains: before }), scoped({ domains: after }))).toBe(expected)
  })
})

describe('networks', () => {
  test.each([
    [['203.0.113.0/24'], ['203.0.113.0/24'], false],
    [['203.0.113.0/24'], ['203.0.113.7/32'], false],
    [['203.0.113.7/32'], ['203.0.113.0/24'], true],
    [['203.0.113.0/24'], ['198.51.100.0/24'], true],
    [['203.0.113.0/24'], ['2001:db8::/32'], true],
    [['2001:db8::/32'], ['2001:db8:1::/48'], false],
    [['0.0.0.0/0'], ['::/0'], true],
  ])('from %j to %j: %s', (before, after, expected) => {
    expect(isWidened(scoped({ networks: before }), scoped({ networks: after }))).toBe(expected)
  })
})

describe('everything else', () => {
  test.each<[string, KeyGrant, KeyGrant, boolean]>([
    ['no change', FOREVER, FOREVER, false],
    ['a scope of nulls', FOREVER, scoped({}), false],
    ['a first limit', FOREVER, scoped({ actions: ['read'] }), false],
    ['no limit any more', scoped({ actions: ['read'] }), FOREVER, true],
    ['all domains', scoped({ domains: ['a.example.net'] }), scoped({}), true],
    [
      'one action less',
      scoped({ actions: ['read', 'update'] }),
      scoped({ actions: ['read'] }),
      false,
    ],
    [
      'one action more',
      scoped({ actions: ['read'] }),
      scoped({ actions: ['read', 'update'] }),
      true,
    ],
    ['another action', scoped({ actions: ['read'] }), scoped({ actions: ['update'] }), true],
    ['a type more', scoped({ record_types: ['A'] }), scoped({ record_types: ['A', 'AAAA'] }), true],
    ['an earlier end', at(2031), at(2030), false],
    ['a later end', at(2030), at(2031), true],
    ['a first end', FOREVER, at(2030), false],
    ['no end any more', at(2030), FOREVER, true],
    ['fewer days without use', unused(90), unused(30), false],
    ['more days without use', unused(30), unused(90), true],
    ['a limit of days', FOREVER, unused(90), false],
    ['no limit of days any more', unused(90), FOREVER, true],
    [
      'less of one and more of another',
      scoped({ actions: ['read', 'update'], domains: ['a.example.net'] }),
      scoped({ actions: ['read'], domains: ['*.example.net'] }),
      true,
    ],
  ])('%s', (_, before, after, expected) => {
    expect(isWidened(before, after)).toBe(expected)
  })
})
