import { expect, test } from 'vitest'
import { warningsOf } from './notes.ts'

const LOCAL = { hostname: 'ns1.example.net', ipv4: '127.0.0.1' }
const PUBLIC = { hostname: 'ns2.example.net', ipv4: '192.0.2.53' }
const REACHED = {
  nodeEnv: 'production' as const,
  nameservers: [PUBLIC],
  forwardAddresses: ['192.0.2.80'],
}

test('production is warned about name servers with a loopback address', () => {
  const [warning, ...others] = warningsOf({ ...REACHED, nameservers: [LOCAL, PUBLIC] })
  expect(others).toEqual([])
  expect(warning).toMatch(/^ns1\.example\.net .*; set NAMESERVERS /)
  expect(warning).not.toContain(PUBLIC.hostname)
})

test.each(['127.0.0.1', '::1'])('production is warned about web forwards at %s', (address) => {
  const [warning, ...others] = warningsOf({ ...REACHED, forwardAddresses: [address, '192.0.2.80'] })
  expect(others).toEqual([])
  expect(warning).toMatch(/; set FORWARD_ADDRESSES /)
  expect(warning).toContain(address)
  expect(warning).not.toContain('192.0.2.80')
})

test('public addresses, and development, need no warning', () => {
  expect(warningsOf(REACHED)).toEqual([])
  const nodeEnv = 'development' as const
  expect(warningsOf({ ...REACHED, nodeEnv, nameservers: [LOCAL] })).toEqual([])
})
