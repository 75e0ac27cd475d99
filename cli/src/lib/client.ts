/**
 * The typed client of the contract, for `transport.ts`. It has the types of openapi-fetch and serializes parameters with its functions. Its
 * `createClient` needs the classes of `fetch`, which are expensive to load.
 */
import type { paths } from '@homing/openapi/client'
import {
  type Client,
  type ClientPathsWithMethod,
  createFinalURL,
  createQuerySerializer,
  defaultPathSerializer,
  type FetchResponse,
  type ParamsOption,
  type RequestBodyOption,
} from 'openapi-fetch'
import type { Call, Reply } from './transport.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof METHODS)[number]
type PathOf<M extends Method> = ClientPathsWithMethod<Client<paths>, Lowercase<M>>

/** What a call passes, by its operation in the contract. */
type Init<Operation> = ParamsOption<Operation> &
  RequestBodyOption<Operation> & {
    readonly headers?: Readonly<Record<string, string>>
    /** JSON when absent. */
    readonly parseAs?: 'text'
  }

/** A result of openapi-fetch, with the response of this client. */
type WithReply<Result> = Result extends unknown
  ? Omit<Result, 'response'> & { readonly response: Reply }
  : never

type CallWith<M extends Method> = <
  P extends PathOf<M>,
  I extends Init<paths[P][Lowercase<M>]> = Init<paths[P][Lowercase<M>]>,
>(
  path: P,
  ...init: object extends Init<paths[P][Lowercase<M>]> ? [I?] : [I]
) => Promise<WithReply<FetchResponse<paths[P][Lowercase<M>] & object, I, `${string}/${string}`>>>

/** One method for each HTTP method. A problem of the API is the `error` of a result. */
export type ApiClient = { readonly [M in Method]: CallWith<M> }

/** A response whose body was read to its end. */
export interface WholeReply extends Reply {
  readonly text: string
}

interface LooseInit {
  readonly params?: Parameters<typeof createFinalURL>[1]['params'] & { readonly header?: object }
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly parseAs?: 'text'
}

const querySerializer = createQuerySerializer()

function callOf(baseUrl: string, method: Method, path: string, init: LooseInit): Call {
  const { params = {}, body, headers } = init
  const url = createFinalURL(path, {
    baseUrl,
    params,
    querySerializer,
    pathSerializer: defaultPathSerializer,
  })
  return {
    method,
    url: new URL(url),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...lowerCased({ ...params.header, ...headers }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  }
}

const lowerCased = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** The body of a problem, which may be text. */
function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * A client of the API at `baseUrl`.
 *
 * @param send sends a call and reads its response
 */
export function createApiClient(
  baseUrl: string,
  send: (call: Call) => Promise<WholeReply>,
): ApiClient {
  const request = async (method: Method, path: string, init: LooseInit = {}) => {
    const response = await send(callOf(baseUrl, method, path, init))
    const { ok, text } = response
    if (text === '') return ok ? { data: undefined, response } : { error: undefined, response }
    if (!ok) return { error: parsedOrText(text), response }
    return { data: init.parseAs === 'text' ? text : JSON.parse(text), response }
  }
  const methods = METHODS.map((method) => [
    method,
    (path: string, init?: LooseInit) => request(method, path, init),
  ])
  // The types describe the contract, which `request` serves without knowing it.
  return Object.fromEntries(methods) as ApiClient
}
