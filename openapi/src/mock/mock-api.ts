/**
 * The API in memory, for tests of screens: its routes, its checks of requests and its default responses come from the contract.
 *
 * An operation without a handler returns its example. These are violations of the contract: an unknown path, a field or a query
 * parameter that the API refuses, a call that is not allowed, a response that the operation cannot return. A screen could take
 * a violation for an outage and continue, so violations are also kept, and a test ends with `expectNoViolations`.
 */
import { acceptedQuery, commonProblems, type Operation } from '../operation.ts'
import { faultInListQuery } from './list.ts'
import { findOperation, type OperationId, type OperationTypes } from './operation-table.ts'
import { ok, problem, type ProblemReply, type Success } from './reply.ts'
import { faultIn } from './schema-check.ts'

/** The caller that the session's cookie would identify. */
export type MockCaller = 'nobody' | 'user' | 'administrator'

interface CallTypes {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/** One request, parsed and checked. */
export interface MockCall<Types extends CallTypes = CallTypes> {
  readonly id: OperationId
  readonly params: Types['params']
  readonly query: Types['query']
  readonly body: Types['body']
  readonly headers: Headers
}

type Reply<Body> = Success<Body> | ProblemReply

/** Handles calls of one operation. `fetch` throws what it throws: a `TypeError` is a broken connection. */
type MockHandler<Types extends CallTypes & { readonly reply: unknown }> = (
  call: MockCall<Types>,
) => Reply<Types['reply']> | Promise<Reply<Types['reply']>>

export type MockHandlers = {
  readonly [Id in OperationId]?: MockHandler<OperationTypes<Id>>
}

type AnyHandler = (call: MockCall) => Reply<unknown> | Promise<Reply<unknown>>
type AnyHandlers = Readonly<Partial<Record<OperationId, AnyHandler>>>

/** A request or a response that the contract does not allow. */
export class ContractViolation extends Error {
  override name = 'ContractViolation'
}

interface ParsedRequest {
  readonly id: OperationId
  readonly operation: Operation
  readonly call: MockCall
}

const isJson = (headers: Headers) => /^application\/json\b/.test(headers.get('content-type') ?? '')

export class MockApi {
  /** Who is signed in. */
  caller: MockCaller = 'user'
  /** Whether the caller has a fresh proof of identity (`stepUp` in the contract). */
  hasFreshProof = true
  /** Every handled call, in order. */
  readonly calls: MockCall[] = []
  readonly #violations: string[] = []
  #handlers: AnyHandlers = {}

  /** Adds handlers. A new handler replaces the existing one of its operation. */
  handle(handlers: MockHandlers): void {
    Object.assign(this.#handlers, handlers)
  }

  /** Restores the state after construction. */
  reset(): void {
    this.caller = 'user'
    this.hasFreshProof = true
    this.#handlers = {}
    this.calls.length = 0
    this.#violations.length = 0
  }

  /** The request bodies of an operation. */
  bodiesOf(id: OperationId): unknown[] {
    return this.calls.filter((call) => call.id === id).map(({ body }) => body)
  }

  /** @throws ContractViolation if there was one since the last reset */
  expectNoViolations(): void {
    if (this.#violations.length > 0) throw new ContractViolation(this.#violations.join('\n'))
  }

  /** Replaces `fetch`. */
  readonly fetch = async (input: Request | string | URL, init?: RequestInit): Promise<Response> => {
    const request = input instanceof Request ? input : new Request(input, init)
    try {
      const { operation, call } = await parsed(request)
      this.calls.push(call)
      const reply = this.#refusalOf(operation) ?? (await this.#answer(operation, call))
      request.signal.throwIfAborted()
      return responseOf(call.id, operation, reply)
    } catch (error) {
      if (error instanceof ContractViolation) this.#violations.push(error.message)
      throw error
    }
  }

  async #answer(operation: Operation, call: MockCall): Promise<Reply<unknown>> {
    const handler = this.#handlers[call.id]
    return handler === undefined ? ok(operation.success.example) : handler(call)
  }

  /** The refusal that the API sends before any handler runs. */
  #refusalOf({ access, stepUp }: Operation): ProblemReply | undefined {
    if (access === 'public' || access === 'update') return undefined
    if (this.caller === 'nobody') return problem('unauthenticated')
    if (access === 'administrator' && this.caller !== 'administrator') return problem('forbidden')
    return stepUp === true && !this.hasFreshProof ? problem('step-up-required') : undefined
  }
}

/** @throws ContractViolation */
async function parsed(request: Request): Promise<ParsedRequest> {
  const { method, headers, url } = request
  const { pathname, searchParams } = new URL(url)
  const line = `${method} ${pathname}`
  const found = findOperation(method, pathname)
  if (found === undefined) throw new ContractViolation(`${line}: there is no such operation`)
  const { id, operation, params } = found
  const query = Object.fromEntries(searchParams)
  const body = await bodyOf(request, operation, line)
  const fault = faultInRequest(operation, { params, query, body })
  if (fault !== undefined) throw new ContractViolation(`${line} (${id}): ${fault}`)
  return { id, operation, call: { id, params, query, body, headers } }
}

/** @throws ContractViolation */
async function bodyOf(request: Request, operation: Operation, line: string): Promise<unknown> {
  const text = await request.text()
  if (text === '') return undefined
  if (operation.body === undefined) throw new ContractViolation(`${line}: it takes no body`)
  if (!isJson(request.headers)) throw new ContractViolation(`${line}: the body is not JSON`)
  return JSON.parse(text)
}

interface RequestParts {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}

function faultInRequest(operation: Operation, parts: RequestParts): string | undefined {
  const { params, query, body } = parts
  const accepted = acceptedQuery(operation)
  const unknown = accepted && Object.keys(query).find((name) => !accepted.includes(name))
  if (unknown !== undefined) return `query has no parameter ${unknown}`
  return (
    (operation.params && faultIn(operation.params, { ...params }, 'path')) ??
    (operation.query && faultIn(operation.query, { ...query }, 'query')) ??
    (operation.body && faultIn(operation.body, body, 'body')) ??
    (operation.success.list && operation.query ? faultInListQuery(operation, query) : undefined)
  )
}

/** @throws ContractViolation for a response that the operation cannot return */
function responseOf(id: OperationId, operation: Operation, reply: Reply<unknown>): Response {
  if (reply.kind === 'problem') return problemResponse(id, operation, reply)
  const { status, schema, contentType = 'application/json', list } = operation.success
  const { body } = reply
  if (schema === undefined) {
    if (body !== undefined) throw new ContractViolation(`${id}: its answer has no body`)
    return new Response(null, { status, headers: reply.headers })
  }
  const fault = faultIn(schema, body, 'body')
  if (fault !== undefined) throw new ContractViolation(`${id} cannot answer that: ${fault}`)
  const items = list ? (body as unknown[]).length : 0
  const range = { 'content-range': `items ${items === 0 ? '*' : `0-${items - 1}`}/${items}` }
  return new Response(contentType === 'application/json' ? JSON.stringify(body) : String(body), {
    status,
    headers: { 'content-type': contentType, ...(list ? range : {}), ...reply.headers },
  })
}

function problemResponse(
  id: OperationId,
  operation: Operation,
  { problem: body, headers }: ProblemReply,
): Response {
  const possible = [...commonProblems(operation), ...(operation.problems ?? [])]
  if (!possible.includes(body.code))
    throw new ContractViolation(`${id} has no problem ${body.code}`)
  return new Response(JSON.stringify(body), {
    status: body.status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  })
}
