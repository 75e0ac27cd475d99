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
import { notFound } from '../domain/errors.ts'
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

/**
 * What a screen may do: run and load what we serve, and call us. No inline script runs. Its styles
 * come as files and as rules that our scripts add to style elements which start out empty; hence the
 * digest of nothing, and no `unsafe-inline`: markup that somebody smuggles in has no style either.
 */
const CONTENT_SECURITY_POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self' ${EMPTY_STYLE}`,
  `img-src 'self'`,
  `font-src 'self'`,
  `connect-src 'self'`,
  `manifest-src 'self'`,
  `form-action 'self'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ')

/** The page of a screen, or the icon beside it: browsers keep it and ask each time whether it changed. */
function sendScreenFile(reply: FastifyReply, folder: string, file: string): FastifyReply {
  return reply
    .header('content-security-policy', CONTENT_SECURITY_POLICY)
    .header('cache-control', 'no-cache')
    .sendFile(file, folder, { cacheControl: false })
}

function serveScreen(
  app: FastifyInstance,
  path: string,
  folder: string,
  otherwise: (reply: FastifyReply) => FastifyReply,
): void {
  const isBuilt = () => existsSync(join(folder, 'index.html'))
  app.get(path === '' ? '/' : path, (_request, reply) =>
    isBuilt() ? sendScreenFile(reply, folder, 'index.html') : otherwise(reply),
  )
  app.get(`${path}/favicon.svg`, (_request, reply) => sendScreenFile(reply, folder, 'favicon.svg'))
}

/** `productName`: what stands where the dashboard is not built. */
export interface ScreenOptions {
  readonly productName: string
  readonly folders?: ScreenFolders
}

export const screens = fastifyPlugin(
  async (app: FastifyInstance, { productName, folders = BUILT }: ScreenOptions) => {
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
    serveScreen(app, '', folders.dashboard, (reply) => sendPage(reply, frontPage(productName)))
    serveScreen(app, '/admin', folders.admin, () => {
      throw notFound('page')
    })
    // The back office's router knows the pages below it; each of their URLs can be opened and reloaded.
    app.get('/admin/*', (_request, reply) => {
      if (!existsSync(join(folders.admin, 'index.html'))) throw notFound('page')
      return sendScreenFile(reply, folders.admin, 'index.html')
    })
  },
  { name: 'screens', dependencies: ['problem', 'security-headers', 'pages'] },
)
