/**
 * Serves the built screens: the files of the dashboard, and the back office at `/admin/`. Which URLs
 * answer with the dashboard's page is in `site/`. If the dashboard is not built, the front page
 * replaces it; if the back office is not built, it does not exist.
 *
 * Files in `assets` have a digest of their content in their names, so browsers cache them
 * permanently; browsers revalidate the page that names them each time. Compressed copies lie beside
 * the files (`scripts/builds/`), so serving a file costs one read.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { ApiConfig } from '../config/api.ts'
import { html, page } from '../integrations/html-page.ts'
import { notFound } from '../rules/errors.ts'

export interface ScreenFolders {
  readonly dashboard: string
  readonly admin: string
}

const builtRoom = (room: string) =>
  fileURLToPath(new URL(`../../../${room}/dist/`, import.meta.url))

export const BUILT_SCREENS: ScreenFolders = {
  dashboard: builtRoom('dashboard'),
  admin: builtRoom('admin'),
}

/** SHA-256 of the empty string. */
const EMPTY_STYLE = `'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='`

type Provider = ApiConfig['captcha']['provider']

/** The origins whose scripts and frames a page may load because it shows a CAPTCHA of that provider. */
const CAPTCHA_ORIGINS: { readonly [P in Provider]?: readonly string[] } = {
  turnstile: ['https://challenges.cloudflare.com'],
  hcaptcha: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
}

/**
 * The content security policy of a screen: it may run and load files of this service, and call its
 * API. Inline scripts do not run. Styles come from files and from rules that our scripts add to
 * style elements that are empty at first; therefore the digest of the empty string instead of
 * `unsafe-inline`. Injected markup cannot have inline styles either.
 */
function contentSecurityPolicy(provider: Provider): string {
  const others = (CAPTCHA_ORIGINS[provider] ?? []).map((origin) => ` ${origin}`).join('')
  return [
    `default-src 'none'`,
    `script-src 'self'${others}`,
    `style-src 'self' ${EMPTY_STYLE}${others}`,
    `img-src 'self'`,
    `font-src 'self'`,
    `connect-src 'self'${others}`,
    `manifest-src 'self'`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
    ...(others === '' ? [] : [`frame-src${others}`]),
  ].join('; ')
}

interface Screen {
  /** The folder of the built files. */
  readonly folder: string
  readonly policy: string
}

const isBuilt = ({ folder }: Screen) => existsSync(join(folder, 'index.html'))

/** Sends the page of a screen, or the icon beside it. Browsers cache it, and revalidate it each time. */
function sendScreenFile(
  reply: FastifyReply,
  { folder, policy }: Screen,
  file: string,
  cacheControl = 'no-cache',
): FastifyReply {
  return reply
    .header('content-security-policy', policy)
    .header('cache-control', cacheControl)
    .sendFile(file, folder, { cacheControl: false })
}

/** Shown where the dashboard is not built. */
const frontPage = (productName: string) =>
  page(productName, [
    'Names that find home: dynamic DNS.',
    html`<p>
      Register a domain, keep its address current from a router, a script or a pipeline, and DNS
      answers with the new address a moment later.
    </p>`,
    html`<p><a href="/api/docs">The API and its documentation</a></p>`,
  ])

const sendFrontPage = (reply: FastifyReply, productName: string) =>
  reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(frontPage(productName))

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Sends the page of the dashboard; where it is not built, the front page.
     *
     * @param cacheControl default: `no-cache`
     * @param page default: the page of every screen; `login.html` has the sign-in screen in it
     */
    sendApp(
      reply: FastifyReply,
      cacheControl?: string,
      page?: 'index.html' | 'login.html',
    ): FastifyReply
  }
}

/** The back office routes the pages below `/admin/` itself, so each of their URLs can be opened and reloaded. */
function serveBackOffice(app: FastifyInstance, admin: Screen): void {
  for (const path of ['/admin', '/admin/*']) {
    app.get(path, (_request, reply) => {
      if (!isBuilt(admin)) throw notFound('page')
      return sendScreenFile(reply, admin, 'index.html')
    })
  }
}

/** `productName`: the title of the front page where the dashboard is not built. */
export interface ScreenOptions extends Pick<ApiConfig, 'productName' | 'captcha'> {
  readonly folders?: ScreenFolders
}

export const screens = fastifyPlugin(
  async (
    app: FastifyInstance,
    { productName, captcha, folders = BUILT_SCREENS }: ScreenOptions,
  ) => {
    const dashboard = { folder: folders.dashboard, policy: contentSecurityPolicy(captcha.provider) }
    // The back office's sign-in page has no CAPTCHA. An administrator who has to solve one signs in at the dashboard.
    const admin = { folder: folders.admin, policy: contentSecurityPolicy('none') }
    const shared = {
      preCompressed: true,
      index: false,
      immutable: true,
      maxAge: '365d',
      suppressWarning: true,
    } as const
    await app.register(fastifyStatic, {
      ...shared,
      root: join(folders.dashboard, 'assets'),
      prefix: '/assets/',
    })
    await app.register(fastifyStatic, {
      ...shared,
      root: join(folders.admin, 'assets'),
      prefix: '/admin/assets/',
      decorateReply: false,
    })
    for (const [path, screen] of Object.entries({ '': dashboard, '/admin': admin })) {
      app.get(`${path}/favicon.svg`, (_, reply) => sendScreenFile(reply, screen, 'favicon.svg'))
    }
    serveBackOffice(app, admin)
    app.decorate('sendApp', (reply, cacheControl, file = 'index.html') =>
      isBuilt(dashboard)
        ? sendScreenFile(reply, dashboard, file, cacheControl)
        : sendFrontPage(reply, productName),
    )
  },
  { name: 'screens', dependencies: ['problem', 'security-headers'] },
)
