/** The pages and the app at the URLs that people open, over a build that renders its data as text. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastifyCookie from '@fastify/cookie'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Knex } from 'knex'
import { apiLoader } from '../../src/config/api.ts'
import { problems } from '../../src/plugins/problem.ts'
import { screens } from '../../src/plugins/screens.ts'
import { securityHeaders } from '../../src/plugins/security-headers.ts'
import { createLog } from '../../src/process/log.ts'
import { site } from '../../src/site/site.ts'
import { type FeedWorld, openFeedWorld } from './feed-world.ts'

export const APP = '<!doctype html><title>The app</title>'
export const SIGN_IN = '<!doctype html><title>Sign in</title>'
/** Renders its data as text for the tests. For the operator `broken` it fails, like a bug of ours would. */
export const PAGES = `export const render = (page, data) => {
  if (data.operator.name === 'broken') throw new Error('broken')
  globalThis.pagesWritten = (globalThis.pagesWritten ?? 0) + 1
  return '<!doctype html>' + page + ' ' + JSON.stringify(data)
}`

/** The headers of a browser that has a session. */
export const COOKIE = { cookie: 'homing_session=something' }
export const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

interface Other {
  readonly dist?: string
  readonly operatorName?: string
  readonly knex?: Knex
}

export interface SiteWorld {
  readonly feed: FeedWorld
  /** For the files of builds. */
  readonly folder: string
  /** The build of the dashboard. */
  readonly dashboard: string
  readonly app: FastifyInstance
  /** The warnings and errors that requests logged. */
  readonly warnings: readonly string[]
  /** Moves the clock forward. */
  pass(ms: number): void
  /** @returns another app, which the caller closes */
  appOver(other: Other): Promise<FastifyInstance>
  end(): Promise<void>
}

export async function openSiteWorld(): Promise<SiteWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'homing-site-'))
  const dashboard = join(folder, 'dashboard')
  mkdirSync(join(dashboard, 'assets'), { recursive: true })
  writeFileSync(join(dashboard, 'index.html'), APP)
  writeFileSync(join(dashboard, 'login.html'), SIGN_IN)
  writeFileSync(join(dashboard, 'pages.js'), PAGES)
  const feed = await openFeedWorld(['homing.test'])
  const warnings: string[] = []
  let clock = 0

  async function appOver({ dist = dashboard, operatorName, knex = feed.knex }: Other) {
    const config = apiLoader.load({
      NODE_ENV: 'test',
      SECRET_KEY: 'x'.repeat(32),
      PRODUCT_NAME: 'Ada DNS',
      SUPPORT_EMAIL: 'help@ada.test',
      ...(operatorName === undefined ? {} : { OPERATOR_NAME: operatorName }),
    })
    const log = createLog({ logLevel: 'silent', logFormat: 'json' }, 'test')
    const stream = { write: (line: string) => void warnings.push(line) }
    const made = Fastify({
      logger: { level: 'warn', stream },
      routerOptions: { ignoreTrailingSlash: true },
    })
    await made.register(fastifyCookie)
    await made.register(problems)
    await made.register(securityHeaders, config)
    const folders = { dashboard: dist, admin: join(folder, 'none') }
    await made.register(screens, { ...config, folders })
    made.get('/broken', () => {
      throw new Error('a fault of ours')
    })
    const services = { config, knex, log, payments: {}, clock: () => clock }
    await made.register(site, { ...services, folder: dist })
    return made
  }

  const app = await appOver({})
  return {
    feed,
    folder,
    dashboard,
    app,
    warnings,
    pass: (ms) => {
      clock += ms
    },
    appOver,
    async end() {
      await app.close()
      await feed.end()
      rmSync(folder, { recursive: true })
    },
  }
}
