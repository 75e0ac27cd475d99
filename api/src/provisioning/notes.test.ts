import { expect, test } from 'vitest'
import { warningsOf } from './notes.ts'

const LOCAL = { hostname: 'ns1.example.net', ipv4: '127.0.0.1' }
const PUBLIC = { hostname: 'ns2.example.net', ipv4: '192.0.2.53' }

test('production is warned about name servers with a loopback address', () => {
  const [warning, ...others] = warningsOf({ nodeEnv: 'production', nameservers: [LOCAL, PUBLIC] })
  expect(others).toEqual([])
  expect(warning).toMatch(/^ns1\.example\.net .*; set NAMESERVERS /)
  expect(warning).not.toContain(PUBLIC.hostname)
})

test('public addresses, and development, need no warning', () => {
  expect(warningsOf({ nodeEnv: 'production', nameservers: [PUBLIC] })).toEqual([])
  expect(warningsOf({ nodeEnv: 'development', nameservers: [LOCAL] })).toEqual([])
})
