/**
 * DNS rebinding: an attacker's page resolves its own name to this service and calls it as the same origin. Only the
 * host of the request reveals that.
 */
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ApiWorld,
  type Caller,
  openApiWorld,
  PASSWORD,
  testApp,
} from '../../test/support/api-world.ts'
import { bearer, call, problemOf } from '../../test/support/calls.ts'
import { answerOf, exchange } from '../../test/support/raw-http.ts'

const METRICS_TOKEN = 'a token for the metrics'
const EVIL = 'evil.test:8080'

let dataDir: string
let world: ApiWorld
let ada: Caller
let port: number

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'homing-hosts-'))
  world = await openApiWorld({
    dataDir,
    metricsToken: METRICS_TOKEN,
    publicUrl: new URL('http://dns.example.net:8080'),
    allowedHosts: ['second.example.net', '2001:db8::7'],
  })
  ada = await world.person('ada')
  await world.app.listen({ host: '127.0.0.1', port: 0 })
  ;({ port } = world.app.server.address() as AddressInfo)
})
afterAll(async () => {
  await world.end()
  rmSync(dataDir, { recursive: true })
})

const get = (url: string, headers: Record<string, string>) =>
  call(world.app, 'GET', url, { headers, ip: '127.0.0.1' })
const cookie = () => `homing_session=${ada.headers['authorization']?.slice('Bearer '.length)}`
const signIn = (headers: Record<string, string>) =>
  call(world.app, 'POST', '/api/login', {
    headers,
    body: { username_or_email: ada.username, password: PASSWORD },
  })

/** The response to a page of a browser at a host, for each kind of access that the host check protects. */
async function statusesAt(host: string): Promise<number[]> {
  const replies = [
    await get('/dev/mailbox', { host }),
    await get('/metrics', { host }),
    await get('/api/me', { host, cookie: cookie() }),
    await signIn({ host, 'sec-fetch-site': 'same-origin' }),
  ]
  return replies.map(({ status }) => status)
}

describe('the mailbox, metrics, cookies and browsers that sign in', () => {
  test.each([
    'localhost',
    'localhost:8080',
    'LOCALHOST:1',
    'localhost.',
    '127.0.0.1:8080',
    '127.8.8.8',
    '[::1]:8080',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]:8080',
    'dns.example.net',
    'DNS.Example.NET.:443',
    'second.example.net:8443',
    '[2001:DB8:0::7]',
  ])('are served at %s', async (host) => {
    expect(await statusesAt(host)).toEqual([200, 200, 200, 200])
  })

  test.each([
    EVIL,
    'user.dns.example.net',
    'example.net',
    'localhost.evil.test',
    'evil-localhost',
    '127.0.0.1.evil.test',
    '127.1',
    '0.0.0.0:8080',
    '192.0.2.7',
    '[2001:db8::8]',
    '[::]',
    'localhost..',
    'localhost,evil.test',
    'localhost;evil.test',
  ])('are refused at %s', async (host) => {
    expect(await statusesAt(host)).toEqual([421, 421, 421, 421])
  })

  test('say which host was named, and what to do', async () => {
    const problem = problemOf(await get('/dev/mailbox', { host: EVIL }))
    expect(problem).toMatchObject({ status: 421, code: 'misdirected-request' })
    expect(problem.detail).toBe(
      '“evil.test” is not a host name of this service. Use http://dns.example.net:8080, or ask the operator to add the host to ALLOWED_HOSTS.',
    )
  })

  test('a header that a proxy adds does not change the host', async () => {
    const world2 = await openApiWorld({ trustProxy: ['127.0.0.1'] })
    const ask = (headers: Record<string, string>) =>
      call(world2.app, 'GET', '/dev/mailbox', {
        ip: '127.0.0.1',
        headers: { 'x-forwarded-for': '127.0.0.1', ...headers },
      })
    expect((await ask({ host: EVIL, 'x-forwarded-host': 'localhost' })).status).toBe(421)
    expect((await ask({ host: 'localhost', 'x-forwarded-host': EVIL })).status).toBe(200)
    await world2.end()
  })
})

describe('with a cookie', () => {
  test('a call that needs no cookie is refused as well', async () => {
    expect((await get('/api/plans', { host: EVIL, cookie: cookie() })).status).toBe(421)
    expect((await get('/api/plans', { host: EVIL })).status).toBe(200)
  })

  test.each(['/api/login', '/api/login/second-factor', '/api/login/passkey/options'])(
    'and without a cookie no browser can sign in at %s',
    async (url) => {
      const bodies: Readonly<Record<string, object>> = {
        '/api/login': { username_or_email: ada.username, password: PASSWORD },
        '/api/login/second-factor': { login_token: 'x'.repeat(43), code: '123456' },
        '/api/login/passkey/options': {},
      }
      for (const headers of [{ origin: `http://${EVIL}` }, { 'sec-fetch-site': 'same-origin' }]) {
        const reply = await call(world.app, 'POST', url, {
          headers: { host: EVIL, ...headers },
          body: bodies[url],
        })
        expect(problemOf(reply).code).toBe('misdirected-request')
        expect(reply.headers['set-cookie']).toBeUndefined()
      }
    },
  )

  test('a browser with a cookie of another host is refused before its session is looked up', async () => {
    const headers = { host: EVIL, cookie: `homing_session=${'x'.repeat(43)}` }
    expect((await get('/api/me', headers)).status).toBe(421)
  })
})

describe('under any host', () => {
  test.each(['/api/health', '/checkip', '/nic/checkip', '/nic/checkip.html'])(
    '%s is served, with any cookie',
    async (url) => {
      expect((await get(url, { host: EVIL, cookie: cookie() })).status).toBe(200)
    },
  )

  test('update URLs answer in their own codes', async () => {
    const basic = Buffer.from(`${ada.username}:${PASSWORD}`).toString('base64')
    const headers = { host: EVIL, authorization: `Basic ${basic}`, cookie: cookie() }
    const reply = await get('/nic/update?hostname=none.homing.test', headers)
    expect([reply.status, reply.text]).toEqual([200, 'nohost\n'])
  })

  test('a Bearer token takes precedence over the cookie', async () => {
    const token = ada.headers['authorization']?.slice('Bearer '.length) ?? ''
    const headers = { host: EVIL, ...bearer(token) }
    expect((await get('/api/me', headers)).status).toBe(200)
    expect((await get('/api/me', { ...headers, cookie: cookie() })).status).toBe(200)
  })

  test('a program signs in', async () => {
    expect((await signIn({ host: EVIL })).status).toBe(200)
  })

  test('metrics require the token, and a wrong one is refused', async () => {
    const ask = (token: string) => get('/metrics', { host: EVIL, ...bearer(token) })
    expect((await ask(METRICS_TOKEN)).status).toBe(200)
    expect((await ask('wrong')).status).toBe(421)
  })
})

describe('a request line and its Host', () => {
  const ask = async (target: string, hosts: readonly string[], version = '1.1') => {
    const lines = hosts.map((host) => `Host: ${host}\r\n`).join('')
    const request = `GET ${target} HTTP/${version}\r\n${lines}Connection: close\r\n\r\n`
    return answerOf(await exchange({ port }, request)).status
  }

  test.each<[string, readonly string[], number]>([
    // RFC 9112 §3.2.2: the target of such a request counts, and Host must be equal.
    ['http://localhost/dev/mailbox', ['localhost'], 200],
    [`http://${EVIL}/dev/mailbox`, ['localhost'], 421],
    ['http://localhost/dev/mailbox', [EVIL], 421],
    ['http://localhost@evil.test/dev/mailbox', ['localhost'], 421],
    // RFC 9112 §3.2: no Host header, several, or an invalid one.
    ['/dev/mailbox', [], 400],
    ['/metrics', [], 400],
    ['/dev/mailbox', ['localhost', EVIL], 400],
    ['/dev/mailbox', ['localhost@evil.test'], 400],
    ['/dev/mailbox', ['localhost/evil.test'], 400],
    ['/dev/mailbox', [''], 421],
  ])('%s with %j is %i', async (target, hosts, status) => {
    expect(await ask(target, hosts)).toBe(status)
  })

  test('HTTP/1.0 may name no host, and is not served without one', async () => {
    expect(await ask('/dev/mailbox', [], '1.0')).toBe(421)
    expect(await ask('/api/health', [], '1.0')).toBe(200)
  })
})

test('the log warns once of a proxy that sends a loopback host for everybody', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const { services } = world
  const app = await testApp({ ...services, log })
  const ask = (headers: Record<string, string>) =>
    call(app, 'GET', '/api/me', {
      headers: { host: '127.0.0.1:8080', cookie: cookie(), ...headers },
    })
  await ask({})
  expect(lines).toEqual([])
  for (let n = 0; n < 3; n += 1) await ask({ 'x-forwarded-for': '198.51.100.7' })
  expect(lines).toEqual([expect.stringContaining('the proxy must pass on the Host header')])
  await app.close()
})

test('the header Forwarded blocks the mailbox, also behind a trusted proxy', async () => {
  const world2 = await openApiWorld({ trustProxy: ['127.0.0.1'] })
  const ask = (headers: Record<string, string>) =>
    call(world2.app, 'GET', '/dev/mailbox', { headers, ip: '127.0.0.1' })
  expect((await ask({ forwarded: 'for=198.51.100.7' })).status).toBe(403)
  expect((await ask({ forwarded: 'for=127.0.0.1' })).status).toBe(403)
  await world2.end()
})
