/** Servers that are slow, endless, or do not speak HTTP. A request must not exceed its limits of time and memory. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { failureOf, testOutgoing } from '../../../test/support/outgoing.ts'

const OK = 'HTTP/1.1 200 OK\r\n'

/** Sends the same octets until the client disconnects. */
function forEver(socket: Socket, octets: string): void {
  const more = () => {
    while (!socket.destroyed && socket.write(octets));
  }
  socket.on('drain', more)
  more()
}

/** Sends one octet after another until the client disconnects. */
function dripping(socket: Socket, octet: string): void {
  const timer = setInterval(() => socket.write(octet), 5)
  socket.on('close', () => clearInterval(timer))
}

const BEHAVIOUR: Readonly<Record<string, (socket: Socket) => void>> = {
  '/silent': () => undefined,
  '/dripping-headers': (socket) => {
    socket.write(`${OK}x-long: `)
    dripping(socket, 'a')
  },
  '/endless-headers': (socket) => {
    socket.write(OK)
    forEver(socket, 'x-more: and more\r\n')
  },
  '/one-endless-header': (socket) => {
    socket.write(`${OK}x-long: `)
    forEver(socket, 'a'.repeat(1024))
  },
  '/endless-early-hints': (socket) => forEver(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  '/stalled-body': (socket) => void socket.write(`${OK}content-length: 10\r\n\r\n01234`),
  '/dripping-body': (socket) => {
    socket.write(`${OK}\r\n`)
    dripping(socket, 'a')
  },
  '/endless-body': (socket) => {
    socket.write(`${OK}\r\n`)
    forEver(socket, 'a'.repeat(64 * 1024))
  },
  '/endless-chunks': (socket) => {
    socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`)
    forEver(socket, '1\r\na\r\n')
  },
  '/redirect-with-endless-body': (socket) => {
    socket.write('HTTP/1.1 302 Found\r\nlocation: /end\r\n\r\n')
    forEver(socket, 'a'.repeat(64 * 1024))
  },
  '/end': (socket) => void socket.end(`${OK}content-length: 2\r\n\r\nok`),
  '/short-body': (socket) => void socket.end(`${OK}content-length: 10\r\n\r\n01234`),
  '/not-http': (socket) => void socket.end('220 mail.example.net ESMTP\r\n'),
  '/upgrade': (socket) =>
    void socket.end(
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    ),
  '/closed': (socket) => void socket.end(),
  '/reset': (socket) => void socket.resetAndDestroy(),
}

let server: Server
let silentTls: Server
let port = 0
const open = new Set<Socket>()

beforeAll(async () => {
  const listen = async (each: Server) =>
    new Promise<void>((listening) => each.listen(0, '127.0.0.1', listening))
  const keep = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => undefined).on('close', () => open.delete(socket))
  }
  server = createServer((socket) => {
    keep(socket)
    socket.once('data', (request) => {
      const [, path = ''] = request.toString('latin1').split(' ')
      BEHAVIOUR[path]?.(socket)
    })
  })
  silentTls = createServer((socket) => keep(socket.resume()))
  await Promise.all([listen(server), listen(silentTls)])
  ;({ port } = server.address() as AddressInfo)
})
afterAll(() => {
  server.close()
  silentTls.close()
})

const outgoing = testOutgoing({ resolveAll: async () => [{ address: '127.0.0.1' }] })
const send = (path: string, limits: object = {}) =>
  failureOf(outgoing.target({ url: `http://slow.example.net:${port}${path}`, ...limits }))

test.concurrent.each([
  '/silent',
  '/dripping-headers',
  '/endless-early-hints',
  '/stalled-body',
  '/dripping-body',
])('%s ends with the time limit of the whole request', async (path) => {
  expect((await send(path, { timeLimitMs: 1_000 })).code).toBe('timeout')
})

test.each([['/silent'], ['/stalled-body']])('%s ends with the limit of silence', async (path) => {
  const failure = await send(path, { timeLimitMs: 60_000, silenceLimitMs: 100 })
  expect([failure.code, failure.message]).toEqual(['timeout', expect.stringMatching(/server/)])
})

test.each([
  ['/endless-headers', 'too-large', 'The response headers are too large.'],
  ['/one-endless-header', 'too-large', 'The response headers are too large.'],
  ['/endless-body', 'too-large', 'The response is too large.'],
  ['/endless-chunks', 'too-large', 'The response is too large.'],
  ['/short-body', 'connection-lost', 'The server closed the connection before it responded.'],
  ['/not-http', 'invalid-response', 'The response is not valid HTTP.'],
  ['/upgrade', 'connection-lost', 'The server closed the connection before it responded.'],
  ['/closed', 'connection-lost', 'The server closed the connection before it responded.'],
  ['/reset', 'connection-lost', 'The server closed the connection before it responded.'],
])('%s: %s', async (path, code, message) => {
  const failure = await send(path, { bodyLimitBytes: 4096 })
  expect([failure.code, failure.message]).toEqual([code, message])
})

test('an endless body is cut if the caller wants only its beginning', async () => {
  const response = await outgoing.target({
    url: `http://slow.example.net:${port}/endless-body`,
    bodyLimitBytes: 4096,
    longBody: 'cut',
  })
  expect([response.status, response.body.length, response.isCut]).toEqual([200, 4096, true])
})

test('the body of a redirect is not read', async () => {
  const url = `http://slow.example.net:${port}/redirect-with-endless-body`
  expect((await outgoing.target({ url })).body.toString()).toBe('ok')
})

test('a port on which nothing listens', async () => {
  const closed = createServer()
  await new Promise<void>((listening) => closed.listen(0, '127.0.0.1', listening))
  const { port: free } = closed.address() as AddressInfo
  await new Promise((done) => closed.close(done))
  const url = `http://slow.example.net:${free}/`
  expect(await failureOf(outgoing.target({ url }))).toMatchObject({ code: 'refused', hop: { url } })
})

test('a look-up and a TLS handshake that never end', async () => {
  const never = testOutgoing({ resolveAll: async () => new Promise<never>(() => undefined) })
  const unnamed = await failureOf(
    never.target({ url: 'http://slow.example.net/', timeLimitMs: 50 }),
  )
  expect([unnamed.code, unnamed.message]).toEqual([
    'timeout',
    'The request reached its limit of 0.05 seconds while its host name was looked up.',
  ])
  const { port: tlsPort } = silentTls.address() as AddressInfo
  const url = `https://slow.example.net:${tlsPort}/`
  const silent = await failureOf(outgoing.target({ url, timeLimitMs: 1_000 }))
  expect([silent.code, silent.message]).toEqual([
    'timeout',
    'The request reached its limit of 1 second during the TLS handshake.',
  ])
})

test('every connection is closed when its request has ended, whatever the outcome', async () => {
  await expect.poll(() => open.size).toBe(0)
})
