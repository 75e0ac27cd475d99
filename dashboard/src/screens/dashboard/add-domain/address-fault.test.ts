import { expect, test } from 'vitest'
import { faultInAddress, warningAbout } from './address-fault.ts'

test.each([
  ['', undefined],
  [' 198.51.100.7 ', undefined],
  ['2001:DB8::7', undefined],
  ['::ffff:192.0.2.1', undefined],
  ['127.1', /^127\.1 is not an IP address\. Enter an IPv4 address such as 198\.51\.100\.7, or /],
  ['198.51.100.007', /is not an IP address/],
  ['198.51.100.256', /is not an IP address/],
  ['2001:db8:::7', /is not an IP address/],
  ['[2001:db8::7]', /is not an IP address/],
  ['198.51.100.7:80', /is not an IP address/],
  ['2001:db8::/64', 'Enter the address without “/64”: 2001:db8::.'],
  ['fe80::1%eth0', 'Enter the address without “%eth0”: fe80::1.'],
])('%j has the fault %s', (typed, fault) => {
  expect(faultInAddress(typed) ?? '').toMatch(fault ?? /^$/)
})

test('an address of the other family is a fault where only one fits', () => {
  expect(faultInAddress('198.51.100.7', 'A')).toBeUndefined()
  expect(faultInAddress('198.51.100.7', 'AAAA')).toBe(
    '198.51.100.7 is an IPv4 address. Enter an IPv6 address.',
  )
  expect(faultInAddress('home', 'AAAA')).toMatch(/Enter an IPv6 address such as 2001:db8::7\.$/)
})

test.each([
  ['192.168.1.2', /a private address/],
  ['172.31.0.1', /a private address/],
  ['172.32.0.1', undefined],
  ['fd12::1', /a private address/],
  ['127.0.0.1', /a loopback address/],
  ['::1', /a loopback address/],
  ['::11', undefined],
  ['fe80::1', /a link-local address/],
  ['100.64.0.1', /shares among customers/],
  ['100.128.0.1', undefined],
  ['198.51.100.7', undefined],
  ['10.', undefined],
])('%j is warned about with %s', (typed, warning) => {
  expect(warningAbout(typed) ?? '').toMatch(warning ?? /^$/)
})
