import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Config } from '../config.ts'

/**
 * Headers that keep browsers from doing harm. Answers are data and the api's own pages are plain, so nothing
 * may be loaded, framed or run.
 */
export const securityHeaders = fastifyPlugin(
  async (app: FastifyInstance, { publicUrl }: Pick<Config, 'publicUrl'>) => {
    const isHttps = publicUrl.protocol === 'https:'
    await app.register(helmet, {
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: [`'none'`],
          styleSrc: [`'unsafe-inline'`],
          baseUri: [`'none'`],
          formAction: [`'self'`],
          frameAncestors: [`'none'`],
        },
      },
      strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
      crossOriginResourcePolicy: { policy: 'same-origin' },
      referrerPolicy: { policy: 'no-referrer' },
    })
  },
  { name: 'security-headers' },
)
