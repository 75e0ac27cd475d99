/**
 * Idempotency keys: a client that lost a response repeats the call with the same key, and gets the response of the
 * first call.
 *
 * The first call claims the key by inserting its row, without a response. A concurrent call with the key finds that row
 * and gets 409 with Retry-After. When the first call ends, its response is stored in the row; a failure that a repeated
 * call may overcome (5xx, 429) deletes the row instead. If the process ends in between, the row is left without a
 * response, and a repeated call takes it over once no request can still be in progress. It then runs again, so an
 * operation must also refuse by its own rules what it has already done: a domain, for example, cannot be registered
 * twice.
 *
 * Keys are per account. The digest of the request includes the credential, so that an API key cannot read the response
 * of a call that it could not make itself.
 */
import { type Operation, type ProblemCode, PROBLEMS } from '@homing/openapi'
import {
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENCY_KEY_PATTERN,
  REPLAYED_HEADER,
} from '@homing/openapi/vocabulary'
import type { FastifyError, FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import type { Principal } from '../caller/principal.ts'
import type { Services } from '../compose.ts'
import { requireAllowance } from '../limits/require-allowance.ts'
import { invalid, Refusal } from '../rules/errors.ts'
import type { Answer, Call } from './call.ts'
import {
  claimKey,
  forgetKey,
  type KeyClaim,
  type StoredAnswer,
  storeAnswer,
} from './idempotency-store.ts'
import { faultOf, problemOf } from './problem.ts'
import { noteRefusal } from './request-log.ts'
import { serializerOf } from './serializers.ts'

type Handler = (call: Call<Operation>) => Promise<Answer<unknown>>

const JSON_TYPE = 'application/json; charset=utf-8'
const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'
const RETRY_AFTER_SECONDS = 1
/** Refusals that are about the caller at that moment, and not about what the call asks for. */
const PASSING = new Set([401, 429])

/** @throws Refusal `validation-failed` */
function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && new RegExp(IDEMPOTENCY_KEY_PATTERN).test(key)) return key
  const message = `${IDEMPOTENCY_KEY_HEADER} is invalid. Expected: 1 to 255 visible ASCII characters, without spaces, once.`
  throw invalid({ field: IDEMPOTENCY_KEY_HEADER, message })
}

const credentialOf = (principal: Principal) =>
  principal.kind === 'session' ? principal.kind : `${principal.kind} ${principal.keyId}`

function digestOf(
  { params, query, body, principal }: Call<Operation>,
  operationId: string,
): Buffer {
  const caller = principal === undefined ? '' : credentialOf(principal)
  const request = JSON.stringify([caller, operationId, params, query, body])
  return createHash('sha256').update(request).digest()
}

/** Why there is no stored response to repeat; undefined when there is one. */
function obstacleIn(stored: StoredAnswer, digest: Buffer): Refusal | undefined {
  if (!stored.digest.equals(digest)) {
    return new Refusal(
      'idempotency-key-reused',
      `This ${IDEMPOTENCY_KEY_HEADER} was already used for another request. Use a new key for each request.`,
    )
  }
  if (stored.status === null) {
    return new Refusal(
      'request-in-progress',
      `The first request with this ${IDEMPOTENCY_KEY_HEADER} is still in progress. Please repeat yours shortly.`,
      { retryAfterSeconds: RETRY_AFTER_SECONDS },
    )
  }
  if (stored.createdId === null) return undefined
  const id = stored.createdId
  return new Refusal(
    'secret-not-repeated',
    `The first request with this ${IDEMPOTENCY_KEY_HEADER} succeeded and created ${id}. Its response contained a secret, which is shown only once.`,
    { members: { id } },
  )
}

/** @throws Refusal */
function replayed(request: FastifyRequest, stored: StoredAnswer, digest: Buffer): Answer<unknown> {
  const obstacle = obstacleIn(stored, digest)
  if (obstacle !== undefined) throw obstacle
  const { status, headers, body } = stored
  const isProblem = (status ?? 0) >= 400
  if (isProblem && body !== null)
    noteRefusal(request, (JSON.parse(body) as { code: ProblemCode }).code)
  return {
    body: body ?? undefined,
    status: status ?? 0,
    headers: {
      ...headers,
      [REPLAYED_HEADER.toLowerCase()]: 'true',
      ...(body === null ? {} : { 'content-type': isProblem ? PROBLEM_TYPE : JSON_TYPE }),
    },
  }
}

/** The response of a call that succeeded, as it is stored. */
function storable({ success, idempotencyKey }: Operation, answer: Answer<unknown>) {
  const { body, headers = {}, status = success.status } = answer
  if (idempotencyKey === 'secret') {
    return { status, headers: {}, body: null, createdId: (body as { readonly id: string }).id }
  }
  const text = success.schema === undefined ? null : serializerOf(success.schema)(body)
  return { status, headers, body: text, createdId: null }
}

/** Stores a refusal that every repeated call would get; of other failures, nothing is stored. */
async function settleFailure(
  services: Services,
  claim: KeyClaim,
  error: unknown,
  requestId: string,
): Promise<void> {
  const fault = faultOf(error as FastifyError)
  const { status } = PROBLEMS[fault.code]
  if (status >= 500 || PASSING.has(status) || fault.code === 'step-up-required') {
    return forgetKey(services.knex, claim)
  }
  const body = JSON.stringify(problemOf(fault, requestId))
  return storeAnswer(services.knex, claim, { status, headers: {}, body, createdId: null })
}

/**
 * Runs the handler of a call, or repeats its stored response.
 *
 * @throws Refusal `validation-failed`, `request-in-progress`, `idempotency-key-reused`, `secret-not-repeated`,
 * `rate-limited`
 */
export async function answerOnce(
  call: Call<Operation>,
  operation: Operation,
  operationId: string,
  handler: Handler,
): Promise<Answer<unknown>> {
  const { request, services, principal } = call
  if (operation.idempotencyKey === undefined || principal === undefined) return handler(call)
  const key = keyOf(request)
  if (key === undefined) return handler(call)
  const userId = principal.account.id
  const digest = digestOf(call, operationId)
  const claimed = await claimKey(services, { userId, key, digest, operation: operationId })
  if ('digest' in claimed) return replayed(request, claimed, digest)
  let answer: Answer<unknown>
  try {
    await requireAllowance(services, 'idempotency-account', userId)
    answer = await handler(call)
  } catch (error) {
    await settleFailure(services, claimed, error, request.id)
    throw error
  }
  await storeAnswer(services.knex, claimed, storable(operation, answer))
  return answer
}
