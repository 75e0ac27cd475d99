/** HTTP for payment servers on node:http: bounded bodies, faults, pages and JSON. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Faults } from './faults.ts'

export interface Call {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Text as it is, anything else as JSON. */
  readonly body?: unknown
}

export interface Site {
  readonly faults: Faults
  /** Answers a call of the API, to which faults apply. */
  call(call: Call): Answer | Promise<Answer>
  /** The provider's answers of faults, in its own shape. */
  unavailable(): Answer
  tooMany(): Answer
}

const LARGEST_BODY_BYTES = 1_048_576
const API = /^\/v\d\//

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > LARGEST_BODY_BYTES) throw new Error('The body is too large.')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

async function callOf(request: IncomingMessage): Promise<Call> {
  const url = new URL(request.url ?? '/', 'http://localhost')
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.search.slice(1),
    headers: request.headers,
    body: await readBody(request),
  }
}

function write(response: ServerResponse, { status, headers = {}, body }: Answer): void {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  const type = typeof body === 'string' ? 'text/html; charset=utf-8' : 'application/json'
  response.writeHead(status, { ...(body !== undefined && { 'content-type': type }), ...headers })
  response.end(text)
}

async function respond(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const call = await callOf(request)
  if (site.faults.down) {
    request.socket.destroy()
    return
  }
  const fault = API.test(call.path) ? site.faults.take(`${call.method} ${call.path}`) : undefined
  if (fault?.kind === 'fail5xx') return write(response, site.unavailable())
  if (fault?.kind === 'badGateway') {
    return write(response, { status: 502, body: { message: 'Bad gateway' } })
  }
  if (fault?.kind === 'rateLimit') return write(response, site.tooMany())
  const answer = await site.call(call)
  if (fault?.kind === 'actThenTimeOut') return
  if (fault?.kind === 'actThenDrop') {
    request.socket.destroy()
    return
  }
  if (fault?.kind === 'slow') setTimeout(() => write(response, answer), fault.ms).unref()
  else write(response, answer)
}

export interface Listening {
  readonly origin: string
  readonly close: () => Promise<void>
}

/** Listens on 127.0.0.1; port 0 takes a free one. */
export async function listen(site: Site, port = 0): Promise<Listening> {
  const server: Server = createServer((request, response) => {
    respond(site, request, response).catch((error: unknown) => {
      if (response.headersSent) request.socket.destroy()
      else
        write(response, { status: 500, body: { defect: String((error as Error)?.stack ?? error) } })
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: taken } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${taken}`,
    async close() {
      server.close()
      server.closeAllConnections()
      if (server.listening) await once(server, 'close')
    },
  }
}

/** A page that works without scripts. */
export function page(title: string, content: string, status = 200): Answer {
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width"><style>body{font:16px sans-serif;max-width:32rem;margin:2rem auto}button{margin:.3rem;padding:.5rem 1rem}</style>
<h1>${title}</h1>${content}</html>`
  return { status, body }
}

/** A form whose buttons send `action`. */
export function buttons(action: string, labels: Readonly<Record<string, string>>): string {
  const all = Object.entries(labels).map(
    ([value, label]) => `<button name="action" value="${value}">${label}</button>`,
  )
  return `<form method="post" action="${action}">${all.join('')}</form>`
}

export const redirect = (location: string): Answer => ({ status: 303, headers: { location } })
