/**
 * How a web forward reads its target, and where it sends a request. The forwarder, the API and the dashboard share these
 * rules, so the dashboard shows what the forwarder will do. Every URL comes from the URL parser.
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
  const asked = new URL(`http://x${path}${query}`)
  const location = new URL(target)
  if (hasPath) location.pathname = joined(location.pathname, asked.pathname)
  if (hasQuery && asked.search !== '') {
    location.search =
      location.search === '' ? asked.search : `${location.search}&${asked.search.slice(1)}`
  }
  return location.href
}

function joined(target: string, asked: string): string {
  if (asked === '/') return target
  return target.endsWith('/') ? target + asked.slice(1) : target + asked
}
