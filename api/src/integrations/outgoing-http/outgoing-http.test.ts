/** The rules that all profiles share, and the permissions of issuers and operators. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { failureOf, testOutgoing } from '../../../test/support/outgoing.ts'

let server: Server
let origin: string
let asked: string[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(`${request.method} ${request.headers.host} ${path}`)
    if (path === '/large') return response.end('x'.repeat(300 * 1024))
    if (path === '/cut') return response.socket?.destroy()
    if (path.startsWith('/to/')) {
      response.writeHead(302, { location: decodeURIComponent(path.slice('/to/'.length)) })
      return response.end()
    }
    return response.end('{}')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  origin = `http://issuer.example:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())
beforeEach(() => (asked = []))

const local = async () => [{ address: '127.0.0.1' }]
const open = testOutgoing({ resolveAll: local })
const guarded = (...addresses: string[]) =>
  testOutgoing({
    allowsPrivate: false,
    resolveAll: async () => addresses.map((address) => ({ address })),
  })

describe('an issuer that is refused before any request', () => {
  test.each([
    ['http://issuer.example/', 'scheme-not-allowed'],
    ['ftp://issuer.example/', 'scheme-not-allowed'],
    ['file:///etc/passwd', 'scheme-not-allowed'],
    ['gopher://issuer.example/', 'scheme-not-allowed'],
    ['https://issuer.example:5432/', 'port-not-allowed'],
    ['https://good@issuer.example/', 'invalid-url'],
    ['https://127.1/', 'private-address'],
    ['https://[::1]/', 'private-address'],
    ['https://[64:ff9b::7f00:1]/', 'private-address'],
    ['https://169.254.169.254/latest/meta-data/', 'private-address'],
    ['https:///', 'invalid-url'],
    ['nothing', 'invalid-url'],
    ['', 'invalid-url'],
  ])('%s: %s', async (url, code) => {
    expect((await failureOf(guarded().issuer(url))).code).toBe(code)
  })

  test.each([
    [['127.0.0.1'], 'private-address'],
    [['192.0.2.1', '10.0.0.1'], 'private-address'],
    [['9.9.9.9', '127.0.0.1'], 'private-address'],
    [['9.9.9.9', '::1'], 'private-address'],
    [['fe80::1%eth0'], 'private-address'],
    [[], 'dns'],
  ])('a name that leads to %j: %s', async (addresses, code) => {
    const failure = await failureOf(guarded(...addresses).issuer('https://issuer.example/'))
    expect(failure.code).toBe(code)
    // A caller must not learn the internal address of a name.
    expect(failure.message).toMatch(/^[^\d:]+$/)
  })
})

test('the connection goes to the checked address, with the requested host name', async () => {
  const response = await open.issuer(`${origin}/keys`)
  expect([response.status, response.body.toString()]).toEqual([200, '{}'])
  expect(response.address).toBe('127.0.0.1')
  expect(asked).toEqual([`GET ${new URL(origin).host} /keys`])
})

/** A URL that redirects this many times. */
function through(count: number): string {
  let url = '/end'
  for (let n = 0; n < count; n += 1) url = `/to/${encodeURIComponent(url)}`
  return origin + url
}

test('redirects are followed three times for an issuer, five for a target, never for an operator', async () => {
  const hops = await open.issuer(through(3))
  expect(hops.hops.map(({ status }) => status)).toEqual([302, 302, 302, 200])
  expect((await open.target({ url: through(5) })).status).toBe(200)
  const inside = new URL(through(1).replace('issuer.example', '127.0.0.1'))
  for (const send of [
    () => open.issuer(through(4)),
    () => open.target({ url: through(6) }),
    () => open.operator({ url: inside }),
  ]) {
    expect((await failureOf(send())).code).toBe('too-many-redirects')
  }
  // The configured URL is requested; a redirect to another place is not followed.
  expect(asked.at(-1)).toContain('/to/')
})

test('each redirect is checked like the first URL', async () => {
  const away = encodeURIComponent('ftp://issuer.example/')
  expect(await failureOf(open.issuer(`${origin}/to/${away}`))).toMatchObject({
    code: 'scheme-not-allowed',
    hop: { url: 'ftp://issuer.example/' },
  })
})

test('a response that is too large, or incomplete, is a failure', async () => {
  expect((await failureOf(open.issuer(`${origin}/large`))).code).toBe('too-large')
  expect((await failureOf(open.issuer(`${origin}/cut`))).code).toBe('connection-lost')
})

test('a URL of the operator may be internal, on any port, without TLS', async () => {
  const { port } = server.address() as AddressInfo
  const url = new URL(`http://127.0.0.1:${port}/siteverify`)
  const { status } = await guarded().operator({ url, method: 'POST', body: 'secret=x' })
  expect([status, asked]).toEqual([200, [`POST 127.0.0.1:${port} /siteverify`]])
})
