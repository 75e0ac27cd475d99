import { expect, test } from 'vitest'
import { requireForeign } from './address-check.ts'
import { ownPlaces, type PlacesConfig } from './own-places.ts'

const config: PlacesConfig = {
  host: '0.0.0.0',
  publicUrl: new URL('https://dns.example.net'),
  dnsHosts: ['192.0.2.53', '2001:DB8::53'],
  forwardHost: '0.0.0.0',
  forwardAddresses: ['192.0.2.80', '2001:db8:0:0::80'],
  nameservers: [
    { hostname: 'ns1.example.net', ipv4: '198.51.100.1' },
    { hostname: 'ns2.example.net', ipv4: '198.51.100.2', ipv6: '2001:db8::2' },
  ],
}

/**
 * The places of a service with this configuration.
 *
 * @param answers the results of consecutive look-ups of its public name; undefined is an error
 */
function service(answers: (readonly string[] | undefined)[], changes: Partial<PlacesConfig> = {}) {
  const clock = { ms: 0 }
  const asked: string[] = []
  const own = ownPlaces(
    { ...config, ...changes },
    {
      async resolveOutside(hostname) {
        asked.push(hostname)
        const answer = answers.shift()
        if (answer === undefined) throw new Error('no answer')
        return answer.map((address) => ({ address }))
      },
      resolveInside: async (hostname) =>
        hostname === 'inside.example.net' ? [{ address: '192.0.2.9' }] : [],
      now: () => clock.ms,
      machineAddresses: () => ['192.0.2.200', 'fe80::1%eth0', '::1'],
    },
  )
  const isOwn = async (address: string) => {
    try {
      requireForeign(await own.addresses())(address)
      return false
    } catch {
      return true
    }
  }
  return { own, isOwn, clock, asked }
}

test.each([
  ['a listening address of the DNS daemon', '192.0.2.53'],
  ['the same in another spelling', '2001:db8:0::53'],
  ['an address that forwarded names lead to', '192.0.2.80'],
  ['one of them in IPv6', '2001:db8::80'],
  ['a name server', '198.51.100.1'],
  ['a name server in IPv6', '2001:db8::2'],
  ['an address of this machine', '192.0.2.200'],
  ['what the public name leads to', '203.0.113.7'],
  ['what the public name leads to in IPv6', '2001:db8:7::7'],
])('%s is an own address', async (_what, address) => {
  const { isOwn } = service([['203.0.113.7', '2001:db8:7::7']])
  expect(await isOwn(address)).toBe(true)
})

test('other addresses are not, and listening on all addresses does not change that', async () => {
  const { isOwn, own } = service([['203.0.113.7']])
  for (const address of ['203.0.113.8', '192.0.2.1', '2001:db8::1']) {
    expect([address, await isOwn(address)]).toEqual([address, false])
  }
  expect(own.names).toEqual(['dns.example.net', 'ns1.example.net', 'ns2.example.net'])
})

test('a host name to listen on is looked up like the listener does', async () => {
  expect(await service([[]], { host: 'inside.example.net' }).isOwn('192.0.2.9')).toBe(true)
})

test('a public URL with an address needs no look-up', async () => {
  const { isOwn, asked } = service([], { publicUrl: new URL('https://[2001:db8:9::9]') })
  expect([await isOwn('2001:db8:9::9'), asked]).toEqual([true, []])
})

test('the public name is looked up again after five minutes, once for all waiting callers', async () => {
  const { own, isOwn, clock, asked } = service([['203.0.113.7'], ['203.0.113.8']])
  await Promise.all([own.addresses(), own.addresses()])
  clock.ms = 299_999
  expect([await isOwn('203.0.113.7'), asked.length]).toEqual([true, 1])
  clock.ms = 300_000
  expect(await isOwn('203.0.113.8')).toBe(true)
  expect([await isOwn('203.0.113.7'), asked.length]).toEqual([false, 2])
})

test('while the look-up fails, the known addresses stay, and it is retried after half a minute', async () => {
  const { isOwn, clock, asked } = service([['203.0.113.7'], undefined, ['203.0.113.8']])
  expect(await isOwn('203.0.113.7')).toBe(true)
  clock.ms = 300_000
  expect([await isOwn('203.0.113.7'), asked.length]).toEqual([true, 2])
  clock.ms = 329_999
  expect([await isOwn('203.0.113.7'), asked.length]).toEqual([true, 2])
  clock.ms = 330_000
  expect([await isOwn('203.0.113.8'), asked.length]).toEqual([true, 3])
})
