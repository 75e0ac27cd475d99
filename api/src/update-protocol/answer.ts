/**
 * Answers to update clients: one line for each name, `code[ addresses]`, with headers that old firmware can read.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The result for one name. */
export type HostOutcome =
  | { readonly code: 'good' | 'nochg'; readonly said: string }
  | { readonly code: 'nohost' | 'notfqdn' | 'dnserr' | 'abuse' }
  /** Not stored. The client can retry after this many seconds. */
  | { readonly code: '911' | 'dnserr'; readonly retryAfterSeconds: number }

/** The result for the request as a whole. */
export type RequestOutcome =
  | { readonly code: 'badauth' | 'badagent' | 'notfqdn' | 'numhost' | 'abuse' }
  | { readonly code: '911' | 'dnserr'; readonly retryAfterSeconds: number }

export interface UpdateAnswer {
  readonly status: 200 | 401 | 405 | 503
  readonly body: string
  readonly retryAfterSeconds?: number
}

/** How a dialect writes the results of a request. */
export interface AnswerForm {
  /** One answer for the request, however many names it has. */
  readonly once: (outcome: RequestOutcome) => UpdateAnswer
  /** The results for its names, in the request's order. */
  readonly each: (outcomes: readonly HostOutcome[]) => UpdateAnswer
}

const isSuccess = (outcome: HostOutcome) => 'said' in outcome

/** The longest retry delay of the outcomes that the client can retry. */
function retryAfter(outcomes: readonly HostOutcome[]): number | undefined {
  let seconds: number | undefined
  for (const outcome of outcomes) {
    if ('retryAfterSeconds' in outcome) seconds = Math.max(seconds ?? 0, outcome.retryAfterSeconds)
  }
  return seconds
}

/**
 * If the client must retry for one name, the whole answer is 503, because clients take any 2xx for
 * success. On the retry, names that were already stored get `nochg`.
 */
function answer(body: string, retryAfterSeconds: number | undefined): UpdateAnswer {
  return retryAfterSeconds === undefined
    ? { status: 200, body }
    : { status: 503, body, retryAfterSeconds }
}

function refusal(body: string, outcome: RequestOutcome): UpdateAnswer {
  if ('retryAfterSeconds' in outcome) return answer(body, outcome.retryAfterSeconds)
  return { status: outcome.code === 'badauth' ? 401 : 200, body }
}

/** A name's line: `good 192.0.2.1`. */
export function lineOf(outcome: HostOutcome): string {
  return 'said' in outcome && outcome.said !== '' ? `${outcome.code} ${outcome.said}` : outcome.code
}

/** The codes of Dyn, which most clients understand. */
export const LINES: AnswerForm = {
  once: (outcome) => refusal(`${outcome.code}\n`, outcome),
  each(outcomes) {
    let body = ''
    for (const outcome of outcomes) body += `${lineOf(outcome)}\n`
    return answer(body, retryAfter(outcomes))
  },
}

/**
 * `OK` or `KO` for all names together, as DuckDNS answers. The status is 200 even for a wrong
 * token, because its clients read nothing but the word.
 *
 * @param isVerbose adds three lines: both addresses, and whether anything changed
 */
export function okOrNot(isVerbose: boolean): AnswerForm {
  const more = (outcomes: readonly HostOutcome[]) => {
    const said = outcomes.flatMap((outcome) => ('said' in outcome ? outcome.said.split(',') : []))
    const ipv4 = said.find((text) => !text.includes(':')) ?? ''
    const ipv6 = said.find((text) => text.includes(':')) ?? ''
    const isChanged = outcomes.some(({ code }) => code === 'good')
    return `\n${ipv4}\n${ipv6}\n${isChanged ? 'UPDATED' : 'NOCHANGE'}`
  }
  return {
    once: (outcome) =>
      answer('KO', 'retryAfterSeconds' in outcome ? outcome.retryAfterSeconds : undefined),
    each: (outcomes) =>
      outcomes.every(isSuccess)
        ? answer(`OK${isVerbose ? more(outcomes) : ''}`, undefined)
        : answer('KO', retryAfter(outcomes)),
  }
}

/** One sentence for all names, as dynv6 answers. Where dynv6 has no sentence, Dyn's codes are used. */
export const SENTENCE: AnswerForm = {
  once: (outcome) =>
    outcome.code === 'badauth'
      ? refusal('invalid authentication token\n', outcome)
      : LINES.once(outcome),
  each(outcomes) {
    const failed = outcomes.find((outcome) => !isSuccess(outcome))
    if (failed === undefined) {
      const isChanged = outcomes.some(({ code }) => code === 'good')
      return answer(`addresses ${isChanged ? 'updated' : 'unchanged'}\n`, undefined)
    }
    const body = failed.code === 'nohost' ? 'zone not found\n' : `${failed.code}\n`
    return answer(body, retryAfter(outcomes))
  },
}

/**
 * Sends an answer without compression, chunking, cookies or redirects. Clients such as wget send
 * their credentials only after the challenge.
 */
export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  given: UpdateAnswer,
  type: 'text/plain' | 'text/html' = 'text/plain',
) {
  void reply
    .code(given.status)
    .header('content-type', `${type}; charset=utf-8`)
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
  if (given.status === 401) {
    void reply.header('www-authenticate', 'Basic realm="Homing", charset="UTF-8"')
  }
  if (given.retryAfterSeconds !== undefined) {
    void reply.header('retry-after', String(given.retryAfterSeconds))
  }
  if (request.raw.httpVersionMinor === 0) void reply.header('connection', 'close')
  return reply.send(given.body)
}
