import { describe, expect, it } from 'vitest'
import { networkFromText } from './network.ts'

describe('networkFromText', () => {
  it.each([
    ['192.0.2.0/24', '192.0.2.0', 24],
    ['192.0.2.7', '192.0.2.7', 32],
    ['0.0.0.0/0', '0.0.0.0', 0],
    ['2001:db8::/33', '2001:db8::', 33],
    ['2001:db8::1', '2001:db8::1', 128],
  ])('accepts %s', (text, address, prefixBits) => {
    expect(networkFromText(text)).toEqual({ address, prefixBits })
  })

  it.each(['', 'x', '192.0.2.0/33', '192.0.2.0/', '::/129', '192.0.2.0/8/8', 'fe80::1%eth0', '/8'])(
    'refuses %j',
    (text) => {
      expect(networkFromText(text)).toBeUndefined()
    },
  )
})
