/** Where a browser's call comes from (docs/design.md "Identity"). */
import type { IncomingHttpHeaders } from 'node:http'

/** Whether a browser made the call: others send neither header. */
export function isFromBrowser(headers: IncomingHttpHeaders): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
}

/** Whether a browser says that a page of somebody else's led to the call; a typed address and a bookmark are nobody's. */
export function isFromElsewhere({ 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return site === 'cross-site' || site === 'same-site'
}

/** The host of an `Origin`; `null` and what is no URL have none. */
function hostOf(origin: string): string | undefined {
  return URL.parse(origin)?.host
}

/**
 * Whether a call comes from a page of ours. Both headers are set by browsers and out of reach of
 * pages; where both are present, both must say so. A page of ours is at `PUBLIC_URL`, or where
 * the browser itself believes to be talking to (`Host`).
 */
export function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: URL): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers
  if (origin === undefined) return site === 'same-origin'
  if (site !== undefined && site !== 'same-origin') return false
  return origin === publicUrl.origin || (host !== undefined && hostOf(origin) === host)
}
