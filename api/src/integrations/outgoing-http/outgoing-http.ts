/**
 * The only module that sends HTTP requests. A URL from a user must not reach addresses that only this machine can
 * reach.
 *
 * Each hop takes the same steps: parse the URL, resolve its host once, check every address of the host, connect to the
 * first of these, check the certificate against the host, send one request, close. A later change of the DNS answer has
 * no effect. Redirects are followed here, hop by hop, so that each of them is checked as the first URL was. Time,
 * redirects, headers and body are limited. The profile of a request (issuer, target, operator) defines what it may do.
 */
import { namesAsSystem, type ResolveAll } from '../outside-names.ts'
import { type AddressCheck, requireForeign, requirePublic } from './address-check.ts'
import { connectOnce } from './connect-once.ts'
import { follow, type HopRules, type OutgoingResponse } from './follow.ts'
import type { OwnPlaces } from './own-places.ts'
import { insideToo, ISSUER, OPERATOR, type Profile, TARGET } from './profiles.ts'
import { requestOf } from './request.ts'

interface RequestParts {
  /** `GET` when unset. */
  readonly method?: string
  /** Headers besides `accept`, `accept-encoding` and `user-agent`, or in place of these. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

export interface OperatorRequest extends RequestParts {
  readonly url: URL
  /** False: a response that redirects is returned; otherwise it is a failure. */
  readonly followsRedirects?: false
  /** For the whole request; 5,000 when unset. */
  readonly timeLimitMs?: number
  /** 65,536 when unset. */
  readonly bodyLimitBytes?: number
}

export interface TargetRequest extends RequestParts {
  readonly url: string
  /** For the whole request, including redirects; 10,000 when unset. */
  readonly timeLimitMs?: number
  /**
   * Maximum wait for the connection, the TLS handshake, the headers and each next part of the body; `timeLimitMs` when
   * unset.
   */
  readonly silenceLimitMs?: number
  /** 262,144 when unset. */
  readonly bodyLimitBytes?: number
  /** What happens to a longer body: the request fails, or the rest is not read. `fail` when unset. */
  readonly longBody?: 'fail' | 'cut'
  /** Whether redirects are followed; otherwise a response that redirects is returned. True when unset. */
  readonly followsRedirects?: boolean
  /** The maximum number of redirects; five when unset. */
  readonly redirectLimit?: number
  /**
   * The address to connect to for the host of `url`, also after a redirect to the same host. It is checked as resolved
   * addresses are. Unset: the host is looked up.
   */
  readonly connectTo?: string
  /** Whether a certificate that cannot be verified is accepted; the response says what is wrong with it. False when unset. */
  readonly acceptsAnyCertificate?: boolean
}

export interface TcpTarget {
  /** IPv4 or IPv6, without brackets. */
  readonly address: string
  readonly port: number
  readonly timeLimitMs: number
}

/** Every failed request throws an `OutgoingFailure` and no other error. */
export interface OutgoingHttp {
  /** Reads JSON from a token issuer; anybody may have named its URL. */
  readonly issuer: (url: string) => Promise<OutgoingResponse>
  /** Sends a request to a URL that a user named. */
  readonly target: (request: TargetRequest) => Promise<OutgoingResponse>
  /** Connects to an address and port that a user named, sends nothing and closes the connection. */
  readonly tcp: (target: TcpTarget) => Promise<{ readonly connectMs: number }>
  /** Sends a request to a URL that the operator configured, which may be inside the operator's network. */
  readonly operator: (request: OperatorRequest) => Promise<OutgoingResponse>
}

export interface OutgoingHttpOptions {
  /** Whether users may also name private addresses, any port and plain HTTP: never in production. */
  readonly allowsPrivate: boolean
  readonly own: OwnPlaces
  /** Resolves all addresses of a host that a user named. */
  readonly resolveAll: ResolveAll
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number
  /** Certificates of trusted authorities, as PEM; the default is those of Node.js and `NODE_EXTRA_CA_CERTS`. */
  readonly trusted?: readonly string[]
  /** Refuses addresses that are not outside; the default accepts addresses that are reachable on the public Internet. */
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
      const {
        timeLimitMs = TARGET.timeLimitMs,
        bodyLimitBytes = TARGET.bodyLimitBytes,
        redirectLimit = TARGET.redirectLimit,
      } = limits
      const profile = { ...forUsers(TARGET), timeLimitMs, bodyLimitBytes, redirectLimit }
      const rules = { ...rulesOf(profile, options), ...limits }
      return follow(url, requestOf({ method, headers, body }), rules)
    },
    async tcp({ timeLimitMs, ...to }) {
      return connectOnce(to, rulesOf({ ...forUsers(TARGET), timeLimitMs }, options))
    },
    async operator({ url, followsRedirects = true, ...request }) {
      const { timeLimitMs = OPERATOR.timeLimitMs, bodyLimitBytes = OPERATOR.bodyLimitBytes } =
        request
      const profile = { ...OPERATOR, timeLimitMs, bodyLimitBytes }
      const rules = { ...rulesOf(profile, options), resolveAll: namesAsSystem, followsRedirects }
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
      // In this order, so that the caller cannot learn which inside addresses belong to the service.
      return (address) => {
        requireOutside(address)
        requireOther(address)
      }
    },
    trusted,
    now,
  }
}
