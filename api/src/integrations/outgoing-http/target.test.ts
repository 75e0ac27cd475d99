/** A request to a URL of a user: method, headers, body, redirects, and the reported response. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { failureOf, testOutgoing } from '../../../test/support/outgoing.ts'

interface SeenRequest {
  readonly method: string
  readonly host: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

let server: Server
let port = 0
let asked: SeenRequest[] = []

beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  ;({ port } = server.address() as AddressInfo)
})
afterAll(() => server.close())
beforeEach(() => (asked = []))

/** `/301/URL` redirects with this status; any other request is echoed. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url: path = '', headers } = request
  asked.push({ method, host: headers.host ?? '', path, headers, body: await text(request) })
  const [, status, location] = /^\/(30\d)\/(.+)$/.exec(path) ?? []
  if (location !== undefined) {
    response.writeHead(Number(status), { location: decodeURIComponent(location) }).end('moved')
    return
  }
  response.writeHead(path === '/teapot' ? 418 : 200, {
    'content-type': 'text/plain',
    'set-cookie': ['a=1', 'b=2'],
  })
  response.end('0123456789')
}

const outgoing = testOutgoing({ resolveAll: async () => [{ address: '127.0.0.1' }] })
const at = (path: string, host = 'home.example.net') => `http://${host}:${port}${path}`
const redirect = (status: number, to: string) => at(`/${status}/${encodeURIComponent(to)}`)

test('a request is sent unchanged, and the whole response is returned', async () => {
  const response = await outgoing.target({
    url: at('/hook?x=1#part'),
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', 'X-Signature': 'abc', 'User-Agent': 'Hook' },
    body: '{"a":"ä"}',
  })
  expect(asked).toMatchObject([
    { method: 'PUT', host: `home.example.net:${port}`, path: '/hook?x=1', body: '{"a":"ä"}' },
  ])
  expect(asked[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-signature': 'abc',
    'user-agent': 'Hook',
    'accept-encoding': 'identity',
    connection: 'close',
  })
  expect(response).toMatchObject({
    status: 200,
    url: at('/hook?x=1#part'),
    address: '127.0.0.1',
    headers: { 'content-type': 'text/plain', 'set-cookie': ['a=1', 'b=2'] },
    body: Buffer.from('0123456789'),
    isCut: false,
  })
  expect(response).not.toHaveProperty('certificate')
})

test.each([['HEAD'], ['DELETE'], ['PROPFIND'], ['OPTIONS']])('%s', async (method) => {
  const response = await outgoing.target({ url: at('/teapot'), method })
  expect([asked[0]?.method, response.status]).toEqual([method, 418])
  expect(response.body.toString()).toBe(method === 'HEAD' ? '' : '0123456789')
})

test('octets are sent unchanged', async () => {
  await outgoing.target({ url: at('/'), method: 'POST', body: Buffer.from([0x61, 0x0a, 0x62]) })
  expect([asked[0]?.body, asked[0]?.headers['content-length']]).toEqual(['a\nb', '3'])
})

describe('a request that cannot be sent', () => {
  test.each([
    [{ method: 'CONNECT' }, 'The method CONNECT is not allowed.'],
    [{ method: 'trace' }, 'The method trace is not allowed.'],
    [{ method: 'GET / HTTP/1.1\r\nX: y' }, 'check its method and headers'],
    [{ headers: { Host: 'inside' } }, 'The header host is not allowed.'],
    [
      { headers: { 'Transfer-Encoding': 'chunked' } },
      'The header transfer-encoding is not allowed.',
    ],
    [{ headers: { 'Proxy-Authorization': 'x' } }, 'The header proxy-authorization is not allowed.'],
    [{ headers: { 'x-name': 'a\r\nx-other: b' } }, 'check its method and headers'],
    [{ headers: { 'x name': 'a' } }, 'check its method and headers'],
  ])('%j', async (parts, message) => {
    const failure = await failureOf(outgoing.target({ url: at('/'), ...parts }))
    expect(failure.code).toBe('invalid-request')
    expect(failure.message).toContain(message)
    expect(asked).toEqual([])
  })

  test('port 25 is refused for any address', async () => {
    const strict = testOutgoing({ allowsPrivate: false })
    const failure = await failureOf(strict.target({ url: 'http://9.9.9.9:25/' }))
    expect(failure.code).toBe('port-not-allowed')
  })
})

describe('redirects', () => {
  const secrets = {
    authorization: 'Bearer x',
    cookie: 'a=1',
    'x-kept': 'yes',
    'content-type': 'text/plain',
  }
  const post = async (url: string) => {
    await outgoing.target({ url, method: 'POST', headers: secrets, body: 'payload' })
    return asked.at(-1)
  }

  test.each([301, 302, 303])('after %i a POST becomes a GET without a body', async (status) => {
    const last = await post(redirect(status, '/end'))
    expect(last).toMatchObject({ method: 'GET', path: '/end', body: '' })
    expect(last?.headers).toMatchObject({ authorization: 'Bearer x', 'x-kept': 'yes' })
    expect(last?.headers).not.toHaveProperty('content-type')
  })

  test.each([307, 308])('after %i the method and body are kept', async (status) => {
    expect(await post(redirect(status, '/end'))).toMatchObject({ method: 'POST', body: 'payload' })
  })

  test('another origin gets no credentials', async () => {
    const last = await post(redirect(307, at('/end', 'other.example.net')))
    expect(last).toMatchObject({ host: `other.example.net:${port}`, body: 'payload' })
    expect(last?.headers).toMatchObject({ 'x-kept': 'yes' })
    expect(last?.headers).not.toHaveProperty('authorization')
    expect(last?.headers).not.toHaveProperty('cookie')
  })

  test('each hop is reported, the last one is the response', async () => {
    const response = await outgoing.target({ url: redirect(302, at('/end', 'other.example.net')) })
    expect(response.url).toBe(at('/end', 'other.example.net'))
    expect(response.hops.map(({ url, status }) => [new URL(url).hostname, status])).toEqual([
      ['home.example.net', 302],
      ['other.example.net', 200],
    ])
  })

  test('the caller can choose not to follow them', async () => {
    const url = redirect(302, '/end')
    const response = await outgoing.target({ url, followsRedirects: false })
    expect([response.status, response.headers['location'], response.body.toString()]).toEqual([
      302,
      '/end',
      'moved',
    ])
    expect(asked.length).toBe(1)
  })
})

test('a long body fails, or is cut, as the caller chooses', async () => {
  const limited = { url: at('/'), bodyLimitBytes: 4 } as const
  expect((await failureOf(outgoing.target(limited))).code).toBe('too-large')
  const cut = await outgoing.target({ ...limited, longBody: 'cut' })
  expect([cut.body.toString(), cut.isCut]).toEqual(['0123', true])
  const whole = await outgoing.target({ ...limited, bodyLimitBytes: 10, longBody: 'cut' })
  expect([whole.body.length, whole.isCut]).toEqual([10, false])
})

test('phases are timed by the given clock', async () => {
  let ticks = 0
  const timed = testOutgoing({
    resolveAll: async () => [{ address: '127.0.0.1' }],
    now: () => (ticks += 1),
  })
  const response = await timed.target({ url: redirect(302, '/end') })
  // Two readings for each phase; the body of a redirect is not read.
  expect(response.hops.map(({ phaseMs }) => phaseMs)).toEqual([
    { lookup: 1, connect: 1, firstByte: 1 },
    { lookup: 1, connect: 1, firstByte: 1, body: 1 },
  ])
  expect(response.totalMs).toBe(15)
})

test('a TCP connection waits no longer for the own addresses than for the target', async () => {
  const own = { names: [], addresses: () => Promise.withResolvers<never>().promise }
  const strict = testOutgoing({ allowsPrivate: false, own })
  const failure = await failureOf(strict.tcp({ address: '9.9.9.9', port: 80, timeLimitMs: 20 }))
  expect(failure.code).toBe('timeout')
})
