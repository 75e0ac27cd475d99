import { expect, test } from 'vitest'
import { linesOf, operationOf, withoutLines } from './pasted-lines.ts'

const ZONES = ['example.net', 'eu.example.net']
const read = (text: string) => linesOf(text, 'example.net', ZONES)

test('a line has a name, with or without its zone, and addresses of both families', () => {
  const lines = read(
    [
      'nas',
      '',
      '# the office',
      'Office.EU.example.net.\t198.51.100.7,2001:db8::7 # door',
      'camera; 2001:db8::8\r',
    ].join('\n'),
  )
  expect(lines.map(({ number }) => number)).toEqual([1, 4, 5])
  expect(lines.map(({ fault }) => fault)).toEqual([undefined, undefined, undefined])
  expect(lines.map((line) => operationOf(line, ZONES))).toEqual([
    { op: 'create', fqdn: 'nas.example.net', zone: 'example.net' },
    {
      op: 'create',
      fqdn: 'office.eu.example.net',
      zone: 'eu.example.net',
      record_ipv4: '198.51.100.7',
      record_ipv6: '2001:db8::7',
    },
    {
      op: 'create',
      fqdn: 'camera.example.net',
      zone: 'example.net',
      rrtype: 'AAAA',
      record_ipv6: '2001:db8::8',
    },
  ])
})

test.each([
  ['nas 198.51.100', /^198\.51\.100 is not an IP address/],
  ['nas 198.51.100.7 198.51.100.8', /one IPv4 address and one IPv6 address/],
  ['nas 198.51.100.7 2001:db8::7 2001:db8::8', /one IPv4 address and one IPv6 address/],
])('%j is refused before it is sent', (text, fault) => {
  expect(read(text)[0]?.fault).toMatch(fault)
})

test('lines are removed by their number', () => {
  expect(withoutLines('a\n\nb\nc', new Set([3]))).toBe('a\n\nc')
})
