/** Checks of targets that are slow, broken or lead elsewhere: each ends in time, with the right cause. */
import { once } from 'node:events'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createTestAuthority,
  type LeafOptions,
  type TestAuthority,
} from '../../../../test/certificates.ts'
import { type NameServer, startNameServer } from '../../../test/support/name-server.ts'
import { placesAt, testOutgoing } from '../../../test/support/outgoing.ts'
import { OutgoingFailure } from '../../integrations/outgoing-http/outgoing-failure.ts'
import { namesOutside } from '../../integrations/outside-names.ts'
import { probeHttp } from './probe-http.ts'
import { probeTcp } from './probe-tcp.ts'

const FQDN = 'home.example.net'
const OK = 'HTTP/1.1 200 OK\r\n'
const SHORT = { silenceLimitMs: 300, timeLimitMs: 600 }

/** Sends the same octets until the client disconnects. */
function forEver(socket: Socket, octets: string): void {
  const more = () => {
    while (!socket.destroyed && socket.write(octets));
  }
  socket.on('drain', more)
  more()
}

function dripping(socket: Socket): void {
  const timer = setInterval(() => socket.write('a'), 20)
  socket.on('close', () => clearInterval(timer))
}

const redirect = (location: string) => (socket: Socket) =>
  void socket.end(`HTTP/1.1 302 Found\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`)

let port = 0
const BEHAVIOUR: Readonly<Record<string, (socket: Socket) => void>> = {
  '/ok': (socket) => void socket.end(`${OK}content-length: 5\r\n\r\nhello`),
  '/502': (socket) => void socket.end('HTTP/1.1 502 Bad\r\ncontent-length: 0\r\n\r\n'),
  '/silent': () => undefined,
  '/slow-body': (socket) => {
    socket.write(`${OK}\r\n`)
    dripping(socket)
  },
  '/slow-headers': (socket) => {
    socket.write(`${OK}x-long: `)
    dripping(socket)
  },
  '/endless-headers': (socket) => {
    socket.write(OK)
    forEver(socket, 'x-more: and more\r\n')
  },
  '/gibibyte': (socket) => {
    socket.write(`${OK}content-length: ${2 ** 30}\r\n\r\n`)
    forEver(socket, 'a'.repeat(64 * 1024))
  },
  '/garbage': (socket) => void socket.end('\u0000\u0001 garbage \r\n\r\n'),
  '/closed': (socket) => void socket.end(),
  '/loop': redirect('/loop'),
  '/to-ok': redirect('/ok'),
  '/inside': (socket) => redirect(`http://127.0.0.1:${port}/ok`)(socket),
  '/mixed': (socket) => redirect(`http://mixed.example.net:${port}/ok`)(socket),
  '/rebinding': (socket) => redirect(`http://rebinding.example.net:${port}/ok`)(socket),
  '/own': (socket) => redirect(`http://dns.example.net/`)(socket),
  '/smtp': (socket) => redirect(`http://${FQDN}:25/`)(socket),
  '/gopher': redirect('gopher://home.example.net/'),
}

let server: Server
let names: NameServer
let authority: TestAuthority
const others: { close(): unknown }[] = []
const hosts: string[] = []
const open = new Set<Socket>()

beforeAll(async () => {
  authority = await createTestAuthority()
  // 127.0.0.2 stands for the Internet, 127.0.0.1 for an internal address.
  server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => undefined).on('close', () => open.delete(socket))
    socket.once('data', (request) => {
      const text = request.toString('latin1')
      hosts.push(`${socket.localAddress} ${/^host: (.*)\r$/im.exec(text)?.[1]}`)
      BEHAVIOUR[text.split(' ')[1] ?? '']?.(socket)
    })
  }).listen(0, '0.0.0.0')
  await once(server, 'listening')
  ;({ port } = server.address() as AddressInfo)
  names = await startNameServer((name, n) => {
    if (name === 'mixed.example.net') return ['127.0.0.2', '127.0.0.1']
    if (name === 'rebinding.example.net') return n === 1 ? ['127.0.0.2'] : ['127.0.0.1']
    return []
  })
})
afterAll(() => {
  server.close()
  names.close()
  for (const other of others) other.close()
})

const guarded = () =>
  testOutgoing({
    allowsPrivate: false,
    own: placesAt(['dns.example.net'], []),
    resolveAll: namesOutside([names.address]),
    trusted: [authority.cert],
    requireOutside(address) {
      if (address !== '127.0.0.2') throw new OutgoingFailure('private-address', 'not public')
    },
  })

const target = {
  fqdn: FQDN,
  path: '/ok',
  expected_status: '200-399',
  follows_redirects: true,
  body_text: null,
}
const http = { scheme: 'http', address: '127.0.0.2' } as const
type Changes = Partial<Omit<typeof target, 'body_text'> & { body_text: string; port: number }>
const probe = async (changes: Changes, to: object = http, limits?: typeof SHORT) =>
  probeHttp({ ...target, port, ...changes }, { ...http, ...to }, guarded(), limits)

test('a target that answers is up; it gets the domain as Host, on the stored address', async () => {
  hosts.length = 0
  const result = await probe({ path: '/to-ok' })
  expect(result).toMatchObject({ outcome: 'up', cause: null, status: 200, address: '127.0.0.2' })
  expect(result.latencyMs).toBeGreaterThan(0)
  // The domain does not resolve: the redirect to the same host stays on the stored address.
  expect(hosts).toEqual(Array(2).fill(`127.0.0.2 ${FQDN}:${port}`))
})

test.each([
  ['/502', 'status', 'The server responds with status 502. Expected: 200-399.'],
  ['/endless-headers', 'invalid-response', 'The response headers are too large.'],
  ['/garbage', 'invalid-response', 'The response is not valid HTTP.'],
  ['/closed', 'connection-lost', 'The server closed the connection before it responded.'],
  ['/loop', 'too-many-redirects', 'The URL redirects too many times.'],
  ['/inside', 'target-not-allowed', 'not public'],
  ['/mixed', 'target-not-allowed', 'not public'],
  ['/own', 'target-not-allowed', 'The URL leads to this service itself.'],
  ['/smtp', 'target-not-allowed', 'The port is not allowed.'],
  ['/gopher', 'target-not-allowed', 'The URL must begin with http:// or https://.'],
])('%s: %s', async (path, cause, causeText) => {
  expect(await probe({ path })).toMatchObject({ outcome: 'down', cause, causeText })
})

test.concurrent.each(['/silent', '/slow-headers', '/slow-body'])('%s is given up', async (path) => {
  const given = await probe({ path }, http, SHORT)
  expect(given).toMatchObject({ outcome: 'down', cause: 'timeout' })
})

test('a redirect to a name whose address changes is looked up and checked each time', async () => {
  const outcomes = [await probe({ path: '/rebinding' }), await probe({ path: '/rebinding' })]
  expect(outcomes.map(({ cause }) => cause)).toEqual([null, 'target-not-allowed'])
})

test('a loop of redirects ends after three of them', async () => {
  hosts.length = 0
  await probe({ path: '/loop' })
  expect(hosts.length).toBe(4)
})

test('redirects can count as the answer', async () => {
  const own = { path: '/inside', follows_redirects: false }
  expect(await probe({ ...own, expected_status: '302' })).toMatchObject({ outcome: 'up' })
  expect(await probe({ ...own, expected_status: '200' })).toMatchObject({ cause: 'status' })
})

test('the text is looked for in the first 256 KiB', async () => {
  expect(await probe({ body_text: 'hell' })).toMatchObject({ outcome: 'up' })
  expect(await probe({ body_text: 'goodbye' })).toMatchObject({
    cause: 'text-missing',
    causeText: 'The response does not contain the expected text.',
  })
  expect(await probe({ path: '/gibibyte' })).toMatchObject({ outcome: 'up' })
  expect(await probe({ path: '/gibibyte', body_text: 'b' })).toMatchObject({
    cause: 'text-missing',
    causeText: 'The first 256 KiB of the response do not contain the expected text.',
  })
})

test.each([
  ['127.0.0.1', 'target-not-allowed'],
  ['::1', 'target-not-allowed'],
  ['10.0.0.1', 'target-not-allowed'],
])('the stored address %s is checked as others are', async (address, cause) => {
  expect(await probe({}, { address })).toMatchObject({ cause })
  expect(await probeTcp({ fqdn: FQDN, address, port, timeLimitMs: 300 }, guarded())).toMatchObject({
    cause,
  })
})

test.each([
  [{ names: [FQDN], validToDays: 30 }, null],
  [{ names: [FQDN], validFromDays: -9, validToDays: -1 }, 'tls-expired'],
  [{ names: ['other.example.net'], validToDays: 30 }, 'tls-name-mismatch'],
] as [LeafOptions, string | null][])('a certificate %o: %s', async (leaf, cause) => {
  const secured = createHttpsServer(await authority.issue(leaf), (_request, response) =>
    response.end('hello'),
  ).listen(0, '127.0.0.2')
  others.push(secured)
  await once(secured, 'listening')
  const to = { port: (secured.address() as AddressInfo).port }
  const result = await probe(to, { scheme: 'https' })
  expect(result.cause).toBe(cause)
  const days = ((result.certificateExpiresAt?.getTime() ?? 0) - Date.now()) / 86_400_000
  expect(days).toBeCloseTo(leaf.validToDays ?? 0, 1)
})

test('a self-signed certificate', async () => {
  const { selfSigned } = await createTestAuthority(FQDN)
  const secured = createHttpsServer(selfSigned).listen(0, '127.0.0.2')
  others.push(secured)
  await once(secured, 'listening')
  const to = { port: (secured.address() as AddressInfo).port }
  expect(await probe(to, { scheme: 'https' })).toMatchObject({
    cause: 'tls-untrusted',
    causeText: 'The certificate is self-signed.',
  })
})

test('tcp: connects, sends nothing, and refuses ports and addresses as for URLs', async () => {
  const to = { fqdn: FQDN, address: '127.0.0.2', timeLimitMs: 300 }
  hosts.length = 0
  expect(await probeTcp({ ...to, port }, guarded())).toMatchObject({ outcome: 'up' })
  expect(await probeTcp({ ...to, port: 9 }, guarded())).toMatchObject({ cause: 'refused' })
  expect(await probeTcp({ ...to, port: 25 }, guarded())).toMatchObject({
    cause: 'target-not-allowed',
    causeText: 'The port is not allowed.',
  })
  expect(hosts).toEqual([])
})

/** A port that is not served: when its queue is full, the kernel drops further connections, as a firewall does. */
const UNSERVED = `
  const { parentPort } = require('node:worker_threads')
  const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.2', backlog: 1 })
  server.on('listening', () => {
    parentPort.postMessage(server.address().port)
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
  })`

test('a connection that is not accepted is given up after the limit of silence', async () => {
  const unserved = new Worker(UNSERVED, { eval: true })
  others.push({ close: () => unserved.terminate() })
  const [full] = (await once(unserved, 'message')) as [number]
  const waiting = Array.from({ length: 2 }, () => connect(full, '127.0.0.2'))
  await Promise.all(waiting.map((socket) => once(socket, 'connect')))
  others.push({ close: () => waiting.forEach((socket) => socket.destroy()) })
  const given = {
    cause: 'timeout',
    causeText: 'The server did not accept the connection within 0.3 seconds.',
  }
  expect(await probe({ port: full }, http, SHORT)).toMatchObject(given)
  const to = { fqdn: FQDN, address: '127.0.0.2', port: full, timeLimitMs: 300 }
  expect(await probeTcp(to, guarded())).toMatchObject(given)
})

test('every connection is closed when its check has ended', async () => {
  await expect.poll(() => open.size).toBe(0)
})
