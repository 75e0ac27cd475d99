/**
 * One line for each request. It names the route and never the URL, the headers or the body: these carry
 * tokens, passwords and links.
 */
import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { originOf } from './origin.ts'

export const requestLog = fastifyPlugin(
  (app: FastifyInstance, _options: object, done: () => void) => {
    app.addHook('onResponse', (request, reply, next) => {
      const { url: route, config } = request.routeOptions
      // Routers call all day: what they get is counted, and what they change is in the names' history.
      const isUpdated = config.operation?.access === 'update' && reply.statusCode < 400
      // Of those that are turned away in a flood one line is told for many.
      if (isUpdated || request.isTurnedAway) {
        next()
        return
      }
      request.log.info(
        {
          method: request.method,
          route: route ?? null,
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          ip: originOf(request).ip,
        },
        'request',
      )
      next()
    })
    done()
  },
  { name: 'request-log' },
)
