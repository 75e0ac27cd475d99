import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isInIpv6Prefix,
  isNetworkAlone,
  parseIpv6Prefix,
  USUAL_PREFIX_BITS,
  withIpv6Prefix,
} from './ipv6-prefix.ts'

const prefix = (text: string) => {
  const found = parseIpv6Prefix(text, USUAL_PREFIX_BITS)
  if (found === undefined) throw new Error(`${text} is not a prefix`)
  return found
}

describe('reading', () => {
  test.each([
    ['2001:db8:1:2::/64', 64, true],
    ['2001:db8:1:2::5/64', 64, false],
    ['2001:db8::/32', 32, true],
    ['2001:db8:1:2::', 64, true],
    ['2001:db8::5/128', 128, false],
    ['2001:db8::/128', 128, false],
    ['2001:db8:8000::/33', 33, true],
    ['2001:db8:8000::/32', 32, false],
  ])('%s', (text, bits, isAlone) => {
    expect(prefix(text).bits).toBe(bits)
    expect(isNetworkAlone(prefix(text))).toBe(isAlone)
  })

  test.each([
    '',
    '/64',
    '2001:db8::/',
    '2001:db8::/0',
    '2001:db8::/129',
    '2001:db8::/064x',
    '2001:db8::/-1',
    '2001:db8::/64/64',
    '192.0.2.0/24',
    '::ffff:192.0.2.0/96x',
    'x::/64',
    '2001:db8::%eth0/64',
    '<ip6lanprefix>',
  ])('%j is not a prefix', (text) => {
    expect(parseIpv6Prefix(text, USUAL_PREFIX_BITS)).toBeUndefined()
  })

  test('a text without a length', () => {
    expect(parseIpv6Prefix('2001:db8::')).toBeUndefined()
  })
})

test.each([
  ['2001:db8:5::/64', '2001:db8:1:2::10', '2001:db8:5::10'],
  ['2001:db8:5:6::99/64', '2001:db8:1:2:a:b:c:d', '2001:db8:5:6:a:b:c:d'],
  ['2001:db8:5::/56', '2001:db8:1:1234::1', '2001:db8:5:34::1'],
  ['2001:db8:ffff::/61', '2001:db8:1:7::1', '2001:db8:ffff:7::1'],
  ['2001:db8:5::7/128', '2001:db8::1', '2001:db8:5::7'],
])('%s moves %s to %s', (to, address, moved) => {
  expect(withIpv6Prefix(prefix(to), address)).toBe(moved)
  expect(isInIpv6Prefix(prefix(to), moved)).toBe(true)
  expect(isInIpv6Prefix(prefix(to), address)).toBe(false)
})

test('an IPv4 address is in no prefix', () => {
  expect(isInIpv6Prefix(prefix('2001:db8::/64'), '192.0.2.1')).toBe(false)
})

test('moving an address to another prefix and back changes nothing', () => {
  const address = fc.ipV6().map((text) => withIpv6Prefix(prefix('2001:db8::/1'), text))
  fc.assert(
    fc.property(address, address, fc.integer({ min: 1, max: 128 }), (from, to, bits) => {
      const moved = withIpv6Prefix(prefix(`${to}/${bits}`), from)
      expect(isInIpv6Prefix(prefix(`${to}/${bits}`), moved)).toBe(true)
      expect(withIpv6Prefix(prefix(`${from}/${bits}`), moved)).toBe(from)
    }),
  )
})
