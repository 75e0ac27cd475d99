/** What one operation of the contract says. Slices of `operations/` are written with this. */
import type { Static, TObject, TSchema } from 'typebox'
import type { KeyAction, ProblemCode } from './vocabulary.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Who may call.
 * - `public`: anybody
 * - `session`: a signed-in person; never an API key
 * - `caller`: a signed-in person or an API key
 * - `administrator`: a signed-in administrator; never an API key
 * - `update`: the update protocol's own credentials (Basic, Bearer)
 */
export type Access = 'public' | 'session' | 'caller' | 'administrator' | 'update'

export interface Success {
  readonly status: 200 | 201 | 202 | 204
  readonly description: string
  /** Absent when the answer has no body. */
  readonly schema?: TSchema
  /** `application/json` when absent. */
  readonly contentType?: 'application/json' | 'text/plain' | 'text/html'
  readonly example?: unknown
  /** A list with `sort`, `range`, `filter` and `Content-Range`. */
  readonly list?: boolean
  /** The name of the file that the answer is, which is written while it is read. */
  readonly download?: string
}

export interface Operation {
  readonly method: Method
  /** OpenAPI form: `/api/domains/{id}`. */
  readonly url: string
  readonly summary: string
  readonly description?: string
  readonly access: Access
  /** What an API key has to be allowed; there for `caller` and `update`, and nowhere else. */
  readonly keyAction?: KeyAction
  /**
   * Asks that the person proved who they are within the last minutes (`POST /api/me/confirm`).
   * - `true`: of everybody
   * - `with-second-factor`: of accounts that have a second factor; the others give their password in the body
   */
  readonly stepUp?: true | 'with-second-factor'
  /** Answered under any host name that leads to the service, also with a session cookie; the update URLs always are. */
  readonly anyHost?: true
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TSchema
  readonly bodyExample?: unknown
  readonly success: Success
  /** Problems of its own, beside those that every operation may answer (`commonProblems`). */
  readonly problems?: readonly ProblemCode[]
}

/** A slice of the contract: operationId → operation. */
export type Slice = Readonly<Record<string, Operation>>

type Value<S> = S extends TSchema ? Static<S> : undefined

export type ParamsOf<O extends Operation> = Value<O['params']>
export type QueryOf<O extends Operation> = Value<O['query']>
export type BodyOf<O extends Operation> = Value<O['body']>
export type ReplyBodyOf<O extends Operation> = Value<O['success']['schema']>

/** The problems that any operation of this kind may answer besides its own. */
export function commonProblems(operation: Operation): ProblemCode[] {
  const problems: ProblemCode[] = [
    'malformed-request',
    'rate-limited',
    'unavailable',
    'internal-error',
  ]
  if (operation.access !== 'public' && operation.access !== 'update') {
    problems.push('unauthenticated', 'forbidden', 'account-disabled')
    if (operation.method !== 'GET' || operation.stepUp) problems.push('cross-site')
  }
  if (operation.access !== 'update' && operation.anyHost !== true) {
    problems.push('misdirected-request')
  }
  if (operation.access === 'caller') problems.push('plan-required', 'key-scope')
  if (operation.stepUp !== undefined) problems.push('step-up-required')
  if (operation.body !== undefined) problems.push('body-too-large', 'unsupported-media-type')
  if (
    operation.body !== undefined ||
    operation.query !== undefined ||
    operation.params !== undefined
  ) {
    problems.push('validation-failed')
  }
  return problems
}
