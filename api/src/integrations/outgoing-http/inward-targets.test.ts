/**
 * Every known way to lead a request to an internal address. Listeners on this machine count connections, and must count
 * zero.
 */
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { INWARD_ADDRESSES, INWARD_HOSTS, inwardUrls } from '../../../test/support/inward-targets.ts'
import { type NameServer, startNameServer } from '../../../test/support/name-server.ts'
import { failureOf, placesAt, testOutgoing } from '../../../test/support/outgoing.ts'
import { namesOutside } from '../outside-names.ts'
import type { OutgoingHttp } from './outgoing-http.ts'
import { OutgoingFailure } from './outgoing-failure.ts'

/** Refusals before any connection is made. */
const REFUSALS = [
  'invalid-url',
  'scheme-not-allowed',
  'port-not-allowed',
  'own-address',
  'private-address',
  'dns',
  'dns-unavailable',
]

const listeners: Server[] = []
let names: NameServer
let port = 0
let connections = 0

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
    if (label === 'own') return ['127.0.0.3']
    if (label === 'mixed-own') return ['127.0.0.2', '127.0.0.3']
    return INWARD_ADDRESSES[label] ?? []
  })
})
afterAll(() => {
  for (const listener of listeners) listener.close()
  names.close()
})
beforeEach(() => (connections = 0))

const guarded = (): OutgoingHttp =>
  testOutgoing({
    allowsPrivate: false,
    own: placesAt(['dns.example.net'], []),
    resolveAll: namesOutside([names.address]),
  })

describe.each(Object.entries(INWARD_HOSTS))('%s', (_kind, hosts) => {
  test.each(hosts)('%s', async (host) => {
    // A target may use any port, so only the address can be refused; an issuer may only use the usual port.
    const failures = [
      await failureOf(guarded().target({ url: `https://${host}:${port}/keys` })),
      await failureOf(guarded().target({ url: `http://${host}:${port}/keys`, method: 'POST' })),
      await failureOf(guarded().issuer(`https://${host}/keys`)),
    ]
    for (const { code } of failures) expect(REFUSALS).toContain(code)
    expect(connections).toBe(0)
  })
})

test('URLs that mean something else than they seem to', async () => {
  const codes = await Promise.all(
    inwardUrls(port).map(async (url) => (await failureOf(guarded().issuer(url))).code),
  )
  expect(codes.filter((code) => !REFUSALS.includes(code))).toEqual([])
  const isInward = (url: string) => URL.parse(url)?.hostname !== '9.9.9.9'
  const ofTargets = await Promise.all(
    inwardUrls(port)
      .filter(isInward)
      .map(async (url) => (await failureOf(guarded().target({ url }))).code),
  )
  expect(ofTargets.filter((code) => !REFUSALS.includes(code))).toEqual([])
  expect(connections).toBe(0)
})

test('there are enough targets, and the listeners notice connections', async () => {
  const count = Object.values(INWARD_HOSTS).flat().length + inwardUrls(port).length
  expect(count).toBeGreaterThanOrEqual(80)
  for (const host of ['127.1', '[::1]']) {
    await failureOf(testOutgoing().issuer(`https://${host}:${port}/`))
  }
  expect(connections).toBe(2)
})

describe('public URLs that lead to internal addresses', () => {
  // 127.0.0.2 stands for the Internet, 127.0.0.1 for an internal address, 127.0.0.3 for a public address of the
  // service.
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

  const outgoing = () =>
    testOutgoing({
      allowsPrivate: false,
      own: placesAt(['dns.example.net'], ['127.0.0.3']),
      resolveAll: namesOutside([names.address]),
      requireOutside(address) {
        if (!/^127\.0\.0\.[23]$/.test(address))
          throw new OutgoingFailure('private-address', address)
      },
    })
  const send = (url: string) => outgoing().target({ url })

  test('a name whose answer changes a moment later is looked up once, and that answer is used', async () => {
    expect(await send(`http://rebinding.example.net${origin}`)).toMatchObject({ status: 200 })
    const again = await failureOf(send(`http://rebinding.example.net${origin}`))
    expect(again.code).toBe('private-address')
    expect(connections).toBe(0)
  })

  test.each([
    ['127.0.0.1', 'private-address'],
    ['127.1', 'private-address'],
    ['2130706433', 'private-address'],
    ['[::1]', 'private-address'],
    ['[::ffff:127.0.0.1]', 'private-address'],
    ['inside.example.net', 'private-address'],
    ['mixed.example.net', 'private-address'],
    ['rebinding.example.net', 'private-address'],
    ['127.0.0.3', 'own-address'],
    ['own.example.net', 'own-address'],
    ['mixed-own.example.net', 'own-address'],
    ['dns.example.net', 'own-address'],
    ['DNS.example.net.', 'own-address'],
  ])('a redirect to %s: %s', async (host, code) => {
    location = `http://${host}:${port}/`
    const failure = await failureOf(send(`http://127.0.0.2${origin}`))
    expect([failure.code, failure.hop.url]).toEqual([code, URL.parse(location)?.href])
    expect(connections).toBe(0)
  })

  test.each([
    ['//127.0.0.1', 'private-address'],
    ['gopher://127.0.0.1/', 'scheme-not-allowed'],
    ['http://a:b@127.0.0.1/', 'invalid-url'],
    ['\\\\127.0.0.1\\x', 'private-address'],
    ['http://127.0.0.2:25/', 'port-not-allowed'],
    ['http://', 'invalid-url'],
  ])('a redirect to %s: %s', async (to, code) => {
    location = to
    expect((await failureOf(send(`http://127.0.0.2${origin}`))).code).toBe(code)
    expect(connections).toBe(0)
  })

  test.each(['own.example.net', 'mixed-own.example.net', '127.0.0.3', 'dns.example.net'])(
    'the service itself at %s',
    async (host) => {
      const failure = await failureOf(send(`http://${host}:${port}/`))
      expect(failure).toMatchObject({
        code: 'own-address',
        message: 'The URL leads to this service itself.',
      })
      expect(connections).toBe(0)
    },
  )
})

test('a name server without a response is distinguished from a name without addresses', async () => {
  const silent = testOutgoing({
    allowsPrivate: false,
    resolveAll: async () => Promise.reject(Object.assign(new Error('no'), { code: 'ESERVFAIL' })),
  })
  const { code, message } = await failureOf(silent.issuer('https://issuer.example/'))
  expect([code, message]).toEqual([
    'dns-unavailable',
    'The DNS lookup of the host name issuer.example failed.',
  ])
  expect((await failureOf(guarded().issuer('https://nothing.example.net/'))).code).toBe('dns')
})
