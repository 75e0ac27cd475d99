/**
 * How a web forward reads its target, where it sends a request, and which of its changes only an administrator undoes. The
 * forwarder, the API and the dashboard share these rules, so the dashboard shows what the others will do. Every URL is as the
 * URL parser writes it.
 */

const WEB = /^https?:\/\/[^/]/i
const SCHEME = /^[a-z][a-z0-9+.-]*:/i
/** `host:8443` begins like a scheme. */
const HOST_AND_PORT = /^[^/?#:@]+:\d+(?:[/?#]|$)/

/**
 * A target with its scheme: a host without one becomes https.
 *
 * @returns undefined for another scheme, and for a text that is neither a URL nor a host
 */
export function withWebScheme(text: string): string | undefined {
  if (WEB.test(text)) return text
  if (SCHEME.test(text) && !HOST_AND_PORT.test(text)) return undefined
  // `//host` and `/path` are neither a URL nor a host.
  return /^[/?#]/.test(text) ? undefined : `https://${text}`
}

interface Disabling {
  /** Null: the forward is enabled. */
  readonly disabled_reason: string | null
}

/** Whether a change of a forward is the decision of an administrator, which its owner cannot undo. */
export const isModeration = (before: Disabling | null, after: Disabling | null): boolean =>
  before !== null && after !== null && before.disabled_reason !== after.disabled_reason

/** A target, and what of a request is appended to it. */
export interface ForwardedTarget {
  readonly target: string
  readonly path: boolean
  readonly query: boolean
}

/** The path and the query of a request, in ASCII. */
export interface ForwardedRequest {
  /** Begins with a slash. */
  readonly path: string
  /** Empty, or with its question mark. */
  readonly query: string
}

/** Paths and queries that the URL parser leaves as they are: most of them. Segments of dots begin with `.` or `%2e`. */
const PLAIN_PATH = /^(?:\/(?![.%])[\w~!$&'()*+,;=:@%.-]*)+$/
const PLAIN_QUERY = /^\?[\w~!$&()*+,;=:@%./?-]+$/

/**
 * The URL that a forward leads to. Path and query of the request are appended to those of the target. A path cannot
 * leave the target's own path or host, because `..` is resolved before it is appended.
 */
export function forwardedUrl(
  { target, path: appendsPath, query: appendsQuery }: ForwardedTarget,
  { path, query }: ForwardedRequest,
): string {
  const hasPath = appendsPath && path !== '/'
  const hasQuery = appendsQuery && query !== ''
  if (!hasPath && !hasQuery) return target
  const isPlain = (!hasPath || PLAIN_PATH.test(path)) && (!hasQuery || PLAIN_QUERY.test(query))
  const append = isPlain ? appended : parsed
  return append(target, hasPath ? path : '/', hasQuery ? query : '')
}

/** Appends what the URL parser would not change. Parsing three URLs takes as long as the rest of the forwarder's answer. */
function appended(target: string, path: string, query: string): string {
  const hashAt = target.indexOf('#')
  const hash = hashAt < 0 ? '' : target.slice(hashAt)
  const page = hashAt < 0 ? target : target.slice(0, hashAt)
  const queryAt = page.indexOf('?')
  const search = queryAt < 0 ? '' : page.slice(queryAt)
  const url = joined(queryAt < 0 ? page : page.slice(0, queryAt), path)
  if (query === '') return url + search + hash
  return url + (search.length > 1 ? `${search}&${query.slice(1)}` : query) + hash
}

function parsed(target: string, path: string, query: string): string {
  const asked = new URL(`http://x${path}${query}`)
  const location = new URL(target)
  location.pathname = joined(location.pathname, asked.pathname)
  if (asked.search !== '') {
    location.search =
      location.search === '' ? asked.search : `${location.search}&${asked.search.slice(1)}`
  }
  return location.href
}

function joined(target: string, asked: string): string {
  if (asked === '/') return target
  return target.endsWith('/') ? target + asked.slice(1) : target + asked
}
