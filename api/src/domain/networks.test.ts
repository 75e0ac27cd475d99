import { expect, test } from 'vitest'
import { networkOf } from './networks.ts'

test.each([
  ['198.51.100.7', undefined, '198.51.100.7/32'],
  ['198.51.100.7', 24, '198.51.100.0/24'],
  ['198.51.100.7', 20, '198.51.96.0/20'],
  ['::ffff:198.51.100.7', 24, '198.51.100.0/24'],
  ['2001:db8:1:2:3:4:5:6', 24, '2001:db8:1:2::/64'],
  ['::1', undefined, '::/64'],
])('%s with /%s is of %s', (address, prefix, network) => {
  expect(networkOf(address, prefix)).toBe(network)
})
