import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import helmet from 'helmet'
import type { ApiConfig } from '../config/api.ts'
import { PAGE_STYLE_SOURCE } from '../integrations/html-page.ts'

/** For responses that are sent before there is a request, so that no plugin sees them. */
export const BARE_HEADERS = {
  'content-security-policy': `default-src 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
} as const

/** Browser features that no page of this service uses. */
const PERMISSIONS_POLICY = 'camera=(), geolocation=(), microphone=(), usb=()'

/**
 * Whether users can register domains of a zone below a host. Their devices may support only plain HTTP, and must
 * stay reachable.
 */
const mayNameBelow = (host: string, zone: string) =>
  `.${host}`.endsWith(`.${zone}`) || `.${zone}`.endsWith(`.${host}`)

/**
 * Security headers for every response. The api's responses are data, and its own pages are plain: nothing
 * may be loaded, framed or run, and only the styles of these pages apply.
 */
export const securityHeaders = fastifyPlugin(
  async (app: FastifyInstance, { publicUrl, zones }: Pick<ApiConfig, 'publicUrl' | 'zones'>) => {
    const isHttps = publicUrl.protocol === 'https:'
    const includeSubDomains = !zones.some((zone) => mayNameBelow(publicUrl.hostname, zone))
    // Once: @fastify/helmet composes the headers again for each request, and gives each response a function of its own.
    const setHeaders = helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: [`'none'`],
          styleSrc: [PAGE_STYLE_SOURCE],
          baseUri: [`'none'`],
          formAction: [`'self'`],
          frameAncestors: [`'none'`],
        },
      },
      strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains } : false,
      crossOriginResourcePolicy: { policy: 'same-origin' },
      referrerPolicy: { policy: 'no-referrer' },
      frameguard: { action: 'deny' },
    })
    app.addHook('onRequest', (request, reply, done) => {
      void reply.header('permissions-policy', PERMISSIONS_POLICY)
      setHeaders(request.raw, reply.raw, () => done())
    })
  },
  { name: 'security-headers' },
)
