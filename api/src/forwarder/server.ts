/** The HTTP server of the forwarder. A server for TLS can use the same handlers. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { limitConnections } from '../limits/open-connections.ts'
import { type AnswerOptions, answerTo } from './answer.ts'
import type { Forward } from './forward.ts'
import { answerUnreadable } from './unreadable.ts'
import { nodeHttp } from '../process/node-http.ts'

/**
 * A request must be complete after 10 s, which is checked every 2 s. Connections are closed after 5 s without a request,
 * and after 30 s without any octet.
 *
 * Requests are not counted: to refuse one costs as much as to answer it.
 */
const LIMITS = {
  requestTimeout: 10_000,
  headersTimeout: 10_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 16_384,
  // Node's own refusal has no text.
  requireHostHeader: false,
}
const SILENCE_LIMIT_MS = 30_000
/** Bodies are never used. They are read up to here, because clients read the answer after sending them. */
const BODY_LIMIT_BYTES = 1_048_576

export interface ForwardServerOptions extends AnswerOptions {
  readonly trustProxy: readonly string[]
  readonly rateLimits: boolean
  /** Called for each answer of a forward. */
  readonly onHit: (forward: Forward) => void
  /** Called for each answer. */
  readonly onAnswer: (status: number) => void
  /** Limits other than the usual ones, for tests. */
  readonly limits?: Partial<typeof LIMITS>
}

/** Builds the server. It does not listen until its caller calls `listen`. */
export function createForwardServer(options: ForwardServerOptions): Server {
  const { onHit, onAnswer, limits } = options
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const { status, headers, body, forward } = answerTo(request, options)
    if (hasBody(request)) skipBody(request)
    response.writeHead(status, headers)
    response.end(request.method === 'HEAD' ? undefined : body)
    onAnswer(status)
    if (forward !== undefined) onHit(forward)
  }
  const server = nodeHttp.createServer({ ...LIMITS, ...limits }, answer)
  server.timeout = SILENCE_LIMIT_MS
  // The answer does not depend on the body, so clients that wait for 100 get it instead.
  server.on('checkContinue', answer)
  server.on('checkExpectation', answer)
  server.on('clientError', (error: Error & { code?: string }, socket: Socket) => {
    const status = answerUnreadable(error, socket)
    if (status !== undefined) onAnswer(status)
  })
  // Only proxies establish tunnels (RFC 9110 §9.3.6).
  server.on('connect', (_request, socket) => {
    socket.end('HTTP/1.1 501 Not Implemented\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
    onAnswer(501)
  })
  limitConnections(server, options)
  return server
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** Reads a body without keeping it, and ends the connection of one that is too large. */
function skipBody(request: IncomingMessage): void {
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > BODY_LIMIT_BYTES) request.socket.destroy()
  })
}
