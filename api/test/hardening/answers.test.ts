/** The headers of every kind of response, and what is refused, in octets on a real connection. */
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiWorld, openApiWorld } from '../support/api-world.ts'
import { answerOf, exchange, type RawAnswer } from '../support/raw-http.ts'

let world: ApiWorld
let port: number

beforeAll(async () => {
  world = await openApiWorld({ publicUrl: new URL('https://dns.example.net') })
  await world.app.listen({ host: '127.0.0.1', port: 0 })
  ;({ port } = world.app.server.address() as AddressInfo)
})
afterAll(() => world.end())

const HOST = 'Host: dns.example.net\r\n'
const send = async (octets: string): Promise<RawAnswer> =>
  answerOf(await exchange({ port }, octets))
const ask = (line: string, headers = HOST, body = '') =>
  send(`${line} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n${body}`)
const post = (body: string, headers: string) =>
  ask('POST /api/login', `${HOST}${headers}Content-Length: ${Buffer.byteLength(body)}\r\n`, body)
const JSON_TYPE = 'Content-Type: application/json\r\n'

describe('every kind of response', () => {
  test.each([
    ['a call', 'GET /api/health', [200]],
    ['a refusal', 'GET /api/me', [401]],
    ['a page', 'GET /', [200]],
    ['a page below the back office', 'GET /admin/', [200, 404]],
    ['the documentation', 'GET /api/docs', [200]],
    ['the contract', 'GET /api/openapi.json', [200]],
    ['what is not there', 'GET /nothing', [404]],
    ['a file that is not there', 'GET /assets/nothing.js', [404]],
    ['a method that is not taken', 'DELETE /api/health', [405]],
    ['metrics', 'GET /metrics', [200]],
  ])(
    '%s cannot be framed or sniffed, and loads nothing from elsewhere',
    async (_what, line, status) => {
      const answer = await ask(line)
      expect(status).toContain(answer.status)
      const headers = Object.fromEntries(answer.headers)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': 'camera=(), geolocation=(), microphone=(), usb=()',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
      })
      const policy = headers['content-security-policy'] ?? ''
      expect(policy).toContain(`default-src 'none'`)
      expect(policy).toContain(`frame-ancestors 'none'`)
      expect(policy).toMatch(/base-uri 'none'/)
      expect(policy).not.toMatch(/script-src[^;]*'unsafe|\*|https?:/)
      // Only Swagger's page, which shows no user data, has inline styles.
      expect(policy.includes('unsafe-inline')).toBe(line.endsWith('/api/docs'))
      expect(headers).not.toHaveProperty('access-control-allow-origin')
      expect(headers).not.toHaveProperty('server')
      expect(headers).not.toHaveProperty('x-powered-by')
    },
  )

  test.each([
    ['a URL that cannot be read', `GET /api/%zz HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`],
    ['no HTTP', 'hello\r\n\r\n'],
    ['too large headers', `GET / HTTP/1.1\r\n${HOST}x: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['too many headers', `GET / HTTP/1.1\r\n${HOST}${'a: b\r\n'.repeat(5_000)}\r\n`],
  ])('%s contains nothing that runs', async (_what, octets) => {
    const answer = await send(octets)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'content-security-policy': `default-src 'none'; frame-ancestors 'none'`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
  })

  test('update URLs have few headers, because old devices read few', async () => {
    const { headers } = await ask('GET /nic/update?hostname=a.homing.test')
    expect([...headers.keys()].sort()).toEqual([
      'cache-control',
      'connection',
      'content-length',
      'content-type',
      'date',
      'www-authenticate',
      'x-content-type-options',
    ])
  })
})

describe('other sites', () => {
  const PREFLIGHT = `${HOST}Origin: https://evil.example\r\nAccess-Control-Request-Method: PUT\r\nAccess-Control-Request-Headers: authorization\r\n`

  test.each(['/api/me', '/api/login', '/api/domains', '/api/openapi.json', '/nic/update', '/'])(
    'may not call %s: no preflight is granted',
    async (url) => {
      const answer = await ask(`OPTIONS ${url}`, PREFLIGHT)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      const granted = [...answer.headers.keys()].filter((name) => name.startsWith('access-control'))
      expect(granted).toEqual([])
    },
  )

  test('cannot read a response either', async () => {
    const answer = await ask('GET /api/health', `${HOST}Origin: https://evil.example\r\n`)
    expect(answer.headers.has('access-control-allow-origin')).toBe(false)
  })
})

describe('bodies', () => {
  test.each([
    ['a form', 'Content-Type: application/x-www-form-urlencoded\r\n', 'username_or_email=a'],
    ['text', 'Content-Type: text/plain\r\n', '{}'],
    ['no type', '', '{}'],
    ['parts', 'Content-Type: multipart/form-data; boundary=x\r\n', '--x--'],
    ['JSON of another kind', 'Content-Type: application/vnd.api+json\r\n', '{}'],
    ['a second type behind the first', 'Content-Type: text/plain; application/json\r\n', '{}'],
  ])('%s is not JSON: 415', async (_what, type, body) => {
    expect((await post(body, type)).status).toBe(415)
  })

  test.each(['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip', 'identity, gzip', 'GZIP'])(
    'in %s is not decompressed: 415, with the supported encoding',
    async (coding) => {
      const answer = await post('\x1f\x8b\x08', `${JSON_TYPE}Content-Encoding: ${coding}\r\n`)
      expect(answer.status).toBe(415)
      expect(answer.headers.get('accept-encoding')).toBe('identity')
    },
  )

  test('the coding identity is accepted', async () => {
    expect((await post('{}', `${JSON_TYPE}Content-Encoding: identity\r\n`)).status).toBe(422)
  })

  test.each([
    ['{"__proto__":{"isAdmin":true}}', 400],
    ['{"a":{"__proto__":null}}', 400],
    ['{"\\u005f_proto__":{"x":1}}', 400],
    ['{"constructor":{"prototype":{"x":1}}}', 400],
    ['['.repeat(21) + ']'.repeat(21), 422],
    ['{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000), 422],
    ['['.repeat(50_000), 400],
  ])('%s is refused', async (body, status) => {
    expect((await post(body, JSON_TYPE)).status).toBe(status)
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined()
  })

  test('more than 100 KiB is refused before it is sent', async () => {
    const headers = `${HOST}${JSON_TYPE}Content-Length: 102401\r\n`
    expect((await ask('POST /api/login', headers, '{')).status).toBe(413)
  })

  test('more than 100 KiB in chunks is refused when it arrives', async () => {
    const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`
    const headers = `${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n`
    expect((await ask('POST /api/login', headers, `${chunk.repeat(8)}0\r\n\r\n`)).status).toBe(413)
  })
})

describe('requests that proxies and we could read differently', () => {
  test.each([
    ['two hosts', `GET /api/health HTTP/1.1\r\nHost: a\r\nHost: b\r\n`],
    ['an invalid host', `GET /api/health HTTP/1.1\r\nHost: a b\r\n`],
    ['a host with a path', `GET /api/health HTTP/1.1\r\nHost: a/b\r\n`],
    ['a host with a name before it', `GET /api/health HTTP/1.1\r\nHost: a@b\r\n`],
    [
      'two lengths',
      `POST /api/login HTTP/1.1\r\n${HOST}Content-Length: 2\r\nContent-Length: 3\r\n`,
    ],
    [
      'length and chunks',
      `POST /api/login HTTP/1.1\r\n${HOST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n`,
    ],
    ['chunks twice', `POST /api/login HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked, chunked\r\n`],
    ['a length with a sign', `POST /api/login HTTP/1.1\r\n${HOST}Content-Length: +2\r\n`],
    ['a space before the colon', `POST /api/login HTTP/1.1\r\n${HOST}Content-Length : 2\r\n`],
    ['a folded header', `GET /api/health HTTP/1.1\r\n${HOST}X: a\r\n b\r\n`],
    ['a bare line feed in a header', `GET /api/health HTTP/1.1\r\n${HOST}X: a\rb\r\n`],
    ['HTTP/2 without TLS', 'PRI * HTTP/2.0\r\n\r\nSM\r\n'],
  ])('%s: 400', async (_what, head) => {
    expect((await send(`${head}Connection: close\r\n\r\n0\r\n\r\n`)).status).toBe(400)
  })

  test.each(['TRACE', 'PROPFIND', 'PATCH', 'OPTIONS'])(
    '%s is refused everywhere',
    async (method) => {
      const answer = await ask(`${method} /api/me`, `${HOST}Cookie: secret=1\r\n`)
      expect(answer.status).toBe(405)
      expect(answer.headers.get('allow')).toBe('GET, HEAD')
      expect(answer.body).not.toContain('secret')
    },
  )

  test('CONNECT gets no tunnel', async () => {
    expect(await exchange({ port }, `CONNECT 127.0.0.1:5432 HTTP/1.1\r\n${HOST}\r\n`)).toBe('')
  })
})
