/**
 * Sends calls to a server: directly by `node:http` or `node:https`, or through a proxy by undici.
 *
 * Calls use neither `fetch` nor its classes, such as `Headers`: the first use of one of these globals loads Node's own undici, which takes more
 * processor time than the rest of a short command. undici itself is loaded only for a proxy. For an `http:` URL, it sends the request as proxies
 * expect it (RFC 9112 §3.2.2), which Node cannot do.
 */
import type { Agent, ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import type { Proxy } from './proxy.ts'

export interface Call {
  readonly method: string
  readonly url: URL
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** What every reader of a response needs. */
export interface Reply {
  readonly status: number
  /** Whether the status is 2xx. */
  readonly ok: boolean
  readonly headers: {
    /** A header by its name in lower case. */
    readonly get: (name: string) => string | null
  }
}

/** A response whose body is read while it arrives. */
export interface ArrivingReply extends Reply {
  readonly body: AsyncIterable<Uint8Array>
}

/**
 * Sends a call and resolves with the head of its response. Redirects are not followed.
 *
 * @param signal ends the call, also while its body is read, with its reason as the error
 * @throws Error with the code of the operating system, of Node's HTTP parser, of TLS or of undici
 */
export type Transport = (call: Call, signal: AbortSignal) => Promise<ArrivingReply>

interface Head {
  readonly statusCode?: number | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** The transport through `proxy`, or directly to the server. */
export async function transportThrough(proxy: Proxy | undefined): Promise<Transport> {
  if (proxy === undefined) {
    return withReason(async (call, signal) => {
      const message = await direct(call, signal)
      return [message, message]
    })
  }
  const undici = await import('undici')
  const dispatcher = new undici.ProxyAgent(proxy.url.href)
  return withReason(async ({ url, method, headers, body }, signal) => {
    const options = { method: method as 'GET', headers, body: body ?? null, signal, dispatcher }
    const reply = await undici.request(url, options)
    return [reply, reply.body]
  })
}

/** Both transports report an abort in ways of their own. Here, the error is always the signal's reason. */
function withReason(
  send: (call: Call, signal: AbortSignal) => Promise<[head: Head, body: Readable]>,
): Transport {
  return async (call, signal) => {
    try {
      // Neither the service nor its usual proxies compress JSON, but a proxy may, and long lists then arrive sooner.
      const headers = { 'accept-encoding': 'br, gzip', ...call.headers }
      const [head, body] = await send({ ...call, headers }, signal)
      return replyOf(head, bytesOf(body, head, signal))
    } catch (error) {
      throw signal.aborted ? signal.reason : error
    }
  }
}

function replyOf(head: Head, body: AsyncIterable<Uint8Array>): ArrivingReply {
  const status = head.statusCode ?? 0
  const get = (name: string) => {
    const value = head.headers[name]
    return (Array.isArray(value) ? value.join(', ') : value) ?? null
  }
  return { status, ok: status >= 200 && status < 300, headers: { get }, body }
}

async function* bytesOf(
  body: Readable,
  head: Head,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* decompressed(body, head)
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  }
}

/** Statuses without a body, whatever the headers say (RFC 9110 §6.4.1). */
const EMPTY = [204, 304]

function decompressed(body: Readable, { statusCode = 0, headers }: Head): Readable {
  const encoding = headers['content-encoding']
  if (EMPTY.includes(statusCode) || (encoding !== 'gzip' && encoding !== 'br')) return body
  const { createBrotliDecompress, createGunzip } = process.getBuiltinModule('node:zlib')
  const plain = encoding === 'br' ? createBrotliDecompress() : createGunzip()
  // The reader of the decompressed bytes gets the errors of the body too.
  return pipeline(body, plain, () => undefined)
}

/** A server that does not accept a connection for longer does not answer. */
const CONNECT_LIMIT_MS = 10_000
/** Many servers close an idle connection after five seconds. A connection that is closed first here is never used too late. */
const IDLE_LIMIT_MS = 4_000
/** The server closed a connection. */
const CLOSED = ['ECONNRESET', 'EPIPE']

/** Not Node's global agents: they would choose a proxy themselves if NODE_USE_ENV_PROXY is set. */
const agents = new Map<string, Agent>()

/** Node's module for a protocol. An `import` of it would read all its exports, and some of them load Node's undici. */
const moduleFor = (protocol: string) =>
  process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http')

/** The connections for a protocol. Idle ones are used by later calls, and do not keep the process alive. */
function agentFor(protocol: string): Agent {
  const known = agents.get(protocol)
  if (known !== undefined) return known
  const agent = new (moduleFor(protocol).Agent)({ keepAlive: true, timeout: IDLE_LIMIT_MS })
  agents.set(protocol, agent)
  return agent
}

async function direct(call: Call, signal: AbortSignal): Promise<IncomingMessage> {
  const request = started(call, signal)
  try {
    return await responseTo(request)
  } catch (error) {
    const isClosed = CLOSED.includes((error as NodeJS.ErrnoException).code ?? '')
    if (!request.reusedSocket || call.method !== 'GET' || !isClosed) throw error
    // The server closed the idle connection before the call arrived (RFC 9112 §9.3.1). A new connection follows.
    return direct(call, signal)
  }
}

const responseTo = (request: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (message) => {
      // From here on, errors are for the reader of the body.
      request.on('error', (error) => message.destroy(error))
      resolve(message)
    })
    // No call asks for another protocol. Without this, Node would end the connection and report nothing.
    request.on('upgrade', (_, socket) => {
      socket.destroy()
      reject(Object.assign(new Error('Unexpected status 101.'), { code: 'ECONNRESET' }))
    })
  })

function started({ url, method, headers, body }: Call, signal: AbortSignal): ClientRequest {
  const { protocol } = url
  // Node does not add it to methods that usually have no body, such as DELETE.
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  const request = moduleFor(protocol).request(url, {
    method,
    headers: { ...headers, ...length },
    agent: agentFor(protocol),
    signal,
  })
  request.once('socket', (socket) => {
    const send = () => request.end(body)
    if (socket.connecting) whenUsable(request, socket, send)
    else send()
  })
  return request
}

/** Node would write to a connection whose TLS handshake is not complete, and report a failed handshake as a failed write. */
function whenUsable(request: ClientRequest, socket: Socket, send: () => void): void {
  const usable = request.protocol === 'https:' ? 'secureConnect' : 'connect'
  const late = () =>
    request.destroy(Object.assign(new Error('No connection.'), { code: 'ETIMEDOUT' }))
  const timer = setTimeout(late, CONNECT_LIMIT_MS)
  for (const event of [usable, 'close']) socket.once(event, () => clearTimeout(timer))
  socket.once(usable, send)
}
