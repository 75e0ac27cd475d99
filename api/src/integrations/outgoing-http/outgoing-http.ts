/**
 * The only way out over HTTP. What a user names must not reach what only this machine can reach.
 *
 * Each hop takes the same steps: read the URL, look its name up once, check every address of the name, connect to the first of
 * these, check the certificate against the name, send one request, close. A name that answers differently a moment later
 * changes nothing. Redirects are followed here, hop by hop, so each of them is checked as the first URL was. Time, redirects,
 * headers and body are limited. The profile of a request (issuer, target, operator) says what it may do.
 */
import { namesAsSystem, type ResolveAll } from '../outside-names.ts'
import { type AddressCheck, requireForeign, requirePublic } from './address-check.ts'
import { follow, type HopRules, type OutgoingResponse } from './follow.ts'
import type { OwnPlaces } from './own-places.ts'
import { insideToo, ISSUER, OPERATOR, type Profile, TARGET } from './profiles.ts'
import { requestOf } from './request.ts'

interface RequestParts {
  /** `GET` when unset. */
  readonly method?: string
  /** Headers besides `accept`, `accept-encoding` and `user-agent`, or instead of these. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

export interface OperatorRequest extends RequestParts {
  readonly url: URL
}

export interface TargetRequest extends RequestParts {
  readonly url: string
  /** For the whole request, redirects included; 10,000 when unset. */
  readonly timeLimitMs?: number
  /** The longest wait for the headers and for each next part of the body; `timeLimitMs` when unset. */
  readonly silenceLimitMs?: number
  /** 262,144 when unset. */
  readonly bodyLimitBytes?: number
  /** What happens to a longer body: the request fails, or the rest is not read. `fail` when unset. */
  readonly longBody?: 'fail' | 'cut'
  /** Whether redirects are followed, at most five; otherwise a response that redirects is returned. True when unset. */
  readonly followsRedirects?: boolean
  /** Whether a certificate that cannot be verified is accepted; the response says what is wrong with it. False when unset. */
  readonly acceptsAnyCertificate?: boolean
}

/** Every request fails with an `OutgoingFailure` and with nothing else. */
export interface OutgoingHttp {
  /** Reads JSON of an issuer of tokens, which anybody may have named. */
  readonly issuer: (url: string) => Promise<OutgoingResponse>
  /** Sends a request to a URL that a user named. */
  readonly target: (request: TargetRequest) => Promise<OutgoingResponse>
  /** Sends a request to a place that the operator configured, which may be inside. */
  readonly operator: (request: OperatorRequest) => Promise<OutgoingResponse>
}

export interface OutgoingHttpOptions {
  /** Whether users too may name private addresses, any port and plain HTTP: never in production. */
  readonly allowsPrivate: boolean
  readonly own: OwnPlaces
  /** Every address of a name that a user wrote. */
  readonly resolveAll: ResolveAll
  /** A clock that never goes back, in milliseconds. */
  readonly now?: () => number
  /** Certificates of trusted authorities, as PEM; the default is those of Node.js and `NODE_EXTRA_CA_CERTS`. */
  readonly trusted?: readonly string[]
  /** Refuses what is not outside; the default accepts what the public Internet can reach. */
  readonly requireOutside?: AddressCheck
}

export function outgoingHttp(options: OutgoingHttpOptions): OutgoingHttp {
  const forUsers = (profile: Profile) => (options.allowsPrivate ? insideToo(profile) : profile)
  return {
    async issuer(url) {
      const request = requestOf({ headers: { accept: 'application/json' } })
      return follow(url, request, rulesOf(forUsers(ISSUER), options))
    },
    async target({ url, method, headers, body, ...limits }) {
      const { timeLimitMs = TARGET.timeLimitMs, bodyLimitBytes = TARGET.bodyLimitBytes } = limits
      const profile = { ...forUsers(TARGET), timeLimitMs, bodyLimitBytes }
      const rules = { ...rulesOf(profile, options), ...limits }
      return follow(url, requestOf({ method, headers, body }), rules)
    },
    async operator({ url, ...request }) {
      const rules = { ...rulesOf(OPERATOR, options), resolveAll: namesAsSystem }
      return follow(url.href, requestOf(request), rules)
    },
  }
}

function rulesOf(profile: Profile, options: OutgoingHttpOptions): HopRules {
  const { own, resolveAll, now = () => performance.now(), trusted } = options
  const { requireOutside = requirePublic } = options
  return {
    profile,
    silenceLimitMs: profile.timeLimitMs,
    longBody: 'fail',
    followsRedirects: true,
    acceptsAnyCertificate: false,
    ownNames: profile.reachesInside ? [] : own.names,
    resolveAll,
    async addressCheck() {
      if (profile.reachesInside) return () => undefined
      const requireOther = requireForeign(await own.addresses())
      // In this order: who asks must not learn which inside addresses are the service's.
      return (address) => {
        requireOutside(address)
        requireOther(address)
      }
    },
    trusted,
    now,
  }
}
