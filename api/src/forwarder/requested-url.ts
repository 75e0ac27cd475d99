/**
 * Which host, path and query a request asks for (RFC 9112 §3.2 and §3.3). Anything ambiguous is refused: a proxy in
 * front could have understood it in another way.
 */
import type { IncomingMessage } from 'node:http'
import { hostOfAuthority } from '../rules/request-host.ts'

export interface RequestedUrl {
  /** Lower case, without port and final dot. Undefined: an HTTP/1.0 request without a Host header. */
  readonly host: string | undefined
  /** Begins with `/`. */
  readonly path: string
  /** Empty, or begins with `?`. */
  readonly query: string
}

/** The reason why a request is refused, for its sender. */
export interface UnusableRequest {
  readonly fault: string
}

type Request = Pick<
  IncomingMessage,
  'method' | 'url' | 'rawHeaders' | 'httpVersionMajor' | 'httpVersionMinor'
>

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i
const PORT = /:(\d+)$/
const PORT_LIMIT = 65_535
const HOST_NAME = 'host'

const NO_HOST = { fault: 'The request has no Host header. Send exactly one.' }
const TWO_HOSTS = { fault: 'The request has more than one Host header. Send exactly one.' }
const INVALID_HOST = {
  fault: 'The host is invalid. Send a host name, with or without a port, such as home.example.net.',
}
const INVALID_TARGET = {
  fault: 'The request target is invalid. Send a path that begins with / or an http URL.',
}

/** Reads the URL of a request, or the reason why it has none. */
export function requestedUrl(request: Request): RequestedUrl | UnusableRequest {
  const { method, url = '', rawHeaders, httpVersionMajor, httpVersionMinor } = request
  let host: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length !== HOST_NAME.length || name.toLowerCase() !== HOST_NAME) continue
    if (host !== undefined) return TWO_HOSTS
    host = rawHeaders[index + 1] ?? ''
  }
  const isOld = httpVersionMajor === 1 && httpVersionMinor === 0
  if (host === undefined && !isOld) return NO_HOST
  const named = host === undefined ? undefined : hostOf(host)
  if (host !== undefined && named === undefined) return INVALID_HOST
  if (url.startsWith('/')) return { host: named, ...split(url) }
  if (url === '*' && method === 'OPTIONS') return { host: named, path: '/', query: '' }
  return absoluteUrl(url)
}

/** RFC 9112 §3.2.2: the host of an absolute form takes precedence over the Host header. */
function absoluteUrl(url: string): RequestedUrl | UnusableRequest {
  const [, authority = '', rest = ''] = ABSOLUTE.exec(url) ?? []
  if (authority === '') return INVALID_TARGET
  const host = hostOf(authority)
  if (host === undefined) return INVALID_HOST
  return { host, ...split(rest.startsWith('/') ? rest : `/${rest}`) }
}

function hostOf(authority: string): string | undefined {
  const port = authority.includes(':') ? PORT.exec(authority)?.[1] : undefined
  return Number(port ?? 0) > PORT_LIMIT ? undefined : hostOfAuthority(authority)
}

function split(url: string): { path: string; query: string } {
  const at = url.indexOf('?')
  return at < 0 ? { path: url, query: '' } : { path: url.slice(0, at), query: url.slice(at) }
}
