import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { ApiConfig } from '../config/api.ts'
import { PAGE_STYLE_SOURCE } from '../integrations/html-page.ts'

/** For answers that no plugin sees, because they are given before there is a request to speak of. */
export const BARE_HEADERS = {
  'content-security-policy': `default-src 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
} as const

/** What no page of ours asks a browser for. */
const PERMISSIONS_POLICY = 'camera=(), geolocation=(), microphone=(), usb=()'

/** Whether people may have names of a zone below a host: their devices speak plain HTTP, and must stay reachable. */
const mayNameBelow = (host: string, zone: string) =>
  `.${host}`.endsWith(`.${zone}`) || `.${zone}`.endsWith(`.${host}`)

/**
 * Headers that keep browsers from doing harm. Answers are data and the api's own pages are plain, so nothing
 * may be loaded, framed or run, and no style but that of the pages counts.
 */
export const securityHeaders = fastifyPlugin(
  async (app: FastifyInstance, { publicUrl, zones }: Pick<ApiConfig, 'publicUrl' | 'zones'>) => {
    const isHttps = publicUrl.protocol === 'https:'
    const includeSubDomains = !zones.some((zone) => mayNameBelow(publicUrl.hostname, zone))
    await app.register(helmet, {
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
    app.addHook('onRequest', (_request, reply, done) => {
      void reply.header('permissions-policy', PERMISSIONS_POLICY)
      done()
    })
  },
  { name: 'security-headers' },
)
