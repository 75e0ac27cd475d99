/** The `Location` of a redirect, and how long browsers may keep it. Every URL here is as the URL parser writes it. */
import type { Forward } from './forward.ts'
import type { RequestedUrl } from './requested-url.ts'

const NEW_TARGET_SECONDS = 7 * 86_400
/** The owner of a new target may still correct it. */
const NEW_MAX_AGE_SECONDS = 300
const MAX_AGE_SECONDS = 86_400

/** Paths and queries that the URL parser leaves as they are: most of them. Segments of dots begin with `.` or `%2e`. */
const PLAIN_PATH = /^(?:\/(?![.%])[\w~!$&'()*+,;=:@%.-]*)+$/
const PLAIN_QUERY = /^\?[\w~!$&()*+,;=:@%./?-]+$/

/**
 * The URL that a forward leads to. Path and query of the request are appended to those of the target. A path cannot
 * leave the target's own path or host, because `..` is resolved before it is appended.
 */
export function locationOf(
  { target, path: appendsPath, query: appendsQuery }: Forward,
  { path, query }: Pick<RequestedUrl, 'path' | 'query'>,
): string {
  const hasPath = appendsPath && path !== '/'
  const hasQuery = appendsQuery && query !== ''
  if (!hasPath && !hasQuery) return target
  const isPlain = (!hasPath || PLAIN_PATH.test(path)) && (!hasQuery || PLAIN_QUERY.test(query))
  const append = isPlain ? appended : parsed
  return append(target, hasPath ? path : '/', hasQuery ? query : '')
}

/** Appends what the URL parser would not change. Parsing three URLs takes as long as the rest of an answer. */
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
  const asked = new URL(`http://x${encoded(path)}${encoded(query)}`)
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

/** Node.js returns each octet as one character; the URL parser would take octets above 127 for letters. */
function encoded(text: string): string {
  return text.replaceAll(
    /[\u0080-\u00FF]/g,
    (octet) => `%${octet.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** @param nowMs the time in milliseconds since 1970 */
export function cacheControlOf({ status, sinceSeconds }: Forward, nowMs: number): string {
  // Without a header, browsers keep permanent redirects for as long as they want, and others not at all.
  if (status !== 301 && status !== 308) return 'no-store'
  const ageSeconds = nowMs / 1_000 - sinceSeconds
  return `max-age=${ageSeconds < NEW_TARGET_SECONDS ? NEW_MAX_AGE_SECONDS : MAX_AGE_SECONDS}`
}
