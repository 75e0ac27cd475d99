/**
 * Answers update requests that Node's HTTP parser rejects. If only the request line has a known
 * error, the intended request is served; otherwise the answer is a line of text, as everywhere at
 * the update URLs: `badagent`, or `911` for a request that was not complete in time. A request
 * whose head did not arrive cannot be handled here, because its URL is unknown.
 */
import type { InjectOptions } from 'fastify'
import type { Socket } from 'node:net'
import { RETRY_AFTER_SECONDS } from './host-update.ts'
import { nodeHttp } from '../../process/node-http.ts'
import { isUpdatePath, mendTarget, mendUrl } from '../../update-protocol/request-line.ts'

/** The beginning of a request, as far as the first packet has it. */
interface Begun {
  readonly method: string
  readonly target: string
  /** Undefined when the headers are incomplete, or invalid for Node. */
  readonly headers: Readonly<Record<string, string>> | undefined
}

/** A response of the app, as `inject` returns it. */
export interface InjectedAnswer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly payload: string
}

type Inject = (options: InjectOptions) => Promise<InjectedAnswer>

/** Node's own limit for a request line and its headers. */
const HEAD_LIMIT_OCTETS = 16 * 1024

/** RFC 9110 §5.5 and §5.6.2. Node stopped before the headers, so control characters have not been rejected yet. */
const HEADER_LINE = /^([!#$%&'*+.^_`|~\w-]+):([\t\x20-\x7e\x80-\xff]*)$/

function headersIn(lines: readonly string[]): Record<string, string> | undefined {
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name, value = ''] = HEADER_LINE.exec(line) ?? []
    if (name === undefined) return undefined
    headers.set(name.toLowerCase(), value.trim())
  }
  return Object.fromEntries(headers)
}

function readBegun(packet: unknown): Begun | undefined {
  if (!Buffer.isBuffer(packet)) return undefined
  const text = packet.toString('latin1', 0, HEAD_LIMIT_OCTETS)
  const end = /\r?\n\r?\n/.exec(text)?.index
  const [line = '', ...lines] = text.slice(0, end).split(/\r?\n/)
  const [method = ''] = /^[A-Za-z]+(?= )/.exec(line) ?? []
  const version = line.lastIndexOf(' HTTP/')
  const target = line.slice(method.length, version < 0 ? undefined : version).trim()
  if (method === '' || target === '') return undefined
  return { method, target, headers: end === undefined ? undefined : headersIn(lines) }
}

/** A response as octets; nothing else is sent on the connection. */
function wire({ statusCode, headers, payload }: InjectedAnswer, isHead: boolean): string {
  const lines = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const status = `HTTP/1.1 ${statusCode} ${nodeHttp.STATUS_CODES[statusCode] ?? ''}\r\n`
  return `${status}${lines.join('')}\r\n${isHead ? '' : payload}`
}

const textAnswer = (statusCode: number, payload: string, more = {}): InjectedAnswer => ({
  statusCode,
  headers: {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'content-length': String(payload.length),
    ...more,
  },
  payload,
})

const BADAGENT = textAnswer(200, 'badagent\n')
const NOT_WHOLE = textAnswer(503, '911\n', { 'retry-after': String(RETRY_AFTER_SECONDS) })

/** The response to a request with a corrected request line; a body is ignored. */
async function answerMended(begun: Begun, socket: Socket, inject: Inject): Promise<InjectedAnswer> {
  const { method, headers } = begun
  const url = mendTarget(begun.target)
  if (url === undefined || headers === undefined || (method !== 'GET' && method !== 'HEAD')) {
    return BADAGENT
  }
  const { remoteAddress } = socket
  // Both are set, because `inject` would otherwise use a client name of its own, and this machine's address.
  if (remoteAddress === undefined) return BADAGENT
  const client = headers['user-agent']
  return inject({ method, url, headers: { ...headers, 'user-agent': client }, remoteAddress })
}

async function sendMended(begun: Begun, socket: Socket, inject: Inject): Promise<void> {
  let answer = BADAGENT
  try {
    answer = await answerMended(begun, socket, inject)
  } finally {
    socket.end(wire(answer, begun.method === 'HEAD'))
  }
}

/** Connections on which the body of an update request is arriving. */
const receiving = new WeakSet<Socket>()

/** Records that the head of an update request was read, and its body has not arrived yet. */
export function noteBegun(socket: Socket): void {
  receiving.add(socket)
}

/** Records that an update request is complete, or was given up. */
export function noteEnded(socket: Socket): void {
  receiving.delete(socket)
}

/**
 * Answers a request that was meant for an update URL.
 *
 * @param error of Node's `clientError`; its octets show the request, if they are the first ones
 * @param inject passes a request to the app as if it had come by HTTP
 * @returns false when the request was meant for another URL; nothing is sent then
 */
export function answerUnreadableUpdate(
  error: Error & { readonly code?: string; readonly rawPacket?: unknown },
  socket: Socket,
  inject: Inject,
): boolean {
  if (!socket.writable) return false
  if (receiving.delete(socket)) {
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    socket.end(wire(isLate ? NOT_WHOLE : BADAGENT, false))
    return true
  }
  const begun = readBegun(error.rawPacket)
  if (begun === undefined) return false
  const meant = mendTarget(begun.target) ?? begun.target
  if (!isUpdatePath(/^[^?# ]*/.exec(mendUrl(meant))?.[0] ?? '')) return false
  void sendMended(begun, socket, inject)
  return true
}
