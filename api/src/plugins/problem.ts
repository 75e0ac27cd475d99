/**
 * The edge where errors become problem documents (RFC 9457, docs/design.md "Errors
 * and lists"). Nothing else in the api writes one.
 */
import { PROBLEMS, type Problem, type ProblemCode } from '@homing/openapi'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { type FieldFault, Refusal } from '../domain/errors.ts'

interface Fault {
  readonly code: ProblemCode
  readonly detail: string
  readonly faults?: readonly FieldFault[]
  readonly retryAfterSeconds?: number | undefined
}

/** Fastify's own refusals, by its error code. */
const FASTIFY_FAULTS: Readonly<Record<string, Fault>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported-media-type',
    detail: 'Send the body as JSON, with the header Content-Type: application/json.',
  },
  FST_ERR_CTP_BODY_TOO_LARGE: {
    code: 'body-too-large',
    detail: 'The body is larger than 100 KiB. Send less at once.',
  },
  FST_ERR_CTP_EMPTY_JSON_BODY: {
    code: 'malformed-request',
    detail: 'The body is empty, and this call needs a JSON object.',
  },
  FST_ERR_CTP_INVALID_JSON_BODY: {
    code: 'malformed-request',
    detail: 'The body is not valid JSON.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'malformed-request',
    detail: 'The body is not as long as the header Content-Length says.',
  },
  FST_ERR_BAD_URL: { code: 'malformed-request', detail: 'The URL is not well formed.' },
}

/** Errors of PostgreSQL and its pool that pass by themselves: down, starting, out of connections or time. */
function isUnavailable(error: Error & { code?: unknown }): boolean {
  if (error.name === 'KnexTimeoutError') return true
  const code = typeof error.code === 'string' ? error.code : ''
  return (
    /^(08|53|57P|25P03|57014|55P03|40)/.test(code) ||
    /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH)/.test(code) ||
    /Connection terminated|timeout expired|timeout exceeded/i.test(error.message)
  )
}

interface AjvFault {
  readonly instancePath: string
  readonly keyword: string
  readonly message?: string
  readonly params: Record<string, unknown>
  readonly parentSchema?: { readonly description?: string }
}

/** Where a rule was broken, as the caller named it: `body.fqdn` → `fqdn`. */
function fieldOf({ instancePath, keyword, params }: AjvFault, place: string): string {
  const path = instancePath.split('/').slice(1)
  if (keyword === 'required') path.push(String(params['missingProperty']))
  if (keyword === 'additionalProperties') path.push(String(params['additionalProperty']))
  return path.join('.') || place
}

function wordsFor(fault: AjvFault, field: string): string {
  switch (fault.keyword) {
    case 'required':
      return `${field} is missing.`
    case 'additionalProperties':
      return `${field} is not a field of this call.`
    case 'enum':
      return `${field} takes one of: ${(fault.params['allowedValues'] as unknown[]).join(', ')}.`
    case 'type':
      return `${field} must be ${[fault.params['type']].flat().join(' or ')}.`
    case 'format':
      return `${field} is not ${FORMATS[String(fault.params['format'])] ?? 'in the form that is expected'}.`
    case 'pattern':
      return `${field} is not right. Expected: ${fault.parentSchema?.description ?? 'plain text'}`
    default:
      return `${field} ${fault.message ?? 'is not right'}.`
  }
}

const FORMATS: Readonly<Record<string, string>> = { email: 'an e-mail address' }

function validationFault(error: FastifyError): Fault {
  const place = error.validationContext ?? 'request'
  const found = (error.validation ?? []) as unknown as AjvFault[]
  const faults = found.map((fault) => {
    const field = fieldOf(fault, place)
    return { field, message: wordsFor(fault, field) }
  })
  return { code: 'validation-failed', detail: faults.map((f) => f.message).join(' '), faults }
}

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEMS, code)
}

function faultOf(error: FastifyError | Refusal | Error): Fault {
  if (error instanceof Refusal && isProblemCode(error.code)) {
    const { code, message: detail, faults, retryAfterSeconds } = error
    return { code, detail, faults, retryAfterSeconds }
  }
  if ('validation' in error && error.validation) return validationFault(error as FastifyError)
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
    detail: 'Something went wrong on our side. If it stays so, tell us the request id.',
  }
}

/** Answers a problem document. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, fault: Fault) {
  const { status, title } = PROBLEMS[fault.code]
  const problem: Problem = {
    type: `urn:homing:problem:${fault.code}`,
    title,
    status,
    detail: fault.detail,
    code: fault.code,
    message: fault.detail,
    ...(fault.faults?.length ? { errors: [...fault.faults] } : {}),
    requestId: request.id,
  }
  if (fault.retryAfterSeconds !== undefined) {
    void reply.header('retry-after', String(fault.retryAfterSeconds))
  }
  // RFC 9110 §15.5.2: a 401 says how to sign in.
  if (status === 401) void reply.header('www-authenticate', 'Bearer')
  return reply
    .code(status)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .header('cache-control', 'no-store')
    .serializer((body: unknown) => JSON.stringify(body))
    .send(problem)
}

export const problems = fastifyPlugin(
  (app: FastifyInstance, _options: object, done: () => void) => {
    app.setErrorHandler((error: FastifyError, request, reply) => {
      const fault = faultOf(error)
      if (fault.code === 'internal-error') request.log.error({ err: error }, 'unexpected error')
      if (fault.code === 'unavailable') request.log.warn({ err: error }, 'unavailable')
      return sendProblem(request, reply, fault)
    })
    app.setNotFoundHandler((request, reply) =>
      sendProblem(request, reply, {
        code: 'not-found',
        detail:
          'There is nothing at this URL. The contract at /api/openapi.json lists what there is.',
      }),
    )
    done()
  },
  { name: 'problem' },
)

/** Answers a request that reached no route, because its URL cannot be read. */
export function sendUnroutable(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  void sendProblem(request, reply, faultOf(error))
}

/** What is not HTTP at all is answered on the bare connection (RFC 9112 §2.2), and the connection ends. */
const UNREADABLE: Readonly<Record<string, Fault>> = {
  HPE_HEADER_OVERFLOW: { code: 'header-too-large', detail: 'The headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'malformed-request',
    detail: 'The request did not arrive in time.',
  },
}

export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { code, detail } = UNREADABLE[error.code ?? ''] ?? {
    code: 'malformed-request',
    detail: 'This is not HTTP that we understand.',
  }
  const { status, title } = PROBLEMS[code]
  const problem = { type: `urn:homing:problem:${code}`, title, status, detail, code }
  const body = JSON.stringify({ ...problem, message: detail, requestId: randomUUID() })
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\ncontent-type: application/problem+json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
