/** Sends one request and reads its response, with undici on an open connection. */
import type { Agent, Dispatcher } from 'undici'
import type { Connection } from './connection.ts'
import type { PhaseTimer } from './phases.ts'

const HEADERS_LIMIT_BYTES = 16 * 1024

export interface OutgoingRequest {
  readonly url: URL
  readonly method: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

export interface ExchangeOptions {
  readonly timer: PhaseTimer
  readonly signal: AbortSignal
  /** Maximum wait for the headers, and for each next part of the body. */
  readonly silenceLimitMs: number
  readonly bodyLimitBytes: number
  /** What happens to a longer body: the request fails, or the rest is not read. */
  readonly longBody: 'fail' | 'cut'
  /** Whether to read the body of this response; the bodies of followed redirects are not read. */
  readonly readsBody: (head: ResponseHead) => boolean
}

export interface ResponseHead {
  readonly status: number
  /** Names in lower case; a header that occurs several times is a list. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
}

export interface WholeResponse extends ResponseHead {
  readonly body: Buffer
  /** Whether the response had more than `body`. */
  readonly isCut: boolean
}

/**
 * Sends a request on `connection` and closes it afterwards.
 *
 * @throws errors of undici and the operating system; the reason of `signal`
 */
export async function exchange(
  { socket }: Connection,
  request: OutgoingRequest,
  options: ExchangeOptions,
): Promise<WholeResponse> {
  const agent = await agentOn(socket, options)
  try {
    const { timer } = options
    const response = await timer.run('firstByte', () => send(agent, request, options))
    const head = { status: response.statusCode, headers: headersOf(response) }
    if (!options.readsBody(head)) {
      // The body fails when the connection is closed below.
      response.body.on('error', () => undefined)
      return { ...head, body: Buffer.alloc(0), isCut: false }
    }
    return { ...head, ...(await timer.run('body', () => bodyOf(response.body, options))) }
  } finally {
    await agent.destroy()
    socket.destroy()
  }
}

/** An agent that uses this connection and opens no other. */
async function agentOn(socket: Connection['socket'], options: ExchangeOptions): Promise<Agent> {
  // Loaded here: undici takes 16 MB, which a worker or an api without outgoing requests should not hold.
  const undici = await import('undici')
  const { silenceLimitMs, bodyLimitBytes, longBody } = options
  let isTaken = false
  return new undici.Agent({
    connect(_to, callback) {
      const isFirst = !isTaken
      isTaken = true
      // In a microtask: undici must have returned from its own call by then.
      queueMicrotask(() => (isFirst ? callback(null, socket) : callback(connectionLost(), null)))
    },
    connections: 1,
    // No keep-alive: the next request resolves and checks its host again.
    pipelining: 0,
    allowH2: false,
    maxHeaderSize: HEADERS_LIMIT_BYTES,
    maxResponseSize: longBody === 'fail' ? bodyLimitBytes : -1,
    headersTimeout: silenceLimitMs,
    bodyTimeout: silenceLimitMs,
  })
}

/** For this error undici does not connect again, as it does for its own errors. */
const connectionLost = () =>
  Object.assign(new Error('the connection was lost'), { code: 'ECONNRESET' })

async function send(
  agent: Agent,
  { url, method, headers, body }: OutgoingRequest,
  { signal }: ExchangeOptions,
): Promise<Dispatcher.ResponseData> {
  return agent.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers: { ...headers },
    body: body ?? null,
    signal,
  })
}

function headersOf({ headers }: Dispatcher.ResponseData): ResponseHead['headers'] {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
}

async function bodyOf(
  parts: AsyncIterable<Buffer>,
  { bodyLimitBytes, longBody }: ExchangeOptions,
): Promise<{ body: Buffer; isCut: boolean }> {
  const read: Buffer[] = []
  let length = 0
  for await (const part of parts) {
    read.push(part)
    length += part.length
    if (longBody === 'cut' && length > bodyLimitBytes) break
  }
  const whole = Buffer.concat(read)
  return { body: whole.subarray(0, bodyLimitBytes), isCut: length > bodyLimitBytes }
}
