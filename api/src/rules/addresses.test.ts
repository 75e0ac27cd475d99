import { describe, expect, test } from 'vitest'
import { type AddressPolicy, parseAddress, requireFamily } from './addresses.ts'
import { Refusal } from './errors.ts'

function refusal(text: string, policy: AddressPolicy): Refusal {
  try {
    throw new TypeError(`${text} became ${parseAddress(text, policy, 'record_ip').text}`)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

describe('addresses and their canonical form', () => {
  test.each([
    ['8.8.8.8', 4, '8.8.8.8'],
    ['1.0.0.1', 4, '1.0.0.1'],
    ['2001:4860:4860::8888', 6, '2001:4860:4860::8888'],
    // RFC 5952 §4: lower case, no leading zeros, the longest run of zeros, never a single one.
    ['2A00:1450:4001:0809:0:0:0:200E', 6, '2a00:1450:4001:809::200e'],
    ['2a00:0:0:1:0:0:0:1', 6, '2a00:0:0:1::1'],
    ['2a00:1:0:1:1:1:1:1', 6, '2a00:1:0:1:1:1:1:1'],
    ['2a00:1::1:1:1:1:1', 6, '2a00:1:0:1:1:1:1:1'],
    ['2a00:1:2:3:4:5:198.41.0.4', 6, '2a00:1:2:3:4:5:c629:4'],
  ] as const)('%s', (text, family, canonical) => {
    expect(parseAddress(text, 'public', 'record_ip')).toEqual({ family, text: canonical })
  })
})

describe('texts that are not addresses in the usual form', () => {
  test.each([
    '',
    ' ',
    'home',
    '1.2.3',
    '1.2.3.4.5',
    '127.1',
    '1.2.3.256',
    '1.2.3.-4',
    '01.2.3.4',
    '1.2.3.04',
    '0x7f.0.0.1',
    '0x7f000001',
    '2130706433',
    '1.2.3.4 ',
    ' 1.2.3.4',
    '1.2.3.4\n',
    '1.2.3.4\0',
    '1.2.3.4/32',
    '1.2.3.4:80',
    '1,2,3,4',
    '1.2.3.4,5.6.7.8',
    '١.٢.٣.٤',
    '1.2.3.4%eth0',
    ':',
    ':::',
    '::1::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1::2:3:4:5:6:7:8',
    '::12345',
    '::g',
    '[::1]',
    '[2a00::1]:80',
    'fe80::1%eth0',
    '2a00::1/64',
    '2a00::1 ',
    '::01.2.3.4',
    '::1.2.3',
    '::ffff:1.2.3.256',
    'a'.repeat(10_000),
  ])('%j', (text) => {
    const error = refusal(text, 'any')
    expect(error.code).toBe('validation-failed')
    expect(error.message).toMatch(/^record_ip: .* is not an IP address\. Expected /)
    expect(error.message.length).toBeLessThan(400)
  })
})

describe('every policy refuses addresses that cannot belong to one host', () => {
  test.each([
    ['0.0.0.0', /the unspecified address/],
    ['0.1.2.3', /the unspecified address/],
    ['::', /the unspecified address/],
    ['0:0:0:0:0:0:0:0', /the unspecified address/],
    ['224.0.0.1', /a multicast address/],
    ['239.255.255.255', /a multicast address/],
    ['ff02::1', /a multicast address/],
    ['255.255.255.255', /the broadcast address/],
    ['::ffff:8.8.8.8', /IPv4-mapped/],
    ['::FFFF:808:808', /IPv4-mapped/],
    ['::8.8.8.8', /IPv4-compatible/],
  ])('%s', (text, words) => {
    for (const policy of ['any', 'public'] as const) {
      const error = refusal(text, policy)
      expect(error.code).toBe('address-not-allowed')
      expect(error.message).toMatch(words)
      expect(error.faults[0]?.field).toBe('record_ip')
    }
  })
})

describe('any unicast address, or only public ones', () => {
  test.each([
    '127.0.0.1',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.0.1',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '198.18.0.1',
    '192.0.0.1',
    '192.88.99.1',
    '240.0.0.1',
    '::1',
    'fe80::1',
    'fec0::1',
    'fc00::1',
    'fd12:3456::1',
    '2001:db8::1',
    '3fff::1',
    '2001:2::1',
    '2001::1',
    '2002:c000:204::1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '5f00::1',
    '4000::1',
  ])('%s is allowed under any, refused under public', (text) => {
    expect(parseAddress(text, 'any', 'record_ip').text).toBe(text)
    expect(refusal(text, 'public').code).toBe('address-not-allowed')
  })

  test.each([
    '1.1.1.1',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.1',
    '192.0.0.9',
    '223.255.255.255',
    '2001:4:112::1',
    '2001:20::1',
    '2001:200::1',
    '2620:4f:8000::1',
    '2a02:8109::1',
  ])('%s is public', (text) => {
    expect(parseAddress(text, 'public', 'record_ip').text).toBe(text)
  })
})

test('an address of the other family is refused, and the message has both families', () => {
  const address = parseAddress('8.8.8.8', 'any', 'record_ip')
  expect(() => requireFamily(address, 4, 'record_ip')).not.toThrow()
  expect(() => requireFamily(address, 6, 'record_ip')).toThrow(
    'record_ip: 8.8.8.8 is an IPv4 address. Expected an IPv6 address (type AAAA).',
  )
})
