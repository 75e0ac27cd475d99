/**
 * Update requests that Node's HTTP parser gives up on. Where only the request line is wrong
 * in a way that is known, what was meant is done; otherwise the answer is `badagent`: a
 * line of text, as everything at the update URLs.
 */
import type { InjectOptions } from 'fastify'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { isUpdatePath, mendTarget, mendUrl } from './request-line.ts'

/** What was sent, as far as it came with the first packet. */
interface Begun {
  readonly method: string
  readonly target: string
  /** Undefined when they are not whole. */
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

function headersIn(lines: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name, value = ''] = /^([\w-]+):[ \t]*(.*)$/.exec(line) ?? []
    if (name !== undefined) headers.set(name.toLowerCase(), value.trim())
  }
  return Object.fromEntries(headers)
}

function readBegun(packet: unknown): Begun | undefined {
  if (!Buffer.isBuffer(packet)) return undefined
  const text = packet.toString('latin1', 0, HEAD_LIMIT_OCTETS)
  const end = /\r?\n\r?\n/.exec(text)?.index
  const [line = '', ...lines] = text.slice(0, end).split(/\r?\n/)
  const [method = ''] = /^[A-Z]+(?= )/.exec(line) ?? []
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

const BADAGENT: InjectedAnswer = {
  statusCode: 200,
  headers: {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'content-length': '9',
  },
  payload: 'badagent\n',
}

/** What a request with a mended request line is answered; a body is not looked for. */
async function answerMended(begun: Begun, socket: Socket, inject: Inject): Promise<InjectedAnswer> {
  const { method, headers } = begun
  const url = mendTarget(begun.target)
  if (url === undefined || headers === undefined || (method !== 'GET' && method !== 'HEAD')) {
    return BADAGENT
  }
  const { remoteAddress } = socket
  return inject({ method, url, headers, ...(remoteAddress && { remoteAddress }) })
}

async function sendMended(begun: Begun, socket: Socket, inject: Inject): Promise<void> {
  let answer = BADAGENT
  try {
    answer = await answerMended(begun, socket, inject)
  } finally {
    socket.end(wire(answer, begun.method === 'HEAD'))
  }
}

/**
 * Answers what was meant for an update URL.
 *
 * @param error of Node's `clientError`; its first octets say what was asked for
 * @param inject hands a request to the app as if it had come by HTTP
 * @returns false when it was meant for something else, and nothing is sent
 */
export function answerUnreadableUpdate(
  error: Error & { readonly rawPacket?: unknown },
  socket: Socket,
  inject: Inject,
): boolean {
  const begun = readBegun(error.rawPacket)
  if (begun === undefined || !socket.writable) return false
  const meant = mendTarget(begun.target) ?? begun.target
  if (!isUpdatePath(/^[^?# ]*/.exec(mendUrl(meant))?.[0] ?? '')) return false
  void sendMended(begun, socket, inject)
  return true
}
