/** Calls of the API through the generated client, with failures as this program tells them. */
import { type ApiClient, createApiClient } from '@homing/openapi/client'
import packageJson from '../../package.json' with { type: 'json' }
import { EXIT } from './exit-codes.ts'
import { CommandFailure, failureOf, type ProblemDocument } from './failure.ts'
import { type Proxy, proxyFor } from './proxy.ts'
import { type Transport, transportThrough } from './transport.ts'
import { unreachable } from './unreachable.ts'

const ANSWER_LIMIT_MS = 30_000

export interface ApiOptions {
  /** The header `Authorization`. */
  readonly authorization?: string
  /** Told of each call when `--debug` is given: never a secret, never a body. */
  readonly trace?: ((line: string) => void) | undefined
}

/** A client of `server` that gives up after 30 s. What cannot come from a Homing API ends as a CommandFailure. */
export async function apiAt(
  server: string,
  { authorization, trace }: ApiOptions = {},
): Promise<ApiClient> {
  const proxy = proxyFor(server, process.env)
  const transport = await transportThrough(proxy)
  return createApiClient({
    baseUrl: server,
    Request: transport.Request,
    headers: {
      'user-agent': `homing-cli/${packageJson.version}`,
      ...(authorization === undefined ? {} : { authorization }),
    },
    fetch: async (request) => {
      const begun = performance.now()
      const tell = (what: string) =>
        trace?.(
          `${request.method} ${request.url}${proxy === undefined ? '' : ` through ${proxy.url.host}`}: ${what}, ${Math.round(performance.now() - begun)} ms`,
        )
      try {
        const answer = await wholeAnswer({ server, proxy, transport }, request)
        tell(`${answer.status}`)
        return answer
      } catch (error) {
        tell((error as Error).message)
        throw error
      }
    },
  })
}

interface Way {
  readonly server: string
  readonly proxy: Proxy | undefined
  readonly transport: Transport
}

/** The answer with all of its body, read here so that a connection that breaks in the middle is told as such. */
async function wholeAnswer({ server, proxy, transport }: Way, request: Request): Promise<Response> {
  let answer: Response
  let text: string
  try {
    const signal = AbortSignal.timeout(ANSWER_LIMIT_MS)
    answer = await transport.fetch(request, { signal, redirect: 'manual' })
    text = await answer.text()
  } catch (error) {
    throw unreachable(server, error, proxy)
  }
  const { status, headers } = answer
  if (status >= 300 && status < 400) throw redirected(server, headers.get('location'))
  const isUpdate = !new URL(request.url).pathname.startsWith('/api/')
  if (!(isUpdate ? isPlainText(headers) : text === '' || isJson(headers, text))) {
    throw notOurs(server, status)
  }
  return new transport.Response(text === '' ? null : text, { status, headers })
}

const isPlainText = (headers: Headers) => /^text\/plain\b/.test(headers.get('content-type') ?? '')

function isJson(headers: Headers, text: string): boolean {
  if (!/^application\/(problem\+)?json\b/.test(headers.get('content-type') ?? '')) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A token is never sent on: the person decides about the other place. */
function redirected(server: string, location: string | null): CommandFailure {
  const target = URL.parse(location ?? '', server)?.origin
  const advice =
    target === undefined || target === server
      ? 'Is --server right?'
      : `If you trust it, give it instead: --server ${target}`
  return new CommandFailure(EXIT.failed, `${server} sends its callers elsewhere. ${advice}`)
}

/** A web page, from a proxy that lost the service or from another service. */
function notOurs(server: string, status: number): CommandFailure {
  if (status >= 502 && status <= 504) {
    return new CommandFailure(EXIT.network, `${server} cannot serve at the moment (${status}).`)
  }
  return new CommandFailure(
    EXIT.failed,
    `${server} answers ${status} and no Homing API. Is --server right?`,
  )
}

/** What a call of the client came to. */
export interface Answer<T> {
  readonly data?: T
  readonly error?: unknown
  readonly response: Response
}

/** Nothing, when the call did what it should. @throws CommandFailure when the answer is a problem */
export function succeeded({ error, response }: Answer<unknown>): void {
  if (response.ok) return
  const problem = error as Partial<ProblemDocument> | null | undefined
  const detail = problem?.detail
  if (typeof detail === 'string') {
    throw failureOf({ ...problem, detail }, response.status, response.headers.get('retry-after'))
  }
  throw new CommandFailure(
    EXIT.failed,
    `The server answers ${response.status} and no reason. Is --server right?`,
  )
}

/**
 * The body of an answer.
 *
 * @param fields what is relied upon: a service that is none of ours may speak JSON too
 * @throws CommandFailure when it is a problem, or nothing that this API says
 */
export function bodyOf<T extends object>(answer: Answer<T>, ...fields: (keyof T)[]): T {
  succeeded(answer)
  if (answer.data !== undefined && hasFields(answer.data, fields)) return answer.data
  throw strange()
}

/** The body of an answer that is a list. @param fields of each. @throws CommandFailure as `bodyOf` */
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

const strange = () =>
  new CommandFailure(EXIT.failed, 'The answer is none of a Homing API. Is --server right?')
