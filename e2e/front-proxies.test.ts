/** Runs nginx and Caddy with the configurations of docs/deploy, and tests which requests and headers reach the API and web forwarding. */
import { operations } from '@homing/openapi'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request as requestPlain, type Server } from 'node:http'
import { request as requestSecure } from 'node:https'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePorts } from '../test/free-ports.ts'
import { needs } from '../test/outside-tool.ts'
import {
  type FrontName,
  type FrontPorts,
  type FrontProxy,
  HOST,
  startFrontProxy,
} from './support/front-proxy.ts'
import { eventually, temporaryDataDir } from './support/stack.ts'

/** Headers that a client could forge to impersonate another client. */
const CLAIMS = {
  'x-forwarded-for': '203.0.113.66',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'evil.example',
  forwarded: 'for=203.0.113.66;host=evil.example',
}
const STREAM = '/api/stream'
/** As the API sends them. */
const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}
/** A domain that its owner forwards. */
const FORWARDED = 'home.dyn.example.net'
const EVENT = 'event: heartbeat\ndata: {}\n\n'
/** A URL for each path of the update protocol. */
const UPDATE_URLS = [
  ...new Set(Object.values(operations.dyndns).map(({ url }) => url.replaceAll(/\{\w+\}/g, 'x'))),
].flatMap((path) => [path, `${path}?hostname=home.example.net&myip=192.0.2.1`])

interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** The request as the API received it; undefined when it received none. */
  readonly arrived: { readonly url: string; readonly headers: Record<string, string> } | undefined
}

/** Listens on a free port. */
async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

function proxyTests(name: FrontName): void {
  const folder = temporaryDataDir()
  let api: Server
  let forwarder: Server
  let ports: FrontPorts
  let proxy: FrontProxy
  const streamClosed = Promise.withResolvers<void>()

  beforeAll(async () => {
    const [https = 0, http = 0, http8245 = 0] = await freePorts(3)
    api = createServer((request, reply) => {
      const { url, headers } = request
      if (url !== STREAM) return reply.end(JSON.stringify({ url, headers }))
      request.socket.once('close', () => streamClosed.resolve())
      return reply.writeHead(200, EVENT_STREAM_HEADERS).write(EVENT)
    })
    forwarder = createServer(({ url, headers: { host } }, reply) => {
      reply.writeHead(302, { location: `https://${host}${url}` }).end()
    })
    ports = { https, http, http8245, api: await portOf(api), forwarder: await portOf(forwarder) }
    proxy = startFrontProxy(name, folder.path, ports)
    await eventually(
      () => get('https', '/'),
      () => true,
    ).catch((error: unknown) => {
      throw new Error(`${name} does not answer:\n${proxy.log()}`, { cause: error })
    })
  })
  afterAll(async () => {
    await proxy.stop()
    for (const server of [api, forwarder]) {
      server.close()
      server.closeAllConnections()
    }
    folder.remove()
  })

  async function get(
    place: 'https' | 'http' | 'http8245',
    path: string,
    host = HOST,
  ): Promise<Answer> {
    const options = {
      hostname: '127.0.0.1',
      port: ports[place],
      path,
      headers: { ...CLAIMS, host },
      agent: false as const,
    }
    const outgoing =
      place === 'https'
        ? requestSecure({ ...options, servername: HOST, ca: proxy.certificate.cert })
        : requestPlain(options)
    outgoing.end()
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
    const body = Buffer.concat(await answer.toArray()).toString()
    const arrived = body.startsWith('{') ? (JSON.parse(body) as Answer['arrived']) : undefined
    return { status: answer.statusCode ?? 0, headers: answer.headers, arrived }
  }

  test('forwards the host and the caller’s address, and drops forged headers', async () => {
    const { arrived } = await get('https', '/api/domains?page=2')
    expect(arrived?.url).toBe('/api/domains?page=2')
    expect(arrived?.headers).toMatchObject({
      host: HOST,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'https',
    })
    expect(JSON.stringify(arrived)).not.toMatch(/evil|203\.0\.113/)
  })

  test('forwards every update URL over HTTP, unchanged', async () => {
    for (const place of ['http', 'http8245'] as const) {
      for (const url of [...UPDATE_URLS, '//nic/update?hostname=x']) {
        const { status, headers, arrived } = await get(place, url)
        expect([place, url, status, arrived?.url]).toEqual([place, url, 200, url])
        expect(arrived?.headers['x-forwarded-proto']).toBe('http')
        expect(headers['strict-transport-security']).toBeUndefined()
      }
    }
  })

  test('passes on each event of the live stream at once, and closes it when the browser leaves', async () => {
    const outgoing = requestSecure({
      hostname: '127.0.0.1',
      port: ports.https,
      path: STREAM,
      headers: { host: HOST, 'accept-encoding': 'gzip, br' },
      agent: false,
      servername: HOST,
      ca: proxy.certificate.cert,
    })
    outgoing.end()
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
    // The API sends nothing more, so an event that waits in a buffer never arrives.
    const [octets] = (await once(answer, 'data')) as [Buffer]
    expect(octets.toString()).toBe(EVENT)
    outgoing.destroy()
    await streamClosed.promise
  })

  test('passes every other host at port 80 to web forwarding, with the URL unchanged', async () => {
    for (const path of ['/', '/nic/update?hostname=x', '//a/../b%2Fc?d=%20']) {
      const { status, headers } = await get('http', path, FORWARDED)
      expect([path, status, headers.location]).toEqual([path, 302, `https://${FORWARDED}${path}`])
    }
  })

  test('redirects everything else from HTTP to HTTPS', async () => {
    for (const path of ['/', '/admin/?x=1', '/api/domains', '/updates', '/api/login']) {
      const { status, headers, arrived } = await get('http', path)
      expect([path, status, headers.location]).toEqual([path, 308, `https://${HOST}${path}`])
      expect(arrived).toBeUndefined()
    }
  })
}

describe('nginx', needs('nginx', 'openssl'), () => {
  proxyTests('nginx')
})
describe('Caddy', needs('caddy', 'openssl'), () => {
  proxyTests('caddy')
})
