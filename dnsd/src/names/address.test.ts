import * as fc from 'fast-check'
import { isIPv4, isIPv6 } from 'node:net'
import { describe, expect, test } from 'vitest'
import {
  AddressError,
  ipv4FromText,
  ipv4ToText,
  ipv6FromText,
  ipv6ToText,
  isIpv4Mapped,
} from './index.ts'
import { allowing } from './test-support.ts'

describe('IPv4 addresses: four decimal parts and nothing else', () => {
  test.each(['0.0.0.0', '192.0.2.1', '255.255.255.255', '10.20.100.9'])('%s', (text) => {
    expect(ipv4ToText(ipv4FromText(text))).toBe(text)
    expect([...ipv4FromText(text)]).toEqual(text.split('.').map(Number))
  })

  test.each([
    '',
    '1',
    '127.1',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.4.',
    '.1.2.3.4',
    '1..2.3',
    '1.2.3.256',
    '1.2.3.1000',
    '1.2.3.0004',
    '01.2.3.4',
    '1.2.3.04',
    '00.0.0.0',
    '0x7f.0.0.1',
    '0x7f000001',
    '2130706433',
    '1.2.3.-4',
    '1.2.3.+4',
    '1.2.3.4 ',
    ' 1.2.3.4',
    '1.2.3.4/32',
    '1.2.3.4:80',
    '1.2.3.4\0',
    '1.2.3.a',
    '１.2.3.4',
    '1。2.3.4',
    '::1',
    '::ffff:1.2.3.4',
  ])('refuses %j', (text) => {
    expect(() => ipv4FromText(text)).toThrow(AddressError)
  })

  test('takes exactly what the operating system takes, on texts that look like addresses', () => {
    const part = fc.oneof(fc.nat(300).map(String), fc.constantFrom('', '00', '01', 'a', '1e1'))
    const text = fc.array(part, { minLength: 3, maxLength: 5 }).map((parts) => parts.join('.'))
    fc.assert(
      fc.property(text, (given) => {
        expect(allowing([AddressError], () => ipv4FromText(given)) !== undefined).toBe(
          isIPv4(given),
        )
      }),
    )
  })
})

describe('RFC 5952: IPv6 addresses', () => {
  test.each([
    ['::', '::'],
    ['::1', '::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['2001:DB8::1', '2001:db8::1'],
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    // §4.2.2: one zero group is not shortened.
    ['2001:db8::1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    // §4.2.3: the longest run, and the first of two equal ones.
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
    ['::2:3:4:5:6:7:8', '0:2:3:4:5:6:7:8'],
    ['fe80::', 'fe80::'],
    ['1:0:0:0:0:0:0:0', '1::'],
    // §5: IPv4-mapped addresses use mixed notation, others do not.
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ['::FFFF:c000:201', '::ffff:192.0.2.1'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:102:304'],
    ['::1.2.3.4', '::102:304'],
  ])('%s is %s', (given, canonical) => {
    expect(ipv6ToText(ipv6FromText(given))).toBe(canonical)
  })

  test.each([
    '',
    ':',
    ':::',
    '1',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '::1:2:3:4:5:6:7:8',
    '1::2::3',
    '1:2:3:4:5:6:7:',
    ':1:2:3:4:5:6:7',
    '12345::',
    'g::',
    '::1%eth0',
    '[::1]',
    '::1/128',
    '::1 ',
    '1.2.3.4',
    '::1.2.3',
    '::1.2.3.256',
    '::01.2.3.4',
    '1.2.3.4::',
    '::1.2.3.4:5',
    '1:2:3:4:5:6:7:1.2.3.4',
    `${'0:'.repeat(5000)}1`,
  ])('refuses %j', (text) => {
    expect(() => ipv6FromText(text)).toThrow(AddressError)
  })

  test('any address comes back from its text, which is what a URL would make of it', () => {
    const group = fc.oneof(fc.constant(0), fc.nat(0xffff))
    const octets = fc
      .array(group, { minLength: 8, maxLength: 8 })
      .map((groups) => Buffer.from(groups.flatMap((each) => [each >> 8, each & 0xff])))
    fc.assert(
      fc.property(octets, (given) => {
        const text = ipv6ToText(given)
        expect(ipv6FromText(text)).toEqual(given)
        // WHATWG serialisation is RFC 5952 without §5.
        fc.pre(!isIpv4Mapped(given))
        expect(`[${text}]`).toBe(new URL(`http://[${text}]/`).hostname)
      }),
    )
  })

  test('takes exactly what the operating system takes, on texts that look like addresses', () => {
    const part = fc.constantFrom('0', 'ffff', '12345', '', '', '1.2.3.4', 'x', '1')
    const text = fc.array(part, { minLength: 2, maxLength: 9 }).map((parts) => parts.join(':'))
    fc.assert(
      fc.property(text, (given) => {
        expect(allowing([AddressError], () => ipv6FromText(given)) !== undefined).toBe(
          isIPv6(given),
        )
      }),
      { numRuns: 2000 },
    )
  })
})
