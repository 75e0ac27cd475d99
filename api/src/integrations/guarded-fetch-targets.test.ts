/** Every way that is known of leading a fetch inward. A listener on this machine counts who connects: nobody may. */
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type NameServer, startNameServer } from '../../test/support/name-server.ts'
import { FetchRefused, guardedFetch } from './guarded-fetch.ts'
import { namesOutside } from './outside-names.ts'

const listeners: Server[] = []
let names: NameServer
let port = 0
let connections = 0

/** What the name server says: a name's label tells its addresses. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  inside: ['127.0.0.1'],
  inside6: ['::1'],
  mixed: ['9.9.9.9', '127.0.0.1'],
  mixed6: ['9.9.9.9', '::1'],
  private: ['10.0.0.1'],
  cgnat: ['100.64.0.1'],
  metadata: ['169.254.169.254'],
  mapped: ['::ffff:127.0.0.1'],
  nat64: ['64:ff9b::7f00:1'],
  sixtofour: ['2002:7f00:1::'],
  teredo: ['2001:0:7f00:1::80ff:fffe'],
  isatap: ['2400:cb00:1:2:0:5efe:7f00:1'],
  zero: ['0.0.0.0'],
  nothing: [],
}

beforeAll(async () => {
  const count = () =>
    createServer((socket) => {
      connections += 1
      socket.destroy()
    })
  const ipv4 = count().listen(0, '0.0.0.0')
  listeners.push(ipv4)
  await once(ipv4, 'listening')
  ;({ port } = ipv4.address() as AddressInfo)
  const ipv6 = count().listen({ port, host: '::1' })
  listeners.push(ipv6)
  await once(ipv6, 'listening')
  names = await startNameServer((name, n) => {
    const [label = ''] = name.split('.')
    if (label === 'rebinding') return n === 1 ? ['127.0.0.2'] : ['127.0.0.1']
    return ADDRESSES[label] ?? []
  })
})
afterAll(() => {
  for (const listener of listeners) listener.close()
  names.close()
})
beforeEach(() => (connections = 0))

const guarded = () =>
  guardedFetch({
    allowsPrivate: false,
    // As if the service's own port were one that is taken, so that nothing but the address stands in the way.
    ports: [443, port],
    ownHosts: ['dns.example.net'],
    resolveAll: namesOutside([names.address]),
    timeLimitMs: 2_000,
  })

/** Hosts as they stand in a URL, each by each of its spellings. */
const HOSTS = {
  'loopback in other numbers': [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '127.0.0.1.',
    '127.255.255.254',
    '0x7f.1',
    '0x7f.0.0.1',
    '0x7f000001',
    '0X7F.0X0.0X0.0X1',
    '2130706433',
    '017700000001',
    '0177.1',
    '0177.0.0.1',
    '0177.0.0.01',
    '127.0x0.0.1',
    '127.000.000.001',
    '127.1.',
    '0',
    '0.0.0.0',
    '0x0',
    '00',
  ],
  'loopback and nowhere in IPv6': [
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[0000::0001]',
    '[::127.0.0.1]',
    '[::7f00:1]',
  ],
  'IPv4 inside IPv6': [
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::FFFF:127.0.0.1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[::ffff:10.0.0.1]',
    '[::ffff:169.254.169.254]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b:1::7f00:1]',
    '[64:ff9b::a00:1]',
    '[2002:7f00:1::]',
    '[2002:7f00:0001::1]',
    '[2002:a00:1::1]',
    '[2001:0:7f00:1::80ff:fffe]',
    '[2001::1]',
    '[fe80::5efe:7f00:1]',
    '[2400:cb00:1:2:0:5efe:7f00:1]',
    '[2400:cb00:1:2:200:5efe:7f00:1]',
    '[2400:cb00::5efe:a00:1]',
  ],
  'networks that are not public': [
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.254',
    '192.168.0.1',
    '100.64.0.1',
    '100.127.255.254',
    '169.254.169.254',
    '169.254.170.2',
    '2852039166',
    '0xa9fea9fe',
    '192.0.0.8',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '255.255.255.255',
    '[fd00::1]',
    '[fd00:ec2::254]',
    '[fc00::1]',
    '[fe80::1]',
    '[febf::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[2001:db8::1]',
    '[100::1]',
    '[5f00::1]',
    '[3fff::1]',
    '[4000::1]',
  ],
  'numbers in other scripts': [
    '１２７.０.０.１',
    '127。0。0。1',
    '127．0．0．1',
    '①②⑦.⓪.⓪.①',
    '127｡1',
    '⑯⑨.254.169.254',
  ],
  'names of what is inside': [
    'localhost',
    'localhost.',
    'LOCALHOST',
    'ｌｏｃａｌｈｏｓｔ',
    'localhost.localdomain',
    'ip6-localhost',
    'a.localhost',
    'postgres',
    'metadata.google.internal',
    ...Object.keys(ADDRESSES).map((label) => `${label}.example.net`),
    'INSIDE.example.net',
    'inside.example.net.',
    'inside。example。net',
  ],
  'the service itself': [
    'dns.example.net',
    'DNS.example.NET',
    'dns.example.net.',
    'dns。example。net',
  ],
} as const

/** Whole URLs that mean something else than they seem to. */
const URLS = (inside: number) => [
  `http://127.0.0.1:${inside}/`,
  `http://9.9.9.9/`,
  `https://good@127.0.0.1:${inside}/`,
  `https://good:word@127.0.0.1:${inside}/`,
  `https://9.9.9.9@127.0.0.1:${inside}/`,
  `https://9.9.9.9%40127.0.0.1:${inside}/`,
  `https://9.9.9.9#@127.0.0.1:${inside}/`.replace('#', '%23'),
  `https://127.0.0.1:${inside}\\@9.9.9.9/`,
  `https:\\\\127.0.0.1:${inside}\\`,
  `https:/127.0.0.1:${inside}/`,
  `https:127.0.0.1:${inside}/`,
  `https://127.0.0.1:${inside}?@9.9.9.9/`,
  ` https://127.0.0.1:${inside}/ `,
  `ht\ntps://127.0.0.1:${inside}/`,
  `https://127.0.0.1\t:${inside}/`,
  `//127.0.0.1:${inside}/`,
  `file:///etc/passwd`,
  `gopher://127.0.0.1:${inside}/_x`,
  `ftp://127.0.0.1:${inside}/`,
  `dict://127.0.0.1:${inside}/x`,
  `data:text/plain,x`,
  `blob:https://127.0.0.1/x`,
  `javascript:0`,
  `ws://127.0.0.1:${inside}/`,
  `wss://127.0.0.1:${inside}/`,
  `unix:/tmp/.s.PGSQL.5432`,
  `https://9.9.9.9:5432/`,
  `https://9.9.9.9:8053/`,
  `https://9.9.9.9:53/`,
  `https://9.9.9.9:22/`,
  `https://9.9.9.9:80/`,
  `https://9.9.9.9:0/`,
  `https://9.9.9.9:65536/`,
  `https://[fe80::1%25lo]:${inside}/`,
  `https://[::1%lo]:${inside}/`,
  `https:///`,
  `https://%31%32%37.0.0.1:${inside}/`,
  `https://127%2e0%2e0%2e1:${inside}/`,
  '',
  'nothing',
]

describe.each(Object.entries(HOSTS))('%s', (_kind, hosts) => {
  test.each(hosts)('%s', async (host) => {
    await expect(guarded()(`https://${host}:${port}/keys`)).rejects.toThrow(FetchRefused)
    expect(connections).toBe(0)
  })
})

test('URLs that mean something else than they seem to', async () => {
  const refused = await Promise.all(
    URLS(port).map(async (url) => {
      const failure = await guarded()(url).catch((error: unknown) => error)
      return [url, failure instanceof FetchRefused]
    }),
  )
  expect(refused).toEqual(URLS(port).map((url) => [url, true]))
  expect(connections).toBe(0)
})

test('there are enough of them, and the listener would have told', async () => {
  const count = Object.values(HOSTS).flat().length + URLS(port).length
  expect(count).toBeGreaterThanOrEqual(80)
  const open = guardedFetch({ allowsPrivate: true, timeLimitMs: 2_000 })
  for (const host of ['127.1', '[::1]']) {
    await expect(open(`https://${host}:${port}/`)).rejects.toThrow(FetchRefused)
  }
  expect(connections).toBe(2)
})

describe('what is public and leads inward', () => {
  // 127.0.0.2 stands for the Internet, 127.0.0.1 for what is inside.
  let outside: ReturnType<typeof createHttpServer>
  let location: string | undefined
  let origin: string

  beforeAll(async () => {
    outside = createHttpServer((_request, response) => {
      response.writeHead(
        location === undefined ? 200 : 302,
        location === undefined ? {} : { location },
      )
      response.end('{}')
    }).listen(0, '127.0.0.2')
    await once(outside, 'listening')
    origin = `:${(outside.address() as AddressInfo).port}/`
  })
  afterAll(() => outside.close())
  beforeEach(() => (location = undefined))

  const fetch = (resolveAll = namesOutside([names.address])) =>
    guardedFetch({
      allowsPrivate: true,
      timeLimitMs: 2_000,
      resolveAll,
      checkAddress(address) {
        if (address !== '127.0.0.2') throw new FetchRefused(`${address} is inside`)
      },
    })

  test('a name that answers otherwise a moment later: it is asked once, and that answer is gone to', async () => {
    expect(await fetch()(`http://rebinding.example.net${origin}`)).toMatchObject({ status: 200 })
    await expect(fetch()(`http://rebinding.example.net${origin}`)).rejects.toThrow('is inside')
    expect(connections).toBe(0)
  })

  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'inside.example.net',
    'mixed.example.net',
    'rebinding.example.net',
  ])('a redirect to %s', async (host) => {
    location = `http://${host}:${port}/`
    await expect(fetch()(`http://127.0.0.2${origin}`)).rejects.toThrow('is inside')
    expect(connections).toBe(0)
  })

  test.each(['//127.0.0.1', 'gopher://127.0.0.1/', 'http://a:b@127.0.0.1/', '\\\\127.0.0.1\\x'])(
    'a redirect to %s',
    async (to) => {
      location = to
      await expect(fetch()(`http://127.0.0.2${origin}`)).rejects.toThrow(FetchRefused)
      expect(connections).toBe(0)
    },
  )
})
