import { expect, test } from 'vitest'
import { EXPORT_FIELDS, operationOf, pastedRowsOf, rowsOf } from './domain-file.ts'

test('a file with the columns of an export is read', () => {
  const row = [
    'nas.example.net',
    'example.net',
    '192.0.2.1',
    '',
    'active',
    'false',
    'false',
    '"a, b"',
    '',
    '60',
    '',
    '',
  ]
  expect(rowsOf(`${EXPORT_FIELDS.join(',')}\r\n${row.join(',')}\r\n`)).toEqual([
    {
      line: 2,
      domain: 'nas.example.net',
      zone: 'example.net',
      ipv4: '192.0.2.1',
      ipv6: null,
      tags: ['a', 'b'],
      note: null,
    },
  ])
})

test.each([
  ['nas.example.net\n', [{ line: 1, domain: 'nas.example.net' }]],
  [
    'a.example.net 192.0.2.1, 2001:db8::1\r\n\r\nb.example.net;2001:db8::2',
    [
      { line: 1, domain: 'a.example.net', ipv4: '192.0.2.1', ipv6: '2001:db8::1' },
      { line: 3, domain: 'b.example.net', ipv6: '2001:db8::2' },
    ],
  ],
  ['Zone,Domain\nexample.net,nas', [{ line: 2, domain: 'nas', zone: 'example.net' }]],
  ['[{"domain": "nas.example.net"}]', [{ line: 1, domain: 'nas.example.net' }]],
])('pasted lines are read: %j', (text, rows) => {
  expect(pastedRowsOf(text)).toEqual(rows)
})

test.each([
  ['', 'The file has no domains.'],
  ['x.example.net 192.0.2.1 192.0.2.2', /^Line 1 has two addresses of one family\./],
  ['x.example.net\n'.repeat(501), /^The file has 501 domains\./],
])('lines that cannot be imported are refused: %.20j', (text, message) => {
  expect(() => pastedRowsOf(text)).toThrow(message)
})

test.each([
  [{ domain: 'nas.example.net' }, 'nas.example.net'],
  [{ domain: 'NAS.example.net.' }, 'nas.example.net'],
  [{ domain: 'nas', zone: 'example.net' }, 'nas.example.net'],
  [{ domain: 'nas.example.net', zone: 'Example.net.' }, 'nas.example.net'],
  [{ domain: 'Büro.example.net' }, 'xn--bro-hoa.example.net'],
  [{ domain: 'büro', zone: 'example.net' }, 'xn--bro-hoa.example.net'],
  [{ domain: 'example.net', zone: 'example.net' }, 'example.net'],
])('the row of a domain that the account has changes it: %j', (row, fqdn) => {
  expect(operationOf({ line: 1, ...row, note: 'new' }, new Set([fqdn]))).toEqual({
    op: 'change',
    fqdn,
    note: 'new',
  })
})

test.each([
  { domain: 'nas' },
  { domain: 'nas', zone: 'example.org' },
  { domain: 'a b.example.net' },
])('another row creates the domain as it is typed: %j', ({ domain, ...zone }) => {
  const owned = new Set(['nas.example.net'])
  const expected = { op: 'create', fqdn: domain, ...zone }
  expect(operationOf({ line: 1, domain, ...zone }, owned)).toEqual(expected)
})
