/** The `Location` of a redirect, and how long browsers may keep it. Every URL here comes out of the URL parser. */
import type { Forward } from './forward.ts'
import type { RequestedUrl } from './requested-url.ts'

const NEW_TARGET_SECONDS = 7 * 86_400
/** The owner of a new target may still correct it. */
const NEW_MAX_AGE_SECONDS = 300
const MAX_AGE_SECONDS = 86_400

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
  const asked = new URL(`http://x${encoded(path)}${encoded(query)}`)
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
