import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Config } from '../config.ts'
import { PAGE_STYLE_SOURCE } from '../integrations/html-page.ts'

/** For answers that no plugin sees, because they are given before there is a request to speak of. */
export const BARE_HEADERS = {
  'content-security-policy': `default-src 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
} as const

/** What no page of ours asks a browser for. */
const PERMISSIONS_POLICY = 'camera=(), geolocation=(), microphone=(), usb=()'

/**
 * Headers that keep browsers from doing harm. Answers are data and the api's own pages are plain, so nothing
 * may be loaded, framed or run, and no style but that of the pages counts.
 */
export const securityHeaders = fastifyPlugin(
  async (app: FastifyInstance, { publicUrl }: Pick<Config, 'publicUrl'>) => {
    const isHttps = publicUrl.protocol === 'https:'
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
      strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
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
