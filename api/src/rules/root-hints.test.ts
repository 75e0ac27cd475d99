import { expect, it } from 'vitest'
import { IANA_ROOT, parseRootHints } from './root-hints.ts'

it('reads a file in the format of named.root', () => {
  const text = `;       formerly NS.INTERNIC.NET
.                        3600000      NS    A.ROOT-SERVERS.NET.
A.ROOT-SERVERS.NET.      3600000      A     198.41.0.4
A.ROOT-SERVERS.NET.      3600000      AAAA  2001:503:BA3E::2:30
OTHER.EXAMPLE.           3600000      A     192.0.2.1
`
  const hostname = 'a.root-servers.net'
  expect(parseRootHints(text)).toEqual([
    { hostname, address: '198.41.0.4', port: 53 },
    { hostname, address: '2001:503:ba3e::2:30', port: 53 },
  ])
})

it.each([
  ['', 'it has no address of a root server'],
  ['. NS a.root.test.', 'it has no address of a root server'],
  ['. NS a.root.test.\na.root.test. A 1.2.3', 'line 2: '],
  [
    `. NS a.root.test.\n${Array.from({ length: 65 }, (_, n) => `a.root.test. A 192.0.2.${n}\n`).join('')}`,
    'it has more than 64 addresses',
  ],
])('refuses %j', (text, message) => {
  expect(() => parseRootHints(text)).toThrow(message)
})

it('has the 13 servers of the IANA root, each with both addresses', () => {
  expect(new Set(IANA_ROOT.map(({ hostname }) => hostname)).size).toBe(13)
  expect(new Set(IANA_ROOT.map(({ address }) => address)).size).toBe(26)
})
