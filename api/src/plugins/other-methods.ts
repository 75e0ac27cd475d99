/** Answers 405 with the allowed methods when a URL does not support the method of a request (RFC 9110 §15.5.6). */
import { type Operation, operations } from '@homing/openapi'
import type { FastifyInstance } from 'fastify'
import { METHODS as NODE_METHODS } from 'node:http'
import { sendProblem } from './problem.ts'

/** Every method that a request can have. CONNECT asks for a tunnel, and Node.js does not pass it to routes. */
export const METHODS: readonly string[] = NODE_METHODS.filter((method) => method !== 'CONNECT')

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
      const taken = byUrl.get(url) ?? new Set()
      byUrl.set(url, taken.add(method))
      if (method === 'GET') taken.add('HEAD')
    }
  }
  return byUrl
}

/**
 * Refuses the unsupported methods at every URL of the contract, except the update URLs.
 *
 * @param routeUrl turns a URL of the contract into the form that Fastify takes
 */
export function refuseOtherMethods(app: FastifyInstance, routeUrl: (url: string) => string): void {
  for (const [url, taken] of methodsByUrl()) {
    const allow = [...taken].join(', ')
    app.route({
      method: METHODS.filter((method) => !taken.has(method)),
      url: routeUrl(url),
      onRequest: (request, reply) => {
        void reply.header('allow', allow)
        void sendProblem(request, reply, {
          code: 'method-not-allowed',
          detail: `This URL does not support ${request.method}. It supports: ${allow}.`,
        })
      },
      handler: () => undefined,
    })
  }
}
