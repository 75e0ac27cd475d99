import { describe, expect, it } from 'vitest'
import { networkOf } from './client-network.ts'

describe('networkOf', () => {
  it.each([
    ['192.0.2.1', '192.0.2.254', true],
    ['192.0.2.1', '192.0.3.1', false],
    ['2001:db8:0:1200::1', '2001:db8:0:12ff:ffff::9', true],
    ['2001:db8:0:1200::1', '2001:db8:0:1300::1', false],
    ['fe80::1%eth0', 'fe80::2', true],
    ['::1', '127.0.0.1', false],
  ])('of %s and %s: the same is %s', (one, other, same) => {
    expect(networkOf(one) === networkOf(other)).toBe(same)
  })
})
