/** Answers 405 with the allowed methods when a URL does not support the method of a request (RFC 9110 §15.5.6). */
import { type Operation, operations } from '@homing/openapi'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import findMyWay from 'find-my-way'
import { nodeHttp } from '../process/node-http.ts'
import { routeUrl } from './contract.ts'
import { sendProblem } from './problem.ts'

/** How URLs are compared with routes. */
export interface RouterOptions {
  readonly ignoreTrailingSlash: boolean
  /** Maximum length of a path parameter in characters. */
  readonly maxParamLength: number
}

/** Every method that a request can have. CONNECT asks for a tunnel, and Node.js does not pass it to routes. */
export const METHODS: readonly string[] = nodeHttp.METHODS.filter((method) => method !== 'CONNECT')

/** Lets routes have any method. Without this, Fastify answers 404 to rare methods such as PROPFIND. */
export function acceptEveryMethod(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true })
  }
}

/** The methods of each URL of the contract. HEAD comes with GET. */
function methodsByUrl(): ReadonlyMap<string, ReadonlySet<string>> {
  const byUrl = new Map<string, Set<string>>()
  for (const slice of Object.values(operations) as Readonly<Record<string, Operation>>[]) {
    for (const { url, method, access } of Object.values(slice)) {
      // The update URLs answer with codes of their own.
      if (access === 'update') continue
      const supported = byUrl.get(url) ?? new Set()
      byUrl.set(url, supported.add(method))
      if (method === 'GET') supported.add('HEAD')
    }
  }
  return byUrl
}

const URLS = methodsByUrl()

/** Whether a URL of the contract also matches the paths of another one, as `/api/zones/{id}` those of `/api/zones/available`. */
function matches(url: string, other: string): boolean {
  const [segments, others] = [url.split('/'), other.split('/')]
  const fits = (segment: string, at: number) => segment.startsWith('{') || segment === others[at]
  return segments.length === others.length && segments.every(fits)
}

/** The unsupported methods of a URL that would otherwise go to the route of a more general URL. HEAD comes with GET. */
function methodsOfGeneralUrls(url: string, supported: ReadonlySet<string>): string[] {
  const general = [...URLS].filter(([other]) => other !== url && matches(other, url))
  const methods = new Set(general.flatMap(([, each]) => [...each]))
  return [...methods].filter((method) => method !== 'HEAD' && !supported.has(method))
}

/** The URLs and methods for which the router alone would find the route of a more general URL: they need routes of their own. */
const ROUTES = [...URLS].flatMap(([url, supported]) =>
  methodsOfGeneralUrls(url, supported).map((method) => ({ url, method, supported })),
)

function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  supported: ReadonlySet<string>,
): void {
  const allow = [...supported].join(', ')
  void reply.header('allow', allow)
  void sendProblem(request, reply, {
    code: 'method-not-allowed',
    detail: `This URL does not support ${request.method}. It supports: ${allow}.`,
  })
}

/**
 * Refuses the unsupported methods at every URL of the contract, except the update URLs, before the body is read.
 *
 * The URLs have a router of their own, which is asked when no route was found: routes for every unsupported method of each
 * URL would be twenty times the routes of the contract, and half the time of a start.
 */
export const refuseOtherMethods = fastifyPlugin(
  (app: FastifyInstance, { router: options }: { router: RouterOptions }, done: () => void) => {
    const router = findMyWay(options)
    for (const [url, supported] of URLS) router.on('GET', routeUrl(url), () => undefined, supported)
    app.addHook('onRequest', (request, reply, next) => {
      if (!request.is404) return next()
      const supported = router.find('GET', request.url)?.store as ReadonlySet<string> | undefined
      if (supported === undefined || supported.has(request.method)) next()
      else refuse(request, reply, supported)
    })
    for (const { url, method, supported } of ROUTES) {
      app.route({
        method,
        url: routeUrl(url),
        onRequest: (request, reply) => refuse(request, reply, supported),
        handler: () => undefined,
      })
    }
    done()
  },
  { name: 'other-methods', dependencies: ['problem'] },
)
