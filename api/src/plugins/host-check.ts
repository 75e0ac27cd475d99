/**
 * Protection against DNS rebinding. A page of another site can point its own host name at this service, and its calls
 * are same-origin then. It cannot change the Host header, which names that host. So everything that relies on trust in
 * a browser is served only under the service's own hosts:
 *
 *   the mailbox · metrics without METRICS_TOKEN · calls with the session cookie · sign-in by a browser
 *
 * Own hosts are `localhost`, loopback literals, the host of PUBLIC_URL and ALLOWED_HOSTS, with any port.
 * `X-Forwarded-Host` is never read: a proxy must pass on the Host header.
 */
import type {
  FastifyInstance,
  FastifyRequest,
  onRequestAsyncHookHandler,
  onRequestHookHandler,
} from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { ApiConfig } from '../config/api.ts'
import { Refusal } from '../rules/errors.ts'
import { hostOfAuthority, isLoopbackHost } from '../rules/request-host.ts'
import { sendProblem } from './problem.ts'
import { sessionCookie } from './session-cookie.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Refuses a request for a host that does not belong to the service. @throws Refusal `misdirected-request` */
    requireOwnHost(request: FastifyRequest): void
  }
}

/** The values of all Host headers of a request; `request.headers` has only the first. */
function hostHeaders({ raw: { rawHeaders } }: FastifyRequest): string[] {
  return rawHeaders.filter((_, n) => n % 2 === 1 && /^host$/i.test(rawHeaders[n - 1] ?? ''))
}

/** A host name or an IP address, and an optional port (RFC 3986 §3.2.2). */
const HOST = /^(?:[\w.~%!$&'()*+,;=-]*|\[[\da-f:.]+\])(?::\d*)?$/i

/**
 * Refuses HTTP/1.1 requests without exactly one Host header (RFC 9112 §3): with two, a proxy and this service could
 * each read a different one.
 */
export const requireHost: onRequestHookHandler = (request, reply, done) => {
  const given = hostHeaders(request)
  const isMissing = given.length === 0
  const isValid = isMissing
    ? request.raw.httpVersion !== '1.1'
    : given.length === 1 && HOST.test(given[0] ?? '')
  if (isValid) return done()
  const fault = isMissing ? 'no Host header' : 'an invalid Host header or more than one'
  void sendProblem(request, reply, {
    code: 'malformed-request',
    detail: `The request has ${fault}.`,
  })
}

/**
 * The authorities that a request names. RFC 9112 §3.2.2 says to ignore the Host header when the request target is an
 * absolute URL. Here both must be own hosts, because a proxy in front may have checked the other one.
 */
function authoritiesOf(request: FastifyRequest): string[] {
  const [, target] = /^https?:\/\/([^/?#]*)/i.exec(request.originalUrl) ?? []
  const headers = hostHeaders(request)
  return target === undefined ? headers : [...headers, target]
}

class HostCheck {
  readonly #publicUrl: URL
  readonly #own: ReadonlySet<string | undefined>
  /**
   * Called once when a proxy seems to replace the Host header, because this check cannot work behind it; undefined
   * afterwards.
   */
  #warn: (() => void) | undefined

  constructor(
    { publicUrl, allowedHosts }: Pick<ApiConfig, 'publicUrl' | 'allowedHosts'>,
    warn: () => void,
  ) {
    const publicHost = hostOfAuthority(publicUrl.host)
    this.#publicUrl = publicUrl
    this.#own = new Set([publicHost, ...allowedHosts])
    this.#warn = publicHost !== undefined && isLoopbackHost(publicHost) ? undefined : warn
  }

  /** @throws Refusal `misdirected-request` */
  require(request: FastifyRequest): void {
    const hosts = authoritiesOf(request).map(hostOfAuthority)
    if (hosts.length === 0) throw this.#refusal('The request does not name a host.')
    for (const host of hosts) {
      if (host === undefined) throw this.#refusal('The request does not name exactly one host.')
      if (this.#own.has(host)) continue
      if (isLoopbackHost(host)) this.#noteReplacedHost(request)
      else throw this.#refusal(`“${host}” is not a host name of this service.`)
    }
  }

  /**
   * A browser on another machine does not send a loopback host. In a forwarded request, the proxy has most likely
   * replaced the Host header.
   */
  #noteReplacedHost({ headers }: FastifyRequest): void {
    if (this.#warn === undefined || headers['x-forwarded-for'] === undefined) return
    this.#warn()
    this.#warn = undefined
  }

  #refusal(fault: string): Refusal {
    const remedy = `Use ${this.#publicUrl.origin}, or ask the operator to add the host to ALLOWED_HOSTS.`
    return new Refusal('misdirected-request', `${fault} ${remedy}`)
  }
}

/**
 * Registers `requireOwnHost`, and calls it for each call of the contract whose only credential is the session cookie.
 */
export const hostCheck = fastifyPlugin(
  (app: FastifyInstance, config: ApiConfig, done: () => void) => {
    const check = new HostCheck(config, () => {
      app.log.warn(
        'a forwarded request has a loopback host: the proxy must pass on the Host header of the client',
      )
    })
    app.decorate('requireOwnHost', (request) => check.require(request))
    app.addHook('onRoute', (route) => {
      const { operation } = route.config ?? {}
      if (operation === undefined || operation.anyHost === true) return
      const requireForCookie: onRequestAsyncHookHandler = async (request) => {
        if (request.headers.authorization !== undefined) return
        if (sessionCookie(request, config) !== undefined) check.require(request)
      }
      route.onRequest = [...[route.onRequest ?? []].flat(), requireForCookie]
    })
    done()
  },
  { name: 'host-check', dependencies: ['problem', 'contract'] },
)
