/** The server by octets: what visitors, scanners and clumsy clients send. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { answerOf, exchange, untilClosed } from '../../test/support/raw-http.ts'
import { ForwardTable } from './forward-table.ts'
import { createForwardServer } from './server.ts'
import { createServicePages } from './service-pages.ts'
import { makeForward, makeNames } from './test-support.ts'

const OPERATOR = {
  productName: 'Ada & Söhne',
  publicUrl: new URL('https://dns.example.net'),
  abuseEmail: 'abuse@example.net',
}
const NOW = Date.parse('2027-03-02T00:00:00Z')
const target = 'https://target.example/base?x=1'

let table: ForwardTable
let server: Server
let hits: number[]
let statuses: number[]
let port: number

async function start(limits = {}): Promise<void> {
  server = createForwardServer({
    table,
    pages: createServicePages(OPERATOR),
    abuseEmail: OPERATOR.abuseEmail,
    now: () => NOW,
    trustProxy: [],
    rateLimits: true,
    onHit: ({ id }) => hits.push(id),
    onAnswer: (status) => statuses.push(status),
    limits,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ;({ port } = server.address() as AddressInfo)
}

beforeEach(async () => {
  hits = []
  statuses = []
  table = new ForwardTable()
  const names = makeNames({
    'r301.example.net': makeForward({ id: '1', target }),
    'r302.example.net': makeForward({ id: '2', target, status: 302 }),
    'r307.example.net': makeForward({ id: '3', target, status: 307 }),
    'r308.example.net': makeForward({ id: '4', target, status: 308 }),
    '*.r301.example.net': makeForward({ id: '1', target }),
    'nas.r301.example.net': null,
    'frame.example.net': makeForward({ id: '5', target, type: 'stealth', title: 'At home' }),
  })
  table.replace({ serial: 1n, feedId: 'feed', token: 'token' }, names)
  await start()
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

/** Sends a request whose connection ends with its answer. */
async function ask(host: string, { method = 'GET', url = '/', version = '1.1' } = {}) {
  const text = `${method} ${url} HTTP/${version}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
  return answerOf(await exchange({ port }, text))
}

test.each([
  ['r301', 301, 'max-age=300'],
  ['r302', 302, 'no-store'],
  ['r307', 307, 'no-store'],
  ['r308', 308, 'max-age=300'],
])('%s.example.net answers %i', async (label, status, caching) => {
  const answer = await ask(`${label}.example.net`, { url: '/a?b=2' })
  expect(answer.status).toBe(status)
  expect(answer.headers.get('location')).toBe('https://target.example/base/a?x=1&b=2')
  expect(answer.headers.get('cache-control')).toBe(caching)
  expect(answer.body).toBe('')
  expect(answer.headers.has('set-cookie')).toBe(false)
})

test.each(['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
  '%s is redirected like GET',
  async (method) => {
    expect((await ask('r307.example.net', { method })).status).toBe(307)
    expect(hits).toEqual([3])
  },
)

test('HTTP/1.0 is answered, with and without a Host header', async () => {
  expect((await ask('r301.example.net', { version: '1.0' })).status).toBe(301)
  expect(answerOf(await exchange({ port }, 'GET / HTTP/1.0\r\n\r\n')).status).toBe(404)
})

test('below a wildcard, unregistered names are forwarded and registered ones are not', async () => {
  expect((await ask('any.r301.example.net')).status).toBe(301)
  expect((await ask('nas.r301.example.net')).status).toBe(404)
})

test('the host of an absolute form counts', async () => {
  const answer = await ask('unknown.example.net', { url: 'http://r302.example.net/a' })
  expect(answer.status).toBe(302)
})

test('a stealth forward is a page that can only be read', async () => {
  const page = await ask('frame.example.net', { url: '/a' })
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('content-security-policy')).toContain('frame-src http: https:;')
  expect(page.headers.has('set-cookie')).toBe(false)
  expect(page.body).toContain('<iframe src="https://target.example/base/a?x=1" title="At home">')
  const head = await ask('frame.example.net', { url: '/a', method: 'HEAD' })
  expect(head.body).toBe('')
  expect(head.headers.get('content-length')).toBe(page.headers.get('content-length'))
  const post = await ask('frame.example.net', { method: 'POST' })
  expect(post.status).toBe(405)
  expect(post.headers.get('allow')).toBe('GET, HEAD')
  expect(hits).toEqual([5, 5])
})

test('an unknown host gets a page that names the service and the address for abuse', async () => {
  const page = await ask('unknown.example.net')
  expect(page.status).toBe(404)
  expect(page.body).toContain('Ada &amp; Söhne')
  expect(page.body).toContain('href="https://dns.example.net/"')
  expect(page.body).toContain('mailto:abuse@example.net')
  expect(hits).toEqual([])
})

test('before anything is known about hosts, the answer is 503 and never 404', async () => {
  server.close()
  table = new ForwardTable()
  await start()
  const page = await ask('r301.example.net')
  expect(page.status).toBe(503)
  expect(page.headers.get('retry-after')).toBe('2')
  expect(statuses).toEqual([503])
})

const HOST = 'Host: r301.example.net\r\n'
test.each([
  ['no Host', 'GET / HTTP/1.1\r\n\r\n'],
  ['two Hosts', `GET / HTTP/1.1\r\n${HOST}${HOST}\r\n`],
  ['a list of hosts', 'GET / HTTP/1.1\r\nHost: r301.example.net, r302.example.net\r\n\r\n'],
  ['a host with user information', 'GET / HTTP/1.1\r\nHost: a@r301.example.net\r\n\r\n'],
  ['an absolute form of another scheme', `GET ftp://r301.example.net/ HTTP/1.1\r\n${HOST}\r\n`],
  ['white space before the colon', 'GET / HTTP/1.1\r\nHost : r301.example.net\r\n\r\n'],
  ['a control character in the path', `GET /\u0001 HTTP/1.1\r\n${HOST}\r\n`],
  ['no HTTP', 'hello\r\n\r\n'],
])('%s is refused, and the connection ends', async (_what, octets) => {
  const answer = answerOf(await exchange({ port }, octets))
  expect(answer.status).toBe(400)
  expect(answer.body).not.toContain('HTTP/1.1 ')
  expect(hits).toEqual([])
})

test('headers of more than 16 KiB are refused', async () => {
  const octets = `GET / HTTP/1.1\r\n${HOST}X: ${'a'.repeat(20_000)}\r\n\r\n`
  expect(answerOf(await exchange({ port }, octets)).status).toBe(431)
  expect(statuses).toEqual([431])
})

test('a client that does not finish its headers is sent away', async () => {
  server.close()
  await start({ requestTimeout: 100, headersTimeout: 100, connectionsCheckingInterval: 20 })
  const socket = connect({ port, host: '127.0.0.1' })
  const closed = untilClosed(socket)
  socket.write(`GET / HTTP/1.1\r\n${HOST}`)
  expect(answerOf(await closed).status).toBe(408)
})

test('bodies are skipped, and the connection continues', async () => {
  const post = `POST /a HTTP/1.1\r\n${HOST}Content-Length: 3\r\n\r\nabc`
  const last = `GET /b HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`
  const text = await exchange({ port }, post + last)
  expect(text.match(/^location: .*$/gim)).toEqual([
    'location: https://target.example/base/a?x=1',
    'location: https://target.example/base/b?x=1',
  ])
})

test('a client that waits for 100 gets the answer instead', async () => {
  const octets = `PUT /a HTTP/1.1\r\n${HOST}Expect: 100-continue\r\nContent-Length: 3\r\nConnection: close\r\n\r\n`
  const text = await exchange({ port }, octets)
  expect(text.startsWith('HTTP/1.1 301')).toBe(true)
})

test('an endless body ends the connection', async () => {
  const socket = connect({ port, host: '127.0.0.1' })
  const closed = untilClosed(socket)
  socket.write(`POST /a HTTP/1.1\r\n${HOST}Content-Length: 1073741824\r\n\r\n`)
  const piece = Buffer.alloc(65_536)
  while (!socket.destroyed) await new Promise((sent) => socket.write(piece, sent))
  expect((await closed).startsWith('HTTP/1.1 301')).toBe(true)
})

test('tunnels are refused', async () => {
  const text = await exchange({ port }, `CONNECT r301.example.net:443 HTTP/1.1\r\n${HOST}\r\n`)
  expect(answerOf(text).status).toBe(501)
})
