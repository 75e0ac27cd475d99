/**
 * The responses at the URLs that people open:
 *
 *   `/`                with a session cookie the app, otherwise the landing page; `/?landing` is the landing page
 *   `/login`, …        the app (`SCREEN_PATHS`); without a session cookie with the sign-in screen in it
 *   `/pricing`, …      pages that `dashboard/src/pages` writes
 *   any other URL      for browsers the page 404; other clients get a problem document
 */
import { SCREEN_PATHS } from '@homing/openapi/vocabulary'
import type { FastifyInstance, FastifyReply } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { BUILT_SCREENS } from '../plugins/screens.ts'
import { notFound } from '../rules/errors.ts'
import { errorPages } from './error-pages.ts'
import { PAGE_CACHING } from './send-page.ts'
import { isSignedIn, PublicPages, type SiteServices } from './site-pages.ts'

export interface SiteOptions extends SiteServices {
  /** The build of the dashboard. */
  readonly folder?: string
}

/** Without the build of the pages, `/` is the app. */
function serveRoot(app: FastifyInstance, pages: PublicPages, services: SiteServices): void {
  app.get<{ Querystring: { landing?: string } }>('/', async (request, reply) => {
    const isLanding = request.query.landing !== undefined || !isSignedIn(request, services)
    if (isLanding && (await pages.send('landing', request, reply, pages.sources.landing)))
      return reply
    return app.sendApp(reply.header('vary', 'Cookie'), PAGE_CACHING)
  })
}

function servePages(app: FastifyInstance, pages: PublicPages): void {
  const found = (reply: FastifyReply, isSent: boolean) => {
    if (!isSent) throw notFound('page')
    return reply
  }
  const { pricing, terms, privacy } = pages.sources
  app.get('/pricing', async (request, reply) =>
    found(reply, await pages.send('pricing', request, reply, pricing)),
  )
  app.get('/terms', async (request, reply) =>
    found(reply, await pages.send('terms', request, reply, terms)),
  )
  app.get('/privacy', async (request, reply) =>
    found(reply, await pages.send('privacy', request, reply, privacy)),
  )
}

/** Without a session, these screens are the sign-in screen, so it is part of their page. */
const SIGN_IN_PATHS: ReadonlySet<string> = new Set([
  '/login',
  '/dashboard',
  '/domain/:fqdn',
  '/deleted-domains',
  '/webforward',
  '/settings',
  '/settings/:section',
] satisfies (typeof SCREEN_PATHS)[number][])

function serveScreens(app: FastifyInstance, services: SiteServices): void {
  for (const path of SCREEN_PATHS) {
    if (path === '/register') continue
    app.get(path, (request, reply) => {
      if (!SIGN_IN_PATHS.has(path)) return app.sendApp(reply)
      void reply.header('vary', 'Cookie')
      const page = isSignedIn(request, services) ? 'index.html' : 'login.html'
      return app.sendApp(reply, PAGE_CACHING, page)
    })
  }
}

/** The form of the landing page sends the name and the zone as two fields. The screen reads one: the domain. */
function serveRegister(app: FastifyInstance): void {
  app.get<{ Querystring: Record<string, unknown> }>('/register', (request, reply) => {
    const { domain, zone } = request.query
    if (typeof domain !== 'string' || typeof zone !== 'string') return app.sendApp(reply)
    const query = new URLSearchParams({ domain: `${domain.trim().toLowerCase()}.${zone}` })
    return reply.redirect(`/register?${query.toString()}`, 303)
  })
}

/** Serves the public pages, the app, and the pages of errors. */
export const site = fastifyPlugin(
  (app: FastifyInstance, options: SiteOptions, done: () => void) => {
    const { folder = BUILT_SCREENS.dashboard } = options
    const pages = new PublicPages(options, folder)
    serveRoot(app, pages, options)
    servePages(app, pages)
    serveScreens(app, options)
    serveRegister(app)
    app.sendErrorPagesBy(errorPages(pages, options))
    done()
  },
  { name: 'site', dependencies: ['problem', 'screens'] },
)
