import { expect, test } from 'vitest'
import type { Domain } from '../../api/domains.ts'
import { addressesIn, addressesOf, changeFrom, isChange, undoOf } from './address-change.ts'

const before = { ipv4: '192.0.2.1', ipv6: '' }

test.each([
  [{ ipv4: '192.0.2.1', ipv6: '' }, {}],
  [{ ipv4: ' 192.0.2.1 ', ipv6: ' ' }, {}],
  [{ ipv4: '192.0.2.2', ipv6: '' }, { record_ipv4: '192.0.2.2' }],
  [{ ipv4: '', ipv6: '' }, { record_ipv4: null }],
  [
    { ipv4: '', ipv6: '2001:db8::1' },
    { record_ipv4: null, record_ipv6: '2001:db8::1' },
  ],
])('%j changes %j', (typed, change) => {
  expect(changeFrom(before, typed)).toEqual(change)
  expect(isChange(change)).toBe(Object.keys(change).length > 0)
})

test('undo restores only the changed addresses', () => {
  const domain = { record_ipv4: '192.0.2.1', record_ipv6: null } as Domain
  expect(addressesOf(domain)).toEqual(before)
  expect(undoOf(domain, { record_ipv4: '192.0.2.2' })).toEqual({ record_ipv4: '192.0.2.1' })
  expect(undoOf(domain, { record_ipv6: '2001:db8::1' })).toEqual({ record_ipv6: null })
})

test.each([
  ['', { ipv4: '', ipv6: '' }],
  [' 192.0.2.1 ', { ipv4: '192.0.2.1', ipv6: '' }],
  ['2001:db8::1, 192.0.2.1', { ipv4: '192.0.2.1', ipv6: '2001:db8::1' }],
  ['192.0.2.1 192.0.2.2', { ipv4: '192.0.2.1 192.0.2.2', ipv6: '' }],
])('the field %j has the addresses %j', (text, addresses) => {
  expect(addressesIn(text)).toEqual(addresses)
})
