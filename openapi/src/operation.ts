/** The type of an operation of the contract. The files in `operations/` use it. */
import type { Static, TObject, TSchema } from 'typebox'
import type { KeyAction, Permission, ProblemCode } from './vocabulary.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Who may call.
 * - `public`: everybody
 * - `session`: a signed-in person; never an API key
 * - `caller`: a signed-in person or an API key
 * - `administrator`: a signed-in administrator; never an API key
 * - `update`: the update protocol's own credentials (Basic, Bearer)
 */
export type Access = 'public' | 'session' | 'caller' | 'administrator' | 'update'

/** One kind of event of an event stream. */
export interface StreamEvent {
  readonly description: string
  /** The `data` of the event, as JSON. */
  readonly schema: TSchema
  readonly example: unknown
}

export interface Success {
  readonly status: 200 | 201 | 202 | 204
  readonly description: string
  /** Absent when the response has no body. */
  readonly schema?: TSchema
  /** `application/json` when absent. */
  readonly contentType?:
    | 'application/json'
    | 'text/csv'
    | 'text/plain'
    | 'text/html'
    | 'text/event-stream'
  readonly example?: unknown
  /** A list with `sort`, `range`, `filter` and `Content-Range`. */
  readonly list?: boolean
  /** The name of the file that the response contains. The response is streamed. */
  readonly download?: string
  /** Another form of the same file: its type, and what it contains. */
  readonly alsoAs?: { readonly contentType: 'text/csv'; readonly example: string }
  /** The events of an event stream, by name (`text/event-stream`). The response continues until one side closes it. */
  readonly events?: Readonly<Record<string, StreamEvent>>
}

interface AnyOperation {
  readonly method: Method
  /** OpenAPI form: `/api/domains/{id}`. */
  readonly url: string
  readonly summary: string
  readonly description?: string
  /**
   * The action that the scope of an API key must allow. Only for `caller` and `update`. Of several actions one suffices;
   * the operation then requires the action of each part of the call.
   */
  readonly keyAction?: KeyAction | readonly KeyAction[]
  /**
   * Requires that the person confirmed their identity within the last minutes (`POST /api/me/confirm`).
   * - `true`: for every account
   * - `with-second-factor`: for accounts that have a second factor; other accounts send their password in the body
   * - `when-widened`: for changes that give a credential access to more than before
   */
  readonly stepUp?: true | 'with-second-factor' | 'when-widened'
  /** Accepts any host name that leads to the service, also with a session cookie. Update URLs always do. */
  readonly anyHost?: true
  /**
   * Ignores query parameters that the operation does not name: for URLs that people open and monitors poll, because
   * mail programs and trackers append parameters. Update URLs always do.
   */
  readonly openQuery?: true
  /** Takes the body as octets of any type: its signature is verified over them. */
  readonly rawBody?: true
  /**
   * A repeated call has the same response as the first and changes nothing more, so a client can repeat it when it got no
   * response. Every GET is like that. A test calls each of these operations twice.
   */
  readonly idempotent?: true
  /**
   * Accepts the header `Idempotency-Key`: for 24 hours, a repeated call with the same key gets the stored response.
   * - `replayed`: status, headers and body
   * - `secret`: the response contains a secret, so nothing of it is stored except the id of what was created
   */
  readonly idempotencyKey?: 'replayed' | 'secret'
  /** Maximum size of the body in octets; 100 KiB when absent. */
  readonly bodyLimitBytes?: number
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TSchema
  readonly bodyExample?: unknown
  readonly success: Success
  /** Problems of this operation, in addition to those of every operation (`commonProblems`). */
  readonly problems?: readonly ProblemCode[]
}

/** An operation for administrators. */
interface AdministrativeOperation extends AnyOperation {
  readonly access: 'administrator'
  /** The permission that the administrator must have. */
  readonly permission: Permission
}

interface OrdinaryOperation extends AnyOperation {
  readonly access: Exclude<Access, 'administrator'>
  readonly permission?: never
}

export type Operation = AdministrativeOperation | OrdinaryOperation

/** A slice of the contract: operationId → operation. */
export type Slice = Readonly<Record<string, Operation>>

type Value<S> = S extends TSchema ? Static<S> : undefined

export type ParamsOf<O extends Operation> = Value<O['params']>
export type QueryOf<O extends Operation> = Value<O['query']>
export type BodyOf<O extends Operation> = Value<O['body']>
export type ReplyBodyOf<O extends Operation> = Value<O['success']['schema']>
/** The data of each event of an event stream, by the name of the event. */
export type EventsOf<O extends Operation> = O['success'] extends { readonly events: infer Events }
  ? {
      readonly [Name in keyof Events]: Events[Name] extends { readonly schema: infer Schema }
        ? Value<Schema>
        : never
    }
  : never

/** What every list accepts. A list without a query of its own ignores them: the back office sends them to each list. */
const LIST_PARAMETERS: readonly string[] = ['sort', 'range', 'filter']

/** The query parameters that an operation accepts; all others are refused. Undefined: others are ignored. */
export function acceptedQuery({
  access,
  openQuery,
  query,
  success,
}: Operation): readonly string[] | undefined {
  if (access === 'update' || openQuery === true) return undefined
  if (query !== undefined) return Object.keys(query.properties)
  return success.list === true ? LIST_PARAMETERS : []
}

/** The actions of which the scope of an API key must allow one; empty when keys cannot call the operation. */
export const keyActionsOf = ({ keyAction = [] }: Operation): readonly KeyAction[] =>
  typeof keyAction === 'string' ? [keyAction] : keyAction

/** The problems that every operation of this kind can return in addition to its own. */
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
  if (operation.idempotencyKey !== undefined) {
    problems.push('request-in-progress', 'idempotency-key-reused')
    if (operation.idempotencyKey === 'secret') problems.push('secret-not-repeated')
  }
  const isChecked = [operation.body, operation.query, operation.params, acceptedQuery(operation)]
  if (isChecked.some((part) => part !== undefined)) problems.push('validation-failed')
  return problems
}
