/** What update clients hear: one line for each name, `code[ addresses]`, and headers that old firmware can read. */
import type { FastifyReply, FastifyRequest } from 'fastify'

/** What became of one name. */
export type HostOutcome =
  | { readonly code: 'good' | 'nochg'; readonly said: string }
  | { readonly code: 'nohost' | 'notfqdn' | 'dnserr' | 'abuse' }
  /** Not stored, and worth another try after so many seconds. */
  | { readonly code: '911' | 'dnserr'; readonly retryAfterSeconds: number }

/** An answer about the request as a whole. */
export type RequestOutcome =
  | { readonly code: 'badauth' | 'notfqdn' | 'numhost' | 'abuse' }
  | { readonly code: '911' | 'dnserr'; readonly retryAfterSeconds: number }

export interface UpdateAnswer {
  readonly status: 200 | 401 | 405 | 503
  readonly body: string
  readonly retryAfterSeconds?: number
}

/** One answer for the request: given once, however many names it has. */
export function answerOnce(outcome: RequestOutcome): UpdateAnswer {
  const body = `${outcome.code}\n`
  if ('retryAfterSeconds' in outcome) {
    return { status: 503, body, retryAfterSeconds: outcome.retryAfterSeconds }
  }
  return { status: outcome.code === 'badauth' ? 401 : 200, body }
}

/**
 * The lines of all names. When one of them is worth another try the whole answer is 503,
 * because clients take any 2xx for done; those that were stored are `nochg` then.
 */
export function answerLines(outcomes: readonly HostOutcome[]): UpdateAnswer {
  let body = ''
  let retryAfterSeconds: number | undefined
  for (const outcome of outcomes) {
    body += 'said' in outcome ? `${outcome.code} ${outcome.said}\n` : `${outcome.code}\n`
    if ('retryAfterSeconds' in outcome) {
      retryAfterSeconds = Math.max(retryAfterSeconds ?? 0, outcome.retryAfterSeconds)
    }
  }
  return retryAfterSeconds === undefined
    ? { status: 200, body }
    : { status: 503, body, retryAfterSeconds }
}

/**
 * Sends an answer. Nothing of it is compressed or chunked, no cookie and no redirect
 * goes with it; wget-like clients send their credentials only after the challenge.
 */
export function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: UpdateAnswer) {
  void reply
    .code(answer.status)
    .header('content-type', 'text/plain; charset=utf-8')
    .header('cache-control', 'no-store')
  if (answer.status === 401) {
    void reply.header('www-authenticate', 'Basic realm="Homing", charset="UTF-8"')
  }
  if (answer.retryAfterSeconds !== undefined) {
    void reply.header('retry-after', String(answer.retryAfterSeconds))
  }
  if (request.raw.httpVersionMinor === 0) void reply.header('connection', 'close')
  return reply.send(answer.body)
}
