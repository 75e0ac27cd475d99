/**
 * The plain pages of the api: the front page of a service without screens, and the local mailbox in development.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { ApiConfig } from '../config/api.ts'
import { html, page } from '../integrations/html-page.ts'
import { mailboxPages } from './mailbox-pages.ts'

/** Shown where the dashboard is not built. */
export const frontPage = (productName: string) =>
  page(productName, [
    'Names that find home: dynamic DNS.',
    html`<p>
      Register a domain, keep its address current from a router, a script or a pipeline, and DNS
      answers with the new address a moment later.
    </p>`,
    html`<p><a href="/api/docs">The API and its documentation</a></p>`,
  ])

export const sendPage = (reply: FastifyReply, markup: string) =>
  reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(markup)

export const pages = fastifyPlugin(
  (app: FastifyInstance, config: ApiConfig, done: () => void) => {
    if (config.nodeEnv !== 'production') mailboxPages(app, config)
    done()
  },
  { name: 'pages', dependencies: ['problem', 'host-check'] },
)
