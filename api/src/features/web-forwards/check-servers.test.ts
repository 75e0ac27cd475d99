/**
 * The check of a target against real servers: hostile ones, and names that lead inside. 127.0.0.2 stands for the Internet,
 * 127.0.0.1 for an internal address, 127.0.0.3 for an address of the service.
 */
import type { TargetCheck } from '@homing/openapi'
import { once } from 'node:events'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestAuthority } from '../../../../test/certificates.ts'
import { placesAt, testOutgoing } from '../../../test/support/outgoing.ts'
import { useForwardWorld } from '../../../test/support/web-forward-world.ts'
import { query } from '../../database/sql.ts'
import { OutgoingFailure } from '../../integrations/outgoing-http/outgoing-failure.ts'
import type { OutgoingHttp } from '../../integrations/outgoing-http/outgoing-http.ts'

const GIBIBYTE = 2 ** 30
const OK = 'HTTP/1.1 200 OK\r\n'

/** Sends the same octets until the client disconnects. */
function forEver(socket: Socket, octets: string): void {
  const more = () => {
    while (!socket.destroyed && socket.write(octets));
  }
  socket.on('drain', more)
  more()
}

const page = (...headers: readonly string[]) =>
  `${OK}${headers.map((header) => `${header}\r\n`).join('')}content-length: 2\r\n\r\nok`
const redirect = (location: string) =>
  `HTTP/1.1 302 Found\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`

/** What the server at 127.0.0.2 answers, by path; it answers others with 404. */
const ANSWERS: Readonly<Record<string, (socket: Socket) => void>> = {
  '/fine': (socket) => void socket.end(page()),
  '/garbage': (socket) => void socket.end('220 mail.example.net ESMTP\r\n'),
  '/bare-status': (socket) => void socket.end('HTTP/1.1 9999999 \u0000\r\n\r\n'),
  '/no-answer': (socket) => void socket.end(),
  '/endless-headers': (socket) => {
    socket.write(OK)
    forEver(socket, 'x-more: and more\r\n')
  },
  '/endless-header': (socket) => {
    socket.write(`${OK}x-long: `)
    forEver(socket, 'a'.repeat(1_024))
  },
  '/held': (socket) => void held.push(socket),
  '/huge': (socket) => {
    socket.write(`${OK}content-length: ${GIBIBYTE}\r\n\r\n`)
    forEver(socket, 'a'.repeat(65_536))
  },
  '/loop': (socket) => void socket.end(redirect('/pool')),
  '/pool': (socket) => void socket.end(redirect('/loop')),
  '/inside': (socket) => void socket.end(redirect(`http://127.0.0.1:${port}/`)),
  '/mapped': (socket) => void socket.end(redirect(`http://[::ffff:127.0.0.1]:${port}/`)),
  '/service': (socket) => void socket.end(redirect(`http://own.example.net:${port}/`)),
  '/again': (socket) => void socket.end(redirect(`http://rebinding.example.net:${port}/fine`)),
  '/denied': (socket) => void socket.end(page('X-Frame-Options: DENY')),
  '/two-policies': (socket) =>
    void socket.end(
      page(
        'Content-Security-Policy: frame-ancestors *',
        "Content-Security-Policy: default-src 'self'; frame-ancestors https://else.example.org",
      ),
    ),
  '/policy-decides': (socket) =>
    void socket.end(page('X-Frame-Options: DENY', 'Content-Security-Policy: frame-ancestors *')),
}

/** The addresses of names, for their n-th look-up. */
const ADDRESSES: Readonly<Record<string, (n: number) => readonly string[]>> = {
  'site.example.net': () => ['127.0.0.2'],
  'mixed.example.net': () => ['127.0.0.2', '127.0.0.1'],
  'rebinding.example.net': (n) => [n === 1 ? '127.0.0.2' : '127.0.0.1'],
  'own.example.net': () => ['127.0.0.3'],
}

const servers: Server[] = []
/** Requests that are answered when a test says so. */
let held: Socket[] = []
const open = new Set<Socket>()
let port = 0
let expiredPort = 0
/** Connections to 127.0.0.1 and 127.0.0.3. */
let inside = 0
let requests = 0
let sentBytes = 0
let lookUps = new Map<string, number>()
let door: OutgoingHttp

async function listen(server: Server, host: string, at = 0): Promise<number> {
  servers.push(server.listen(at, host))
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function answer(socket: Socket): void {
  open.add(socket)
  socket.on('error', () => undefined)
  socket.on('close', () => {
    sentBytes += socket.bytesWritten
    open.delete(socket)
  })
  socket.once('data', (request) => {
    requests += 1
    const [, path = ''] = request.toString('latin1').split(' ')
    const respond = ANSWERS[path]
    if (respond === undefined) socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n')
    else respond(socket)
  })
}

const t = useForwardWorld((request) => door.target(request))

beforeAll(async () => {
  port = await listen(createServer(answer), '127.0.0.2')
  for (const host of ['127.0.0.1', '127.0.0.3']) {
    const count = createServer((socket) => {
      inside += 1
      socket.destroy()
    })
    await listen(count, host, port)
  }
  const authority = await createTestAuthority()
  const expired = { names: ['site.example.net'], validFromDays: -30, validToDays: -1 }
  expiredPort = await listen(createHttpsServer(await authority.issue(expired)), '127.0.0.2')
  door = testOutgoing({
    allowsPrivate: false,
    own: placesAt([], ['127.0.0.3']),
    trusted: [authority.cert],
    async resolveAll(hostname) {
      const n = (lookUps.get(hostname) ?? 0) + 1
      lookUps.set(hostname, n)
      return (ADDRESSES[hostname]?.(n) ?? []).map((address) => ({ address }))
    },
    requireOutside(address) {
      if (/^127\.0\.0\.[23]$/.test(address)) return
      throw new OutgoingFailure('private-address', `${address} is not public.`)
    },
  })
})
afterAll(() => {
  for (const server of servers) server.close()
})
beforeEach(() => {
  ;[inside, requests, sentBytes] = [0, 0, 0]
  lookUps = new Map()
})

const at = (path: string, host = 'site.example.net') => `http://${host}:${port}${path}`
const check = (target_url: string) =>
  t.read<TargetCheck>(t.ada, 'POST', '/api/webforward/check', { target_url })

test.each([
  ['/garbage', 'invalid-answer', 'The response is not valid HTTP.'],
  ['/bare-status', 'invalid-answer', 'The response is not valid HTTP.'],
  ['/endless-headers', 'invalid-answer', 'The response headers are too large.'],
  ['/endless-header', 'invalid-answer', 'The response headers are too large.'],
  ['/no-answer', 'no-answer', 'The server closed the connection before it responded.'],
  ['/nothing', 'error-status', 'The target answers with status 404.'],
])('%s: %s', async (path, finding, message) => {
  expect(await check(at(path))).toMatchObject({ finding, message, frames: 'unknown' })
  await expect.poll(() => open.size).toBe(0)
})

test('of a body of 1 GiB, only the beginning is read', async () => {
  expect(await check(at('/huge'))).toMatchObject({ finding: 'reachable', frames: 'allowed' })
  await expect.poll(() => open.size).toBe(0)
  // What the buffers of the system hold.
  expect(sentBytes).toBeLessThan(GIBIBYTE / 32)
})

test('slow targets of an account hold at most eight checks at once', async () => {
  held = []
  const slow = Array.from({ length: 8 }, () => check(at('/held')))
  await expect.poll(() => held.length).toBe(8)
  const body = { target_url: at('/fine') }
  const ninth = await t.call(t.ada, 'POST', '/api/webforward/check', body)
  expect(ninth).toMatchObject({ status: 429, headers: { 'retry-after': '2' } })
  expect(JSON.parse(ninth.body)).toMatchObject({
    code: 'rate-limited',
    detail:
      '8 targets of your account are being checked. Please wait until one of these checks has finished.',
  })
  const eve = await t.world.person(t.fresh('eve'), 'pro')
  expect((await t.call(eve, 'POST', '/api/webforward/check', body)).status).toBe(200)
  for (const socket of held) socket.end(page())
  expect((await Promise.all(slow)).map(({ finding }) => finding)).toEqual(
    Array.from({ length: 8 }, () => 'reachable'),
  )
  expect((await check(body.target_url)).finding).toBe('reachable')
})

describe('what changed while the target was checked counts', () => {
  const changes: Readonly<Record<string, (domainId: string) => Promise<unknown>>> = {
    'plan-required': async () =>
      query(t.world.knex, `update users set account_type = 'free' where id = ?`, [t.ada.id]),
    'domain-locked': async (id) => t.withhold(id, 'locked'),
    'not-found': async (id) => t.call(t.ada, 'DELETE', `/api/domains/${id}`),
    conflict: async (domain_id) =>
      t.call(t.ada, 'POST', '/api/webforward', { domain_id, target_url: at('/fine') }),
  }
  test.each(Object.entries(changes))('%s', async (code, change) => {
    held = []
    const { id } = await t.domain(t.ada, 'meantime')
    const body = { domain_id: id, target_url: at('/held') }
    const saving = t.refused(t.ada, 'POST', '/api/webforward', body)
    await expect.poll(() => held.length).toBe(1)
    await change(id)
    held[0]?.end(page())
    expect((await saving).code).toBe(code)
  })
})

test('a redirect loop ends after five redirects', async () => {
  expect(await check(at('/loop'))).toMatchObject({
    finding: 'too-many-redirects',
    message: 'The target redirects more than 5 times.',
  })
  expect(requests).toBe(6)
})

test('an expired certificate', async () => {
  const url = `https://site.example.net:${expiredPort}/`
  expect(await check(url)).toMatchObject({
    finding: 'tls',
    message: expect.stringMatching(/^The certificate .*expired/),
    hops: [{ url, status: null }],
  })
})

describe('a target that leads inside is found, refused on saving, and not connected to', () => {
  test.each([
    [at('/', 'mixed.example.net'), 'private-address'],
    [at('/inside'), 'private-address'],
    [at('/mapped'), 'private-address'],
    [at('/', 'own.example.net'), 'leads-back'],
    [at('/service'), 'leads-back'],
    [at('/again', 'rebinding.example.net'), 'private-address'],
  ])('%s: %s', async (withoutPort, finding) => {
    // The port is known only when the server listens.
    const target_url = withoutPort.replace(':0', `:${port}`)
    expect(await check(target_url)).toMatchObject({ finding, fallback: null })
    const { id } = await t.domain(t.ada, 'inward')
    lookUps = new Map()
    const body = { domain_id: id, target_url }
    expect(await t.refused(t.ada, 'POST', '/api/webforward', body)).toMatchObject({
      status: 422,
      code: 'target-not-allowed',
    })
    expect(inside).toBe(0)
  })
})

test('a name is looked up once for each request, and that answer is used', async () => {
  const url = at('/fine', 'rebinding.example.net')
  expect(await check(url)).toMatchObject({ finding: 'reachable' })
  expect(lookUps.get('rebinding.example.net')).toBe(1)
  // Changed after the check: a later one does not trust the former answer.
  expect(await check(url)).toMatchObject({ finding: 'private-address' })
  expect(inside).toBe(0)
})

test.each([
  ['/fine', 'allowed', null],
  ['/denied', 'refused', 'frames-refused'],
  ['/two-policies', 'refused', 'frames-refused'],
  ['/policy-decides', 'allowed', null],
])('frames of %s: %s', async (path, frames, fallback) => {
  expect(await check(at(path))).toMatchObject({ finding: 'reachable', frames, fallback })
})
