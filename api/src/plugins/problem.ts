/**
 * Turns errors into problem documents (RFC 9457, docs/design.md "Errors and lists"). Nothing else
 * in the api writes problem documents.
 */
import { PROBLEMS, type Problem, type ProblemCode } from '@homing/openapi'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { type FieldFault, Refusal, type RefusalMembers } from '../rules/errors.ts'
import { prefersHtml } from '../rules/prefers-html.ts'
import { inputFaults } from './input-faults.ts'
import { noteRefusal } from './request-log.ts'
import { BARE_HEADERS } from './security-headers.ts'

export interface Fault {
  readonly code: ProblemCode
  readonly detail: string
  readonly faults?: readonly FieldFault[]
  readonly retryAfterSeconds?: number | undefined
  readonly members?: RefusalMembers
}

/** Errors of Fastify itself, by error code. */
const FASTIFY_FAULTS: Readonly<Record<string, Fault>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported-media-type',
    detail:
      'The content type is not supported. Send the body as JSON, with the header Content-Type: application/json.',
  },
  FST_ERR_CTP_EMPTY_JSON_BODY: {
    code: 'malformed-request',
    detail: 'The body is empty. Send a JSON object.',
  },
  FST_ERR_CTP_INVALID_JSON_BODY: {
    code: 'malformed-request',
    detail: 'The body is not valid JSON.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'malformed-request',
    detail: 'The length of the body does not match the Content-Length header.',
  },
  FST_ERR_BAD_URL: { code: 'malformed-request', detail: 'The URL is malformed.' },
}

/** Largest body of a call in octets, where its operation does not say more. */
export const BODY_LIMIT_BYTES = 100 * 1024
const TOO_LARGE = 'FST_ERR_CTP_BODY_TOO_LARGE'

/** @param limitBytes the limit of the route */
const bodyTooLarge = (limitBytes = BODY_LIMIT_BYTES): Fault => ({
  code: 'body-too-large',
  detail: `The body is larger than ${limitBytes / 1024} KiB. Send a smaller body.`,
})

/** Temporary errors of PostgreSQL and its pool: down, starting, out of connections, timeout. */
function isUnavailable(error: Error & { code?: unknown }): boolean {
  if (error.name === 'KnexTimeoutError') return true
  const code = typeof error.code === 'string' ? error.code : ''
  return (
    /^(08|53|57P|25P03|57014|55P03|40)/.test(code) ||
    /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH)/.test(code) ||
    // A request that waits for a connection gets this error when the pool closes at shutdown.
    error.message === 'aborted' ||
    // The last: the ROLLBACK of a transaction whose connection was already lost.
    /Connection terminated|timeout expired|timeout exceeded|not queryable/i.test(error.message)
  )
}

/** What went wrong, for the caller. @param limitBytes the limit of the route's bodies */
export function faultOf(error: FastifyError | Refusal | Error, limitBytes?: number): Fault {
  if (error instanceof Refusal) {
    const { code, message: detail, faults, retryAfterSeconds, members } = error
    return { code, detail, faults, retryAfterSeconds, members }
  }
  if ('validation' in error && error.validation) {
    const faults = inputFaults(error)
    return { code: 'validation-failed', detail: faults.map((f) => f.message).join(' '), faults }
  }
  if ((error as FastifyError).code === TOO_LARGE) return bodyTooLarge(limitBytes)
  const fastifyFault = FASTIFY_FAULTS[(error as FastifyError).code]
  if (fastifyFault) return fastifyFault
  if (isUnavailable(error)) {
    return {
      code: 'unavailable',
      detail: 'The service cannot reach its database at the moment. Please try again shortly.',
      retryAfterSeconds: 5,
    }
  }
  const status = (error as FastifyError).statusCode
  if (status !== undefined && status >= 400 && status < 500) {
    return { code: 'malformed-request', detail: 'The request could not be read.' }
  }
  return {
    code: 'internal-error',
    detail:
      'Something went wrong on our side. If it happens again, contact support with the request id.',
  }
}

/** The problem document of an error. */
export function problemOf(fault: Fault, requestId: string): Problem {
  const { status, title } = PROBLEMS[fault.code]
  return {
    type: `urn:homing:problem:${fault.code}`,
    title,
    status,
    detail: fault.detail,
    code: fault.code,
    message: fault.detail,
    ...(fault.faults?.length ? { errors: [...fault.faults] } : {}),
    requestId,
    ...(fault.members as Pick<Problem, 'verdicts' | 'id'>),
  }
}

/** Sends a problem document. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, fault: Fault) {
  const problem = problemOf(fault, request.id)
  const { status } = problem
  noteRefusal(request, fault.code)
  if (fault.retryAfterSeconds !== undefined) {
    void reply.header('retry-after', String(fault.retryAfterSeconds))
  }
  // RFC 9110 §15.5.2: a 401 must name the authentication scheme.
  if (status === 401) void reply.header('www-authenticate', 'Bearer')
  return reply
    .code(status)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .header('cache-control', 'no-store')
    .serializer((body: unknown) => JSON.stringify(body))
    .send(problem)
}

/** Sends an error to a browser as a page. */
export type SendErrorPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
) => Promise<FastifyReply>

declare module 'fastify' {
  interface FastifyInstance {
    /** From then on, browsers get pages for URLs that do not exist and for failures. */
    sendErrorPagesBy(send: SendErrorPage): void
  }
}

/** Below `/api/`, everybody gets problem documents: a person who opens these URLs is working with the API. */
function isForPerson({ method, headers, url, routeOptions }: FastifyRequest): boolean {
  const isReading = method === 'GET' || method === 'HEAD'
  const isApi = url.startsWith('/api/') || routeOptions.config.operation !== undefined
  return isReading && !isApi && prefersHtml(headers.accept)
}

const NO_SUCH_URL: Fault = {
  code: 'not-found',
  detail: 'This URL does not exist. All calls are listed at /api/openapi.json.',
}

export const problems = fastifyPlugin(
  (app: FastifyInstance, _options: object, done: () => void) => {
    let sendPage: SendErrorPage | undefined
    app.decorate('sendErrorPagesBy', (send) => (sendPage = send))

    function answer(request: FastifyRequest, reply: FastifyReply, fault: Fault) {
      const { status } = PROBLEMS[fault.code]
      const hasPage = status === 404 || status >= 500
      if (sendPage === undefined || !hasPage || !isForPerson(request)) {
        return sendProblem(request, reply, fault)
      }
      noteRefusal(request, fault.code)
      void reply.header('cache-control', 'no-store')
      if (fault.retryAfterSeconds !== undefined) {
        void reply.header('retry-after', String(fault.retryAfterSeconds))
      }
      return sendPage(request, reply, problemOf(fault, request.id))
    }

    app.setErrorHandler((error: FastifyError, request, reply) => {
      const fault = faultOf(error, request.routeOptions.bodyLimit)
      if (fault.code === 'internal-error') request.log.error({ err: error }, 'unexpected error')
      if (fault.code === 'unavailable') request.log.warn({ err: error }, 'unavailable')
      return answer(request, reply, fault)
    })
    app.setNotFoundHandler((request, reply) => answer(request, reply, NO_SUCH_URL))
    done()
  },
  { name: 'problem' },
)

/** Answers a request that reached no route because its URL is malformed. */
export function sendUnroutable(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  void sendProblem(request, reply.headers(BARE_HEADERS), faultOf(error))
}
