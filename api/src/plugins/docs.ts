/**
 * `/api/openapi.json`, the committed contract, and `/api/docs`, which displays it without loading anything from another
 * server.
 */
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import contract from '@homing/openapi/openapi.json' with { type: 'json' }

const CONTRACT_TEXT = JSON.stringify(contract)

/** What Swagger UI loads: its own scripts and styles, and images inside its style sheet. */
const CONTENT_SECURITY_POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self' 'unsafe-inline'`,
  `img-src 'self' data:`,
  `font-src 'self'`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ')

export const docs = fastifyPlugin(
  async (app: FastifyInstance) => {
    app.get('/api/openapi.json', (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(CONTRACT_TEXT),
    )
    await app.register(swagger, {
      mode: 'static',
      specification: { document: contract as never },
    })
    await app.register(swaggerUi, {
      routePrefix: '/api/docs',
      staticCSP: CONTENT_SECURITY_POLICY,
      // The top bar switches between documents; there is only one here.
      theme: {
        title: 'Homing API',
        css: [{ filename: 'homing.css', content: '.swagger-ui .topbar { display: none }' }],
      },
      uiConfig: { deepLinking: true },
      logLevel: 'warn',
    })
  },
  { name: 'docs' },
)
