/**
 * One log line per request. It names the route and never the URL, the headers or the body, because these contain
 * tokens, passwords and links. It names the account and the reason of a refusal, which an investigation of an attack
 * needs.
 */
import type { ProblemCode } from '@homing/openapi'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Principal } from '../caller/principal.ts'
import { requestSourceOf } from '../caller/request-source.ts'

const refusals = new WeakMap<FastifyRequest, ProblemCode>()

/** Records why a request was refused, for its log line. */
export function noteRefusal(request: FastifyRequest, code: ProblemCode): void {
  refusals.set(request, code)
}

/** The account that called, and the key that it called with. */
function callerOf(principal: Principal | undefined): object {
  if (principal === undefined) return {}
  const account = principal.account.id
  return principal.kind === 'api_key' ? { account, key: principal.keyId } : { account }
}

export const requestLog = fastifyPlugin(
  (app: FastifyInstance, _options: object, done: () => void) => {
    app.addHook('onResponse', (request, reply, next) => {
      const { url: route, config } = request.routeOptions
      // Routers call all day: their successful calls are counted in the metrics, and changes are in
      // the domains' history.
      const isUpdated = config.operation?.access === 'update' && reply.statusCode < 400
      // Rejected calls are logged together, not one by one.
      if (isUpdated || request.isRejected) {
        next()
        return
      }
      const refusal = refusals.get(request)
      request.log.info(
        {
          method: request.method,
          route: route ?? null,
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          ip: requestSourceOf(request).ip,
          ...callerOf(request.principal),
          ...(refusal !== undefined && { refusal }),
        },
        'request',
      )
      next()
    })
    done()
  },
  { name: 'request-log' },
)
