import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { problem } from './fixtures.ts'
import {
  fakeServer,
  type FakeServer,
  homing,
  LAUNCHER,
  type Reply,
  shellEnvironment,
} from './support.ts'

/** The URL of a server on a free port. */
async function urlOf(listener: Server): Promise<string> {
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
}

let server: FakeServer
beforeEach(async () => {
  server = await fakeServer({})
})
afterEach(() => server.close())

describe('an invalid command line', () => {
  test.each([
    [['domain'], 'There is no command "domain". Did you mean homing domains? See homing --help.\n'],
    [
      ['domains', 'lst'],
      'There is no command "domains lst". Did you mean homing domains list? See homing domains --help.\n',
    ],
    [['lgoin'], 'There is no command "lgoin". Did you mean homing login? See homing --help.\n'],
    [
      ['domains', 'remoove', 'x'],
      'There is no command "domains remoove". Did you mean homing domains remove? See homing domains --help.\n',
    ],
    [
      ['tokens', 'sow', 'home'],
      'There is no command "tokens sow". Did you mean homing tokens show? See homing tokens --help.\n',
    ],
    [['help', 'dance'], 'There is no command "dance". See homing --help.\n'],
    [['zones', '--jsn'], 'There is no flag --jsn. Did you mean --json? See homing zones --help.\n'],
    [['-q', 'zones'], 'Give the command first, and its flags after it. See homing --help.\n'],
    [['whoami', 'x'], 'Unexpected argument "x". See homing whoami --help.\n'],
    [
      ['domains', 'show'],
      'DOMAIN is missing: your domain, in full or its first label. See homing domains show --help.\n',
    ],
    [['domains', '--zone'], '--zone requires a value.\n'],
    [['zones', '--username', 'ada'], '--username requires --password-file.\n'],
    [
      ['login', '--with-token', '--username', 'ada'],
      '--username and --with-token cannot be used together.\n',
    ],
    [
      ['resolve', 'x', '--type', 'B\nC'],
      '--type takes one of A, AAAA, CAA, CNAME, HTTPS, MX, NS, PTR, SOA, SRV, SSHFP, SVCB, TLSA, TXT, not "B C".\n',
    ],
    [
      ['domains', 'update', 'x', '--if-version', 'x'],
      '--if-version takes a whole number, not "x".\n',
    ],
    [
      ['domains', 'update', 'x', '--if-version', '0'],
      '--if-version takes a whole number of at least 1.\n',
    ],
    [
      ['records', 'add', 'x', 'TXT', '@', 'y', '--ttl', '604801'],
      '--ttl takes a whole number of at most 604800.\n',
    ],
    [['trust', 'add', 'x'], '--issuer is missing.\n'],
    [
      ['zones', '--server', 'http://dns.example.net/path'],
      '--server takes a URL without a path, such as http://dns.example.net.\n',
    ],
    [
      ['update', 'a.example.net,b.example.net'],
      'homing update takes one domain. Run it once for each.\n',
    ],
    [
      ['domains', 'add', 'x', '--ip', 'a\u001b[2J\nb'],
      '--ip takes an IPv4 or IPv6 address; "a [2J b" is neither.\n',
    ],
    [
      ['resolve', 'x', '--nameserver', 'a\u009b2J'],
      '--nameserver takes an address and a port such as 127.0.0.1:8053, not "a 2J".\n',
    ],
  ])('%j', async (args, stderr) => {
    expect(await homing(args)).toEqual({ exitCode: 64, stdout: '', stderr })
    const asJson = await homing([...args, '--json'])
    expect(asJson).toMatchObject({ exitCode: 64, stdout: '' })
    expect(JSON.parse(asJson.stderr)).toMatchObject({ detail: expect.any(String) })
  })
})

test.each([
  ...['keys', 'sessions', 'forwards', 'monitors', 'trust'].map((topic) => [topic, 'list']),
  ...['keys', 'tokens', 'trust'].flatMap((topic) => [
    [topic, 'rm', '1', '-y'],
    [topic, 'delete', '1', '-y'],
  ]),
])('%s %s is known', async (...args) => {
  expect((await homing(args)).stderr).toMatch(/^Not signed in\./)
})

describe('an answer that is not a Homing API response', () => {
  const HTML = { 'content-type': 'text/html' }
  const JSON_TYPE = { 'content-type': 'application/json' }
  const zones = (reply: Reply) => {
    server.replies['GET /api/zones/available'] = reply
    return homing(['zones', '--server', server.url], { HOMING_API_KEY: 'ak_key' })
  }

  test.each([
    ['a page', { body: '<html>Welcome', headers: HTML }, 1, /answers 200, but not as a Homing API/],
    ['an empty answer', { body: '' }, 1, /not a Homing API response\. Check --server\./],
    ['a thing for a list', { body: { zone: 'a' } }, 1, /not a Homing API response/],
    ['a list of other things', { body: [{ zone: 'a' }, null] }, 1, /not a Homing API response/],
    ['nothing, in JSON', { body: 'null', headers: JSON_TYPE }, 1, /not a Homing API response/],
    [
      'a problem with invalid fields',
      { status: 400, body: { detail: 'No.', errors: [null, { field: 'a', message: 1 }] } },
      1,
      /^No\.$/m,
    ],
    ['half of an answer', { body: '[{"zone":', headers: JSON_TYPE }, 1, /not as a Homing API/],
    ['a problem of another service', { status: 400, body: { error: 'no' } }, 1, /answers 400/],
    ['a proxy without its service', { status: 502, body: 'x', headers: HTML }, 7, /cannot serve/],
    [
      'a proxy that says when to retry',
      { status: 503, body: 'x', headers: { ...HTML, 'retry-after': '120' } },
      7,
      /cannot serve at the moment \(503\)\. Try again in 2 min\.$/m,
    ],
    ['a proxy without its service, and no page', { status: 503 }, 7, /cannot serve.* \(503\)\.$/m],
    [
      'a proxy that says in JSON when to retry',
      { status: 504, body: { error: 'timeout' }, headers: { 'retry-after': '120' } },
      7,
      /cannot serve at the moment \(504\)\. Try again in 2 min\.$/m,
    ],
    [
      'a proxy with a limit',
      { status: 429, body: 'x', headers: { ...HTML, 'retry-after': '120' } },
      3,
      /gets too many calls \(429\)\. Try again in 2 min\.$/m,
    ],
    ['a proxy with a sign-in', { status: 401, body: 'x', headers: HTML }, 4, /sign-in.* \(401\)/],
    ['a proxy that forbids it', { status: 403 }, 4, /does not let the call through.* \(403\)/],
    ['nothing, for a path of another service', { status: 404 }, 1, /answers 404, but not/],
    [
      'a redirect',
      { status: 301, headers: { location: 'https://elsewhere.example/api' } },
      1,
      /answers with a redirect\. .*--server https:\/\/elsewhere\.example$/m,
    ],
  ] as const)('%s', async (_, reply, exitCode, line) => {
    const ended = await zones(reply)
    expect(ended).toMatchObject({ exitCode, stdout: '' })
    expect(ended.stderr).toMatch(line)
    expect(ended.stderr.trimEnd()).not.toContain('\n')
  })

  test.each([
    [{ status: 503, body: 'x', headers: { ...HTML, 'retry-after': '120' } }],
    [{ ...problem(429, 'rate-limited'), headers: { 'retry-after': '120' } }],
  ])('with --json, says in seconds when to retry: %j', async (reply) => {
    server.replies['GET /api/zones/available'] = reply
    const args = ['zones', '--json', '--server', server.url]
    const { stderr } = await homing(args, { HOMING_API_KEY: 'ak_key' })
    expect(JSON.parse(stderr)).toMatchObject({ detail: expect.any(String), retry_after: 120 })
  })

  test.each(['keep-alive', 'close'])(
    'a connection that breaks in the middle, with connection: %s',
    async (connection) => {
      const head = `HTTP/1.1 200 OK\r\nconnection: ${connection}\r\ncontent-type: application/json`
      const broken = createServer((socket) =>
        socket.once('data', () => socket.end(`${head}\r\ncontent-length: 100\r\n\r\n[`)),
      )
      const ended = await homing(['zones', '--server', await urlOf(broken)], {
        HOMING_API_KEY: 'ak_key',
      })
      broken.close()
      expect(ended).toMatchObject({ exitCode: 7, stdout: '' })
      expect(ended.stderr).toMatch(/cannot be reached: it closed the connection/)
    },
  )

  test('its text cannot control the terminal', async () => {
    const ended = await zones({
      status: 422,
      headers: { 'content-type': 'application/problem+json' },
      body: { detail: 'a\u001b[2J\nb', code: 'name-not-allowed' },
    })
    expect(ended).toEqual({ exitCode: 8, stdout: '', stderr: 'a [2J b\n' })
  })

  test('a host name that does not exist in DNS', async () => {
    const ended = await homing(['zones', '--server', 'http://no-such-host.invalid'], {
      HOMING_API_KEY: 'ak_key',
    })
    expect(ended.exitCode).toBe(7)
    expect(ended.stderr).toMatch(/does not exist in DNS|cannot be looked up/)
  })

  test('https to a server that speaks http', async () => {
    const ended = await homing(['zones', '--server', server.url.replace('http', 'https')], {
      HOMING_API_KEY: 'ak_key',
    })
    expect(ended.exitCode).toBe(7)
    expect(ended.stderr).toMatch(/it does not speak TLS/)
  })
})

test('--debug logs each call without secrets', async () => {
  server.replies['GET /api/zones/available'] = { body: [] }
  const { stderr } = await homing(['zones', '--debug', '--server', server.url], {
    HOMING_API_KEY: 'ak_secret-key',
  })
  expect(stderr).toMatch(/^GET http:\/\/127\.0\.0\.1:\d+\/api\/zones\/available: 200, \d+ ms$/m)
  expect(stderr).not.toContain('ak_secret-key')
})

test('Ctrl-C during a call ends with 130', async () => {
  const silent = createServer()
  const env = shellEnvironment({ HOMING_API_KEY: 'ak_key', HOMING_URL: await urlOf(silent) })
  const child = spawn(LAUNCHER, ['zones'], { env, stdio: 'ignore' })
  const ended = once(child, 'close')
  const [connection] = await once(silent, 'connection')
  child.kill('SIGINT')
  expect(await ended).toEqual([130, null])
  connection.destroy()
  silent.close()
})
