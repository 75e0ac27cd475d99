import { expect, test } from 'vitest'
import { countedNetworks, NEIGHBOURHOOD, networkOf } from './networks.ts'

test.each([
  ['198.51.100.7', [['198.51.100.7/32', 1]]],
  ['::ffff:198.51.100.7', [['198.51.100.7/32', 1]]],
  [
    '2001:db8:1:2:3:4:5:6',
    [
      ['2001:db8:1:2::/64', 1],
      ['2001:db8:1::/48', 8],
    ],
  ],
])('%s is counted for %j', (address, expected) => {
  const counted = countedNetworks(address).map(({ network, factor }) => [network, factor])
  expect(counted).toEqual(expected)
})

test.each([
  ['198.51.100.7', undefined, '198.51.100.7/32'],
  ['198.51.100.7', NEIGHBOURHOOD, '198.51.100.0/24'],
  ['198.51.100.7', { ipv4: 20, ipv6: 64 }, '198.51.96.0/20'],
  ['::ffff:198.51.100.7', NEIGHBOURHOOD, '198.51.100.0/24'],
  ['2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
  ['2001:db8:1:2:3:4:5:6', NEIGHBOURHOOD, '2001:db8:1::/48'],
  ['::1', undefined, '::/64'],
])('%s with %j is of %s', (address, prefixes, network) => {
  expect(networkOf(address, prefixes)).toBe(network)
})
