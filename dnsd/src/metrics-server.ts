/*
 * An HTTP port for operators, on loopback only: `GET /metrics`, and `GET /zones/<name>/digest` for
 * comparing two replicas.
 */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'
import { nameFromText, nameKey, ROOT_NAME } from './names/index.ts'
import { zoneDigest, type ZoneStore } from './store/index.ts'

export interface MetricsServer {
  readonly port: number
  close(): Promise<void>
}

/** @throws the system error when the port cannot be bound */
export async function serveMetrics(
  port: number,
  registry: Registry,
  store: ZoneStore,
): Promise<MetricsServer> {
  // An `import` of `node:http` would read all exports, and some load Node's own client of `fetch`, which takes 3 MiB.
  const { createServer } = process.getBuiltinModule('node:http')
  const server = createServer((request, response) => {
    answer(request, response, registry, store).catch((error: unknown) => {
      reply(response, 500, 'text/plain', `${String(error)}\n`)
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  registry: Registry,
  store: ZoneStore,
): Promise<void> {
  const path = URL.parse(request.url ?? '', 'http://dnsd')?.pathname ?? ''
  const [, zone] = /^\/zones\/([^/]+)\/digest$/.exec(path) ?? []
  if (request.method !== 'GET') reply(response, 405, 'text/plain', 'only GET\n')
  else if (path === '/metrics') {
    reply(response, 200, registry.contentType, await registry.metrics())
  } else if (zone === undefined) reply(response, 404, 'text/plain', 'no such page\n')
  else await answerDigest(response, zone, store)
}

async function answerDigest(
  response: ServerResponse,
  text: string,
  store: ZoneStore,
): Promise<void> {
  const key = keyOf(text)
  const zone = key === undefined ? undefined : store.zones.get(key)
  if (zone === undefined) {
    reply(response, 404, 'text/plain', 'this zone is not served\n')
    return
  }
  const { version, names, digest } = await zoneDigest(zone)
  const { serial, feedId } = version
  const body = { zone: text, serial: String(serial), feed_id: feedId, names, sha256: digest }
  reply(response, 200, 'application/json', `${JSON.stringify(body)}\n`)
}

function keyOf(text: string): string | undefined {
  try {
    return nameKey(nameFromText(decodeURIComponent(text), ROOT_NAME))
  } catch {
    return undefined
  }
}

function reply(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type }).end(body)
}
