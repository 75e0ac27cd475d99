/** Calls through a proxy, and a server with a certificate of a private authority, as in company networks. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import {
  createServer as createHttpServer,
  type IncomingMessage,
  request as sendOn,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestAuthority } from '../../test/certificates.ts'
import { domain } from './fixtures.ts'
import { homing, homingProcess, temporaryFolder } from './support.ts'

/** A name that is in no DNS: only the proxy can reach it. */
const HOST = 'dns.example.test'

const open: Server[] = []
let caFile: string
/** The requests that servers and proxies got. */
let seen: string[] = []
/** Ports. */
let plain = 0
let secure = 0
let proxy = 0
let secureProxy = 0

async function listen(server: Server): Promise<number> {
  open.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Connects to this machine for any name, like a proxy that resolves names itself. */
function tunnel(request: IncomingMessage, client: Socket): void {
  const { url = '', headers } = request
  seen.push(`CONNECT ${url}`)
  if (isClosed && headers['proxy-authorization'] !== ADMITTED) {
    client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    return
  }
  if (url.startsWith('forbidden')) {
    client.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    return
  }
  const target = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    client.pipe(target).pipe(client)
  })
  target.on('error', () => client.destroy())
  client.on('error', () => target.destroy())
}
/** Whether the proxy requires a password. */
let isClosed = false
const ADMITTED = `Basic ${Buffer.from('ada:pass word').toString('base64')}`

beforeAll(async () => {
  const authority = await createTestAuthority()
  const folder = temporaryFolder()
  caFile = join(folder, 'authority.pem')
  writeFileSync(caFile, authority.cert)
  const credential = await authority.issue({ names: [HOST, 'localhost'] })
  const answer = (request: IncomingMessage, response: ServerResponse) =>
    void text(request).then((body) => {
      const { pathname } = new URL(request.url ?? '', 'http://server')
      const { authorization } = request.headers
      seen.push([request.method, pathname, authorization, body].join(' ').trim())
      response.writeHead(request.method === 'POST' ? 201 : 200, {
        'content-type': 'application/json',
      })
      response.end(JSON.stringify(request.method === 'POST' ? domain() : [domain()]))
    })
  plain = await listen(createHttpServer(answer))
  secure = await listen(createHttpsServer(credential, answer))
  const forward = createHttpServer((request, response) => {
    const { origin, pathname, search, port } = new URL(request.url ?? '')
    seen.push(`proxied ${request.method} ${origin}${pathname}`)
    const { method, headers } = request
    sendOn({ host: '127.0.0.1', port, path: pathname + search, method, headers }, (answered) => {
      response.writeHead(answered.statusCode ?? 500, answered.headers)
      answered.pipe(response)
    }).end()
  })
  proxy = await listen(forward.on('connect', tunnel))
  secureProxy = await listen(createHttpsServer(credential).on('connect', tunnel))
})
afterAll(() => {
  for (const server of open) server.close()
})
beforeEach(() => {
  seen = []
  isClosed = false
})

/** @param run a process where Node reads a variable at its start */
const list = (server: string, env: Record<string, string>, run = homing) =>
  run(['domains'], { HOMING_API_KEY: 'ak_key', HOMING_URL: server, ...env })
const LISTED = { exitCode: 0, stdout: expect.stringContaining('home.example.net\t192.0.2.1') }
const CALL = 'GET /api/domains Bearer ak_key'

describe('an authority of your own', () => {
  test('is trusted through NODE_EXTRA_CA_CERTS, and without it nothing is sent', async () => {
    const server = `https://localhost:${secure}`
    expect(await list(server, { NODE_EXTRA_CA_CERTS: caFile }, homingProcess)).toMatchObject(LISTED)
    expect(seen).toEqual([CALL])
    expect(await list(server, {})).toMatchObject({
      exitCode: 7,
      stderr: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    })
    expect(seen).toEqual([CALL])
  })

  test('is trusted when the system trusts it, with NODE_USE_SYSTEM_CA=1', async () => {
    const system = { NODE_USE_SYSTEM_CA: '1', SSL_CERT_FILE: caFile }
    expect(await list(`https://localhost:${secure}`, system, homingProcess)).toMatchObject(LISTED)
  })

  test('is trusted behind a proxy too', async () => {
    const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy}`, NODE_EXTRA_CA_CERTS: caFile }
    expect(await list(`https://${HOST}:${secure}`, env, homingProcess)).toMatchObject(LISTED)
    expect(seen).toEqual([`CONNECT ${HOST}:${secure}`, CALL])
  })

  test('is trusted for the proxy itself', async () => {
    const env = { HTTPS_PROXY: `https://localhost:${secureProxy}`, NODE_EXTRA_CA_CERTS: caFile }
    expect(await list(`https://${HOST}:${secure}`, env, homingProcess)).toMatchObject(LISTED)
    expect(seen).toEqual([`CONNECT ${HOST}:${secure}`, CALL])
  })
})

describe('a proxy', () => {
  test('loads its library only if it is used', async () => {
    const reporter = join(temporaryFolder(), 'report.cjs')
    writeFileSync(
      reporter,
      `process.on('exit', () => console.error(
        'undici:', Object.keys(require.cache).some((file) => file.includes('/node_modules/undici/'))))`,
    )
    const server = `http://${HOST}:${plain}`
    const env = { NODE_OPTIONS: `--require ${reporter}`, HTTP_PROXY: `http://127.0.0.1:${proxy}` }
    expect((await list(server, env, homingProcess)).stderr).toContain('undici: true')
    const exempt = { ...env, NO_PROXY: '127.0.0.1' }
    const local = await list(`http://127.0.0.1:${plain}`, exempt, homingProcess)
    expect(local).toMatchObject({ ...LISTED, stderr: expect.stringContaining('undici: false') })
  })

  test('receives a call by http with the full URL', async () => {
    const env = { HTTP_PROXY: `http://127.0.0.1:${proxy}` }
    expect(await list(`http://${HOST}:${plain}`, env)).toMatchObject(LISTED)
    expect(seen).toEqual([`proxied GET http://${HOST}:${plain}/api/domains`, CALL])
  })

  test('is not used for servers in NO_PROXY', async () => {
    const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy}`, NODE_EXTRA_CA_CERTS: caFile }
    const exempt = { ...env, NO_PROXY: 'localhost,.example.net' }
    expect(await list(`https://localhost:${secure}`, exempt, homingProcess)).toMatchObject(LISTED)
    expect(seen).toEqual([CALL])
  })

  test('forwards the whole call, and its user name and password are not printed', async () => {
    isClosed = true
    const env = {
      https_proxy: `http://ada:pass%20word@127.0.0.1:${proxy}`,
      NODE_EXTRA_CA_CERTS: caFile,
    }
    const { exitCode, stderr } = await homingProcess(
      ['domains', 'add', 'home.example.net', '--ip', '192.0.2.1', '--debug'],
      { HOMING_API_KEY: 'ak_key', HOMING_URL: `https://${HOST}:${secure}`, ...env },
    )
    expect([exitCode, seen.at(0)]).toEqual([0, `CONNECT ${HOST}:${secure}`])
    expect(seen.at(-1)).toMatch(/^POST \/api\/domains Bearer ak_key \{.*"192\.0\.2\.1".*\}$/)
    expect(stderr).toContain(`through 127.0.0.1:${proxy}`)
    expect(stderr).not.toContain('pass')
  })

  test.each([
    [
      'that wants a password',
      HOST,
      /\(status 407\)\. It requires a username and a password: set HTTPS_PROXY to/,
    ],
    [
      'that refuses the server',
      'forbidden.example.test',
      /\(status 403\)\. To call this server without the proxy, .* NO_PROXY\./,
    ],
  ])('%s is told as such', async (_what, host, message) => {
    isClosed = host === HOST
    const { exitCode, stdout, stderr } = await list(`https://${host}:${secure}`, {
      HTTPS_PROXY: `http://127.0.0.1:${proxy}`,
    })
    expect([exitCode, stdout]).toEqual([7, ''])
    expect(stderr).toContain(`The proxy http://127.0.0.1:${proxy} (HTTPS_PROXY) refuses to connect`)
    expect(stderr).toMatch(message)
  })

  test('that is down is distinguished from a server that is down', async () => {
    const gone = createHttpServer()
    const port = await listen(gone)
    await new Promise((closed) => gone.close(closed))
    for (const protocol of ['http', 'https']) {
      const variable = `${protocol.toUpperCase()}_PROXY`
      expect(
        await list(`${protocol}://${HOST}`, { [variable]: `http://127.0.0.1:${port}` }),
      ).toMatchObject({
        exitCode: 7,
        stderr: `The proxy http://127.0.0.1:${port} (${variable}) cannot be reached: it refused the connection.\n`,
      })
    }
    const unknown = await list(`https://${HOST}`, { HTTPS_PROXY: 'http://proxy.invalid:3128' })
    expect(unknown.stderr).toMatch(
      /^The proxy http:\/\/proxy.invalid:3128 \(HTTPS_PROXY\) cannot be reached: /,
    )
  })

  test('that is not the URL of a proxy is a mistake of the environment', async () => {
    const { exitCode, stderr } = await list(`https://${HOST}`, { HTTPS_PROXY: 'socks5://x:y@z' })
    expect([exitCode, stderr]).toEqual([
      64,
      'HTTPS_PROXY is not the URL of an HTTP proxy. Expected a URL such as http://proxy.example.net:3128.\n',
    ])
  })
})
