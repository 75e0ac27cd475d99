/** Routes whose body stays as it was sent: a signature is verified over its octets. */
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'

const EMPTY = Buffer.alloc(0)

/** Adds a route to a scope of its own, in which a body of any type is read and not parsed. */
export function routeOfOctets(app: FastifyInstance, route: RouteOptions): void {
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, octets, parsed) => {
      parsed(null, octets)
    })
    scope.route(route)
    done()
  })
}

/** The octets of the body of such a route. */
export const octetsOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : EMPTY)
