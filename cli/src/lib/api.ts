/** Calls the API through the typed client, and turns failures into messages of this program. */
import packageJson from '../../package.json' with { type: 'json' }
import { type ApiClient, createApiClient, type WholeReply } from './client.ts'
import { EXIT, exitCodeOf } from './exit-codes.ts'
import { CommandFailure, failureOf, type ProblemDocument, withRetry } from './failure.ts'
import { type Proxy, proxyFor } from './proxy.ts'
import { retrySentence } from './text.ts'
import {
  type ArrivingReply,
  type Call,
  type Reply,
  type Transport,
  transportThrough,
} from './transport.ts'
import { unreachable } from './unreachable.ts'

/** A response can take longer, as an export does, but not pause for longer. */
export const PAUSE_LIMIT_MS = 30_000

export interface ApiOptions {
  /** The header `Authorization`. */
  readonly authorization?: string
  /** Logs each call if `--debug` is given, without secrets and bodies. */
  readonly trace?: ((line: string) => void) | undefined
}

/** The headers of each call. */
export const headersOf = ({
  authorization,
}: {
  readonly authorization?: string | undefined
}): Record<string, string> => ({
  'user-agent': `homing-cli/${packageJson.version}`,
  ...(authorization === undefined ? {} : { authorization }),
})

/** A client of `server` with a timeout of 30 s without data. A response that cannot come from a Homing API becomes a CommandFailure. */
export async function apiAt(
  server: string,
  { authorization, trace }: ApiOptions = {},
): Promise<ApiClient> {
  const proxy = proxyFor(server, process.env)
  const way = { server, proxy, transport: await transportThrough(proxy) }
  const usual = headersOf({ authorization })
  return createApiClient(server, async (call) => {
    const begun = performance.now()
    const tell = (what: string) =>
      trace?.(
        `${call.method} ${call.url.href}${proxy === undefined ? '' : ` through ${proxy.url.host}`}: ${what}, ${Math.round(performance.now() - begun)} ms`,
      )
    try {
      const reply = await wholeReply(way, { ...call, headers: { ...usual, ...call.headers } })
      tell(`${reply.status}`)
      return reply
    } catch (error) {
      tell((error as Error).message)
      throw error
    }
  })
}

interface Way {
  readonly server: string
  readonly proxy: Proxy | undefined
  readonly transport: Transport
}

/** The response with its whole body, read here so that a connection that breaks in the middle is reported as such. */
async function wholeReply({ server, proxy, transport }: Way, call: Call): Promise<WholeReply> {
  let reply: ArrivingReply
  let text: string
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(timedOut()), PAUSE_LIMIT_MS)
  try {
    reply = await transport(call, controller.signal)
    text = await textOf(reply, () => timer.refresh())
  } catch (error) {
    throw unreachable(server, error, proxy)
  } finally {
    clearTimeout(timer)
  }
  const { status, headers } = reply
  if (status >= 300 && status < 400) throw redirected(server, headers.get('location'))
  const isUpdate = !call.url.pathname.startsWith('/api/')
  const isOurs = isUpdate
    ? isPlainText(headers)
    : (text === '' && status < 400) || isCsv(headers) || isJson(headers, text)
  if (!isOurs) throw notOurs(server, reply)
  return { ...reply, text }
}

export const timedOut = () => new DOMException('The response stopped.', 'TimeoutError')

/** The body. @param onData called for each part of it */
export async function textOf({ body }: ArrivingReply, onData?: () => void): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const part of body) {
    onData?.()
    text += decoder.decode(part, { stream: true })
  }
  return text + decoder.decode()
}

type Headers = Reply['headers']

const isPlainText = (headers: Headers) => /^text\/plain\b/.test(headers.get('content-type') ?? '')

const isCsv = (headers: Headers) => /^text\/csv\b/.test(headers.get('content-type') ?? '')

function isJson(headers: Headers, text: string): boolean {
  if (!/^application\/(problem\+)?json\b/.test(headers.get('content-type') ?? '')) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A token is never sent to the target of a redirect: the user decides whether to trust the target. */
export function redirected(server: string, location: string | null): CommandFailure {
  const target = URL.parse(location ?? '', server)?.origin
  const advice =
    target === undefined || target === server
      ? 'Check --server.'
      : `If you trust the target, use it: --server ${target}`
  return new CommandFailure(EXIT.failed, `${server} answers with a redirect. ${advice}`)
}

/** What happened, by the status of a response that does not come from the service, such as one of a proxy. */
const PROXY_MESSAGES: Readonly<Record<number, string>> = {
  401: 'requires a sign-in before the service, such as that of a proxy',
  403: 'does not let the call through to the service',
  429: 'gets too many calls',
  502: 'cannot serve at the moment',
  503: 'cannot serve at the moment',
  504: 'cannot serve at the moment',
}

/** A web page or nothing, from a proxy that cannot reach the service or from another service. */
export function notOurs(server: string, { status, headers }: Reply): CommandFailure {
  const said = PROXY_MESSAGES[status]
  if (said === undefined) {
    const message = `${server} answers ${status}, but not as a Homing API. Check --server.`
    return new CommandFailure(EXIT.failed, message)
  }
  const retryAfter = headers.get('retry-after')
  const retry = retrySentence(retryAfter, Date.now())
  const message = `${server} ${said} (${status}).`
  const problem = withRetry({ detail: message }, retryAfter)
  const told = retry === undefined ? message : `${message} ${retry}`
  return new CommandFailure(exitCodeOf({ status }), told, problem)
}

/** The result of a call. */
export interface Answer<T> {
  readonly data?: T
  readonly error?: unknown
  readonly response: Reply
}

/** Returns if the call succeeded. @throws CommandFailure if the response is a problem */
export function succeeded({ error, response }: Answer<unknown>): void {
  if (response.ok) return
  const problem = error as Partial<ProblemDocument> | null | undefined
  const detail = problem?.detail
  if (typeof detail === 'string') {
    throw failureOf({ ...problem, detail }, response.status, response.headers.get('retry-after'))
  }
  throw notOurs('The server', response)
}

/**
 * The body of a response.
 *
 * @param fields the fields that must exist: other services answer JSON too
 * @throws CommandFailure if it is a problem, or not a response of this API
 */
export function bodyOf<T extends object>(answer: Answer<T>, ...fields: (keyof T)[]): T {
  succeeded(answer)
  if (answer.data !== undefined && hasFields(answer.data, fields)) return answer.data
  throw strange()
}

/** The body of a response that is a list. @param fields of each item. @throws CommandFailure as `bodyOf` */
export function listOf<T extends object>(
  answer: Answer<readonly T[]>,
  ...fields: (keyof T)[]
): T[] {
  succeeded(answer)
  const items: unknown = answer.data
  if (Array.isArray(items) && items.every((item) => hasFields<T>(item, fields))) return items
  throw strange()
}

function hasFields<T extends object>(item: unknown, fields: readonly (keyof T)[]): item is T {
  if (typeof item !== 'object' || item === null) return false
  return fields.every((field) => ((item as T)[field] ?? undefined) !== undefined)
}

/** The failure for a response that no Homing API sends. */
export const strange = () =>
  new CommandFailure(EXIT.failed, 'This is not a Homing API response. Check --server.')
