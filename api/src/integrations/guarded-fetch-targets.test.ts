/** Every way that is known of leading a fetch inward. A listener on this machine counts who connects: nobody may. */
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { INWARD_ADDRESSES, INWARD_HOSTS, inwardUrls } from '../../test/support/inward-targets.ts'
import { type NameServer, startNameServer } from '../../test/support/name-server.ts'
import { FetchRefused, guardedFetch } from './guarded-fetch.ts'
import { namesOutside } from './outside-names.ts'

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
    return INWARD_ADDRESSES[label] ?? []
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

describe.each(Object.entries(INWARD_HOSTS))('%s', (_kind, hosts) => {
  test.each(hosts)('%s', async (host) => {
    await expect(guarded()(`https://${host}:${port}/keys`)).rejects.toThrow(FetchRefused)
    expect(connections).toBe(0)
  })
})

test('URLs that mean something else than they seem to', async () => {
  const refused = await Promise.all(
    inwardUrls(port).map(async (url) => {
      const failure = await guarded()(url).catch((error: unknown) => error)
      return [url, failure instanceof FetchRefused]
    }),
  )
  expect(refused).toEqual(inwardUrls(port).map((url) => [url, true]))
  expect(connections).toBe(0)
})

test('there are enough of them, and the listener would have told', async () => {
  const count = Object.values(INWARD_HOSTS).flat().length + inwardUrls(port).length
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
