/** A TLS proxy in front of the API, as operators run it, and a client that trusts its certificate. */
import { once } from 'node:events'
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { createServer, request as requestSecure } from 'node:https'
import { selfSigned } from './certificate.ts'

export interface TlsProxy {
  /** `https://<host>:<port>`; the host does not have to exist in DNS. */
  readonly url: string
  /** Sends a request to the proxy. It asks no DNS server for the host. */
  readonly fetch: (input: Request) => Promise<Response>
  close(): Promise<void>
}

export interface TlsProxyOptions {
  /** The folder for the key and the certificate. */
  readonly folder: string
  readonly host: string
  readonly port: number
  /** The port of the API on this machine. */
  readonly apiPort: number
}

function headersOf({ rawHeaders }: IncomingMessage): [string, string][] {
  return Array.from({ length: rawHeaders.length / 2 }, (_, n) => [
    rawHeaders[2 * n] ?? '',
    rawHeaders[2 * n + 1] ?? '',
  ])
}

/** Sends a request to the proxy and reads the whole response. */
async function fetchBy(ca: Buffer, port: number, input: Request): Promise<Response> {
  const { hostname, host } = new URL(input.url)
  const outgoing = requestSecure(input.url, {
    ca,
    hostname: '127.0.0.1',
    port,
    servername: hostname,
    agent: false,
    method: input.method,
    headers: { ...Object.fromEntries(input.headers), host },
  })
  outgoing.end(Buffer.from(await input.arrayBuffer()))
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
  const body = Buffer.concat(await answer.toArray())
  const status = answer.statusCode ?? 0
  const headers = headersOf(answer)
  return new Response([204, 304].includes(status) ? null : body, { status, headers })
}

/** Listens, and passes each request on with its `Host` header and the caller's address. */
export async function startTlsProxy(options: TlsProxyOptions): Promise<TlsProxy> {
  const { folder, host, port, apiPort } = options
  const { key, cert } = selfSigned(folder, [host])
  const server = createServer({ key, cert }, (incoming, reply) => {
    const outgoing = requestPlain({
      port: apiPort,
      host: '127.0.0.1',
      method: incoming.method,
      path: incoming.url,
      headers: {
        ...incoming.headers,
        'x-forwarded-for': incoming.socket.remoteAddress ?? '',
        'x-forwarded-proto': 'https',
      },
    })
    incoming.pipe(outgoing)
    outgoing.once('error', () => reply.writeHead(502).end())
    outgoing.once('response', (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(reply)
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `https://${host}:${port}`,
    fetch: (input) => fetchBy(cert, port, input),
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
