/**
 * Update requests that Node's HTTP parser gives up on. Where only the request line is wrong
 * in a way that is known, what was meant is done; otherwise the answer is a line of text, as
 * everything at the update URLs: `badagent`, or `911` for one that did not become whole in
 * time. A request whose head did not arrive is nobody's: it cannot be told for which URL it was.
 */
import type { InjectOptions } from 'fastify'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { RETRY_AFTER_SECONDS } from './host-update.ts'
import { isUpdatePath, mendTarget, mendUrl } from '../../update-protocol/request-line.ts'

/** What was sent, as far as it came with the first packet. */
interface Begun {
  readonly method: string
  readonly target: string
  /** Undefined when they are not whole, or none that Node would have taken. */
  readonly headers: Readonly<Record<string, string>> | undefined
}

/** An answer of the app, as `inject` gives it. */
export interface InjectedAnswer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly payload: string
}

type Inject = (options: InjectOptions) => Promise<InjectedAnswer>

/** Node reads no more of a request line and its headers. */
const HEAD_LIMIT_OCTETS = 16 * 1024

/** RFC 9110 §5.5 and §5.6.2. Node stopped before them, so that nobody has looked for control characters yet. */
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

/** An answer as octets; nothing else is sent on the connection. */
function wire({ statusCode, headers, payload }: InjectedAnswer, isHead: boolean): string {
  const lines = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const status = `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] ?? ''}\r\n`
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

/** What a request with a mended request line is answered; a body is not looked for. */
async function answerMended(begun: Begun, socket: Socket, inject: Inject): Promise<InjectedAnswer> {
  const { method, headers } = begun
  const url = mendTarget(begun.target)
  if (url === undefined || headers === undefined || (method !== 'GET' && method !== 'HEAD')) {
    return BADAGENT
  }
  const { remoteAddress } = socket
  // Left out, these would be what `inject` takes for them: a client's name of its own, and this machine's address.
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

/** Notes that the head of an update request was read, and its body is not here yet. */
export function noteBegun(socket: Socket): void {
  receiving.add(socket)
}

/** Notes that an update request is whole, or given up. */
export function noteEnded(socket: Socket): void {
  receiving.delete(socket)
}

/**
 * Answers what was meant for an update URL.
 *
 * @param error of Node's `clientError`; its octets say what was asked for, where they are the first ones
 * @param inject hands a request to the app as if it had come by HTTP
 * @returns false when it was meant for something else, and nothing is sent
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
