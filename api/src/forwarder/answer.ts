/** What the forwarder answers to a request. Pure, except for the look-up in the table. */
import type { IncomingMessage } from 'node:http'
import type { Forward } from './forward.ts'
import type { Answer } from './http-answer.ts'
import { cacheControlOf, locationOf } from './location.ts'
import type { ServicePages } from './service-pages.ts'
import { type RequestedUrl, requestedUrl } from './requested-url.ts'
import { stealthPage } from './stealth-page.ts'

/** The part of the table that answers need. */
export interface Lookup {
  /** Undefined: nothing is known about any host yet. */
  readonly version: unknown
  find(host: string): Forward | undefined
}

export interface AnswerOptions {
  readonly table: Lookup
  readonly pages: ServicePages
  readonly abuseEmail: string
  /** Milliseconds since 1970. */
  readonly now: () => number
}

const UNKNOWN_CODING =
  'The transfer coding is not supported. Send the body in chunks, or with a Content-Length.'

/** The answer to a request, whatever its method; the server leaves out the body of answers to HEAD. */
export function answerTo(request: IncomingMessage, options: AnswerOptions): Answer {
  const { table, pages, now } = options
  if (hasUnknownCoding(request)) return pages.badRequest(UNKNOWN_CODING)
  const asked = requestedUrl(request)
  if ('fault' in asked) return pages.badRequest(asked.fault)
  if (table.version === undefined) return pages.unavailable
  const forward = asked.host === undefined ? undefined : table.find(asked.host)
  if (forward === undefined) return pages.notFound
  if (forward.isStealth) return stealthAnswer(request.method, asked, forward, options)
  return {
    status: forward.status,
    headers: {
      location: locationOf(forward, asked),
      'cache-control': cacheControlOf(forward, now()),
      'content-length': 0,
    },
    forward,
  }
}

/** Where such a body ends is ambiguous (RFC 9112 §6.3). The parser notices it only after the headers. */
function hasUnknownCoding({ headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding']
  return coding !== undefined && coding.toLowerCase() !== 'chunked'
}

function stealthAnswer(
  method: string | undefined,
  asked: RequestedUrl,
  forward: Forward,
  { pages, abuseEmail }: AnswerOptions,
): Answer {
  // The page can only be read. A redirect with status 307 or 308 passes on other methods.
  if (method !== 'GET' && method !== 'HEAD') return pages.onlyReadable
  const { host = '' } = asked
  const location = locationOf(forward, asked)
  const { body, contentSecurityPolicy } = stealthPage(forward, { host, location, abuseEmail })
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    },
    body,
    forward,
  }
}
