/** Validates and completes the request of a caller. */
import type { OutgoingRequest } from './exchange.ts'
import { OutgoingFailure } from './outgoing-failure.ts'

interface AskedRequest {
  readonly method?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | Uint8Array | undefined
}

/** Methods that open a tunnel, or that return the request (Fetch Standard "forbidden method"). */
const FORBIDDEN_METHODS: readonly string[] = ['CONNECT', 'TRACE', 'TRACK']

/**
 * Headers that belong to the connection, to the length of the body, or to the host of the URL, which is the only
 * checked host.
 */
const FORBIDDEN_HEADERS =
  /^(?:host|connection|content-length|expect|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*)$/

const DEFAULT_HEADERS = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Homing' }

/** @throws OutgoingFailure `invalid-request` */
export function requestOf({
  method = 'GET',
  headers = {},
  body,
}: AskedRequest): Omit<OutgoingRequest, 'url'> {
  if (FORBIDDEN_METHODS.includes(method.toUpperCase())) {
    throw new OutgoingFailure('invalid-request', `The method ${method} is not allowed.`)
  }
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  const forbidden = named.find(([name]) => FORBIDDEN_HEADERS.test(name))
  if (forbidden !== undefined) {
    throw new OutgoingFailure('invalid-request', `The header ${forbidden[0]} is not allowed.`)
  }
  return { method, headers: { ...DEFAULT_HEADERS, ...Object.fromEntries(named) }, body }
}
