import { describe, expect, test } from 'vitest'
import { faultsOf, type KeyScope, scopeHolds } from './key-scope.ts'

const EVERYTHING: KeyScope = { domains: null, actions: null, record_types: null, networks: null }
const END = new Date('2030-01-01T00:00:00Z')

describe('names', () => {
  test.each([
    ['home.example.net', 'home.example.net', true],
    ['home.example.net', 'nas.home.example.net', false],
    ['home.example.net', 'xhome.example.net', false],
    // A wildcard belongs to its base.
    ['home.example.net', '*.home.example.net', true],
    ['home.example.net', '*.nas.home.example.net', false],
    ['*.example.net', 'home.example.net', true],
    ['*.example.net', 'a.b.c.example.net', true],
    ['*.example.net', '*.home.example.net', true],
    ['*.example.net', 'example.net', false],
    ['*.example.net', 'badexample.net', false],
    ['*.home.example.net', '*.home.example.net', true],
    ['*.home.example.net', 'home.example.net', false],
    ['ci-*.example.net', 'ci-7.example.net', true],
    ['ci-*.example.net', '*.ci-7.example.net', true],
    ['ci-*.example.net', 'ci-.example.net', true],
    ['ci-*.example.net', 'ci.example.net', false],
    ['ci-*.example.net', 'ci-7.sub.example.net', false],
    ['ci-*.example.net', 'ci-7.example.net.evil.example', false],
    ['*-ci.example.net', 'a-ci.example.net', true],
    ['*-ci.example.net', 'b.a-ci.example.net', false],
    ['a*a.example.net', 'a.example.net', false],
    ['a*a.example.net', 'aa.example.net', true],
  ])('%s and %s: %s', (pattern, fqdn, expected) => {
    expect(scopeHolds({ ...EVERYTHING, domains: [pattern] }, fqdn)).toBe(expected)
  })

  test('one matching value is sufficient, and an absent limit requires none', () => {
    const domains = ['nas.example.net', '*.ci.example.net']
    expect(scopeHolds({ ...EVERYTHING, domains }, 'x.ci.example.net')).toBe(true)
    expect(scopeHolds(EVERYTHING, 'x.example.org')).toBe(true)
  })
})

describe('uses', () => {
  const scope: KeyScope = {
    domains: ['home.example.net'],
    actions: ['read', 'update'],
    record_types: ['A'],
    networks: ['203.0.113.0/24', '2001:db8::/32'],
  }
  const limits = { scope, endsAt: END }

  test.each([
    [{}, []],
    [{ action: 'update' }, []],
    [{ action: 'delete' }, ['action']],
    [{ ip: '203.0.113.255' }, []],
    [{ ip: '::ffff:203.0.113.1' }, []],
    [{ ip: '203.0.114.0' }, ['network']],
    [{ ip: '2001:db8:ffff::1' }, []],
    [{ ip: '2001:db9::1' }, ['network']],
    [{ fqdn: 'home.example.net', recordTypes: ['A'] }, []],
    [{ recordTypes: ['A', 'AAAA'] }, ['record-type']],
    [{ recordTypes: [] }, []],
    [{ at: new Date(END.getTime() - 1) }, []],
    [{ at: END }, ['expired']],
    [
      { at: END, action: 'create', ip: '192.0.2.1', fqdn: 'x.net', recordTypes: ['AAAA'] },
      ['expired', 'action', 'network', 'domain', 'record-type'],
    ],
  ] as const)('%j: %j', (use, faults) => {
    expect(faultsOf(limits, use)).toEqual(faults)
  })

  test('without limits every use is allowed', () => {
    const use = { action: 'delete', ip: '192.0.2.1', fqdn: 'x.net', at: END } as const
    expect(faultsOf({ scope: null, endsAt: null }, use)).toEqual([])
    expect(faultsOf({ scope: EVERYTHING, endsAt: null }, use)).toEqual([])
  })
})
