/** The `Location` of a redirect, and how long browsers may keep it. */
import { forwardedUrl } from '@homing/openapi/web-forward'
import type { Forward } from './forward.ts'
import type { RequestedUrl } from './requested-url.ts'

const NEW_TARGET_SECONDS = 7 * 86_400
/** The owner of a new target may still correct it. */
const NEW_MAX_AGE_SECONDS = 300
const MAX_AGE_SECONDS = 86_400

/** The URL that a forward leads to, as the URL parser writes it. */
export function locationOf(
  { target, path, query }: Forward,
  request: Pick<RequestedUrl, 'path' | 'query'>,
): string {
  return forwardedUrl(
    { target, path, query },
    { path: encoded(request.path), query: encoded(request.query) },
  )
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
