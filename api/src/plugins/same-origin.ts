/** Determines where a browser's call comes from (docs/design.md "Identity"). */
import type { IncomingHttpHeaders } from 'node:http'

/** Whether a browser made the call; other clients send neither header. */
export function isFromBrowser(headers: IncomingHttpHeaders): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
}

/**
 * Whether the browser says that a page of another site caused the call. A typed address or a bookmark does not count.
 */
export function isFromElsewhere({ 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return site === 'cross-site' || site === 'same-site'
}

/** The host of an `Origin`; undefined for `null` and for an invalid URL. */
function hostOf(origin: string): string | undefined {
  return URL.parse(origin)?.host
}

/**
 * Whether a call comes from a page of this service. Browsers set both headers, and pages cannot
 * change them; when both are present, both must agree. A page of this service is at `PUBLIC_URL`,
 * or at the host that the browser called (`Host`).
 */
export function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: URL): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers
  if (origin === undefined) return site === 'same-origin'
  if (site !== undefined && site !== 'same-origin') return false
  return origin === publicUrl.origin || (host !== undefined && hostOf(origin) === host)
}
