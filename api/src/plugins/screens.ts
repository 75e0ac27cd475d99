/**
 * The built screens: the dashboard at `/`, the back office at `/admin/`. Where one is not built,
 * the front page stands in for the dashboard, and the back office is not there.
 *
 * Files in `assets` have the digest of their content in their names, so browsers keep them for
 * good; the page that names them is asked for anew each time. Both lie compressed beside
 * themselves (`scripts/screens/`), so serving one costs a read.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { ApiConfig } from '../config/api.ts'
import { notFound } from '../rules/errors.ts'
import { frontPage, sendPage } from './pages.ts'

export interface ScreenFolders {
  readonly dashboard: string
  readonly admin: string
}

const builtRoom = (room: string) =>
  fileURLToPath(new URL(`../../../${room}/dist/`, import.meta.url))

const BUILT: ScreenFolders = { dashboard: builtRoom('dashboard'), admin: builtRoom('admin') }

/** SHA-256 of nothing at all. */
const EMPTY_STYLE = `'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='`

type Provider = ApiConfig['captcha']['provider']

/** Whose scripts and frames a page may have because a CAPTCHA of theirs is asked for there. */
const CAPTCHA_ORIGINS: { readonly [P in Provider]?: readonly string[] } = {
  turnstile: ['https://challenges.cloudflare.com'],
  hcaptcha: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
}

/**
 * What a screen may do: run and load what we serve, and call us. No inline script runs. Its styles
 * come as files and as rules that our scripts add to style elements which start out empty; hence the
 * digest of nothing, and no `unsafe-inline`: markup that somebody smuggles in has no style either.
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
  /** Where it is built. */
  readonly folder: string
  readonly policy: string
}

const isBuilt = ({ folder }: Screen) => existsSync(join(folder, 'index.html'))

/** The page of a screen, or the icon beside it: browsers keep it and ask each time whether it changed. */
function sendScreenFile(
  reply: FastifyReply,
  { folder, policy }: Screen,
  file: string,
): FastifyReply {
  return reply
    .header('content-security-policy', policy)
    .header('cache-control', 'no-cache')
    .sendFile(file, folder, { cacheControl: false })
}

function serveScreen(
  app: FastifyInstance,
  path: string,
  screen: Screen,
  otherwise: (reply: FastifyReply) => FastifyReply,
): void {
  app.get(path === '' ? '/' : path, (_request, reply) =>
    isBuilt(screen) ? sendScreenFile(reply, screen, 'index.html') : otherwise(reply),
  )
  app.get(`${path}/favicon.svg`, (_request, reply) => sendScreenFile(reply, screen, 'favicon.svg'))
}

/** `productName`: what stands where the dashboard is not built. */
export interface ScreenOptions extends Pick<ApiConfig, 'productName' | 'captcha'> {
  readonly folders?: ScreenFolders
}

export const screens = fastifyPlugin(
  async (app: FastifyInstance, { productName, captcha, folders = BUILT }: ScreenOptions) => {
    const dashboard = { folder: folders.dashboard, policy: contentSecurityPolicy(captcha.provider) }
    // Its door has no CAPTCHA: whoever has to solve one does so at the dashboard's.
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
    serveScreen(app, '', dashboard, (reply) => sendPage(reply, frontPage(productName)))
    serveScreen(app, '/admin', admin, () => {
      throw notFound('page')
    })
    // The back office's router knows the pages below it; each of their URLs can be opened and reloaded.
    app.get('/admin/*', (_request, reply) => {
      if (!isBuilt(admin)) throw notFound('page')
      return sendScreenFile(reply, admin, 'index.html')
    })
  },
  { name: 'screens', dependencies: ['problem', 'security-headers', 'pages'] },
)
