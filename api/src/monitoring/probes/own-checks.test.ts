/** The kinds that connect to no target: dns and heartbeat. */
import { type DnsAnswer, NoAnswer } from '@homing/dnsd/client'
import { describe, expect, test } from 'vitest'
import { nameServersOf, probeDns } from './probe-dns.ts'
import { probeHeartbeat } from './probe-heartbeat.ts'

describe('dns', () => {
  const domain = { fqdn: 'home.example.net', published: ['192.0.2.1', '2001:db8::1'] }
  const servers = [{ address: '127.0.0.1', port: 8053 }]

  /** Our name servers answer with these addresses. */
  const answering = (rcode: string, ...addresses: string[]) => ({
    servers,
    async ask({ type }: { type: string }) {
      const answers = addresses
        .filter((address) => address.includes(':') === (type === 'AAAA'))
        .map((data) => ({ name: domain.fqdn, type, ttl: 60, data }))
      return { rcode, answers } as unknown as DnsAnswer
    },
  })

  test('the same addresses, whatever their order and spelling', async () => {
    const dns = answering('NOERROR', '2001:db8:0::1', '192.0.2.1')
    expect(await probeDns(domain, dns)).toMatchObject({ outcome: 'up', cause: null })
  })

  test.each([
    ['NOERROR', ['192.0.2.1', '2001:db8::2'], 'address-mismatch'],
    ['NOERROR', ['192.0.2.1'], 'address-mismatch'],
    ['NOERROR', [], 'name-not-resolved'],
    ['NXDOMAIN', [], 'name-not-resolved'],
    ['SERVFAIL', [], 'name-not-resolved'],
  ])('%s %j: %s', async (rcode, addresses, cause) => {
    const result = await probeDns(domain, answering(rcode, ...addresses))
    expect(result).toMatchObject({ outcome: 'down', cause })
  })

  test('no address, and no answer', async () => {
    const unpublished = { ...domain, published: [] }
    expect(await probeDns(unpublished, answering('NOERROR'))).toMatchObject({ cause: 'no-address' })
    const silent = { servers, ask: async () => Promise.reject(new NoAnswer([])) }
    expect(await probeDns(domain, silent)).toMatchObject({ outcome: 'down', cause: 'timeout' })
  })

  test('DNS_PORT is used for the addresses of this machine only', () => {
    const nameservers = [
      { hostname: 'ns1.example.net', ipv4: '127.0.0.1' },
      { hostname: 'ns2.example.net', ipv4: '192.0.2.53', ipv6: '2001:db8::53' },
    ]
    expect(nameServersOf({ nameservers, dnsHosts: ['2001:db8::53'], dnsPort: 8053 })).toEqual([
      { address: '127.0.0.1', port: 8053 },
      { address: '192.0.2.53', port: 53 },
      { address: '2001:db8::53', port: 8053 },
    ])
  })
})

describe('heartbeat', () => {
  const monitor = {
    heartbeat_source: 'url',
    heartbeat_period_seconds: 300,
    heartbeat_grace_seconds: 60,
    running_ms: 86_400_000,
  } as const
  const cases = [
    ['recent', { heartbeat_age_ms: 359_000 }, Infinity, 'up', null],
    ['late', { heartbeat_age_ms: 361_000 }, Infinity, 'down', 'heartbeat-missed'],
    ['never', { heartbeat_age_ms: null }, Infinity, 'down', 'heartbeat-missed'],
    ['not expected yet', { heartbeat_age_ms: null, running_ms: 359_000 }, Infinity, null, null],
    ['old, from before', { heartbeat_age_ms: 400_000, running_ms: 359_000 }, Infinity, null, null],
    ['recent, from before', { heartbeat_age_ms: 300_000, running_ms: 1_000 }, Infinity, 'up', null],
    ['lost with the database', { heartbeat_age_ms: 361_000 }, 359_000, 'unknown', 'not-checked'],
    ['late long after that', { heartbeat_age_ms: 361_000 }, 361_000, 'down', 'heartbeat-missed'],
  ] as const
  test.each(cases)('%s', (_what, age, sinceOutageMs, outcome, cause) => {
    const result = probeHeartbeat({ ...monitor, ...age }, sinceOutageMs)
    expect(result).toMatchObject({ outcome, cause })
  })
})
