/** Determines where a redirect leads, and builds the next request (RFC 9110 §15.4, Fetch Standard "HTTP-redirect fetch"). */
import type { OutgoingRequest, ResponseHead } from './exchange.ts'

const SEE_OTHER = 303
const REDIRECTS: readonly number[] = [301, 302, SEE_OTHER, 307, 308]
/** Headers that must go only to the origin of the first URL. */
const CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization']
const OF_BODY = /^content-/

/** The value of `Location` in a redirect; undefined for any other response. */
export function locationOf(response: ResponseHead): string | undefined {
  const location = response.headers['location']
  return REDIRECTS.includes(response.status) && typeof location === 'string' ? location : undefined
}

function becomesGet(status: number, method: string): boolean {
  if (status === SEE_OTHER) return method !== 'GET' && method !== 'HEAD'
  return (status === 301 || status === 302) && method === 'POST'
}

/** The request that follows `request` to `url`. Only 307 and 308 keep the body, and only the same origin gets the credentials. */
export function redirectedRequest(
  request: OutgoingRequest,
  status: number,
  url: URL,
): OutgoingRequest {
  const dropsBody = becomesGet(status, request.method)
  const leavesOrigin = url.origin !== request.url.origin
  const headers = Object.entries(request.headers).filter(
    ([name]) => !(dropsBody && OF_BODY.test(name)) && !(leavesOrigin && CREDENTIALS.includes(name)),
  )
  return {
    url,
    method: dropsBody ? 'GET' : request.method,
    headers: Object.fromEntries(headers),
    body: dropsBody ? undefined : request.body,
  }
}
