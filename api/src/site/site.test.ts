/** The response at the URLs that people open: the app, a page, or a problem document. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { SCREEN_PATHS } from '@homing/openapi/vocabulary'
import Fastify, { type FastifyInstance } from 'fastify'
import fastifyCookie from '@fastify/cookie'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FeedWorld, openFeedWorld } from '../../test/support/feed-world.ts'
import { untilSomebodyWaits } from '../../test/support/lock-waits.ts'
import { apiLoader } from '../config/api.ts'
import { connect } from '../database/connect.ts'
import { query } from '../database/sql.ts'
import { problems } from '../plugins/problem.ts'
import { screens } from '../plugins/screens.ts'
import { securityHeaders } from '../plugins/security-headers.ts'
import { createLog } from '../process/log.ts'
import { site } from './site.ts'

const folder = mkdtempSync(join(tmpdir(), 'homing-site-'))
const dashboard = join(folder, 'dashboard')
const APP = '<!doctype html><title>The app</title>'
const SIGN_IN = '<!doctype html><title>Sign in</title>'
/** Renders its data as text for the tests. For the operator `broken` it fails, like a bug of ours would. */
const PAGES = `export const render = (page, data) => {
  if (data.operator.name === 'broken') throw new Error('broken')
  globalThis.pagesWritten = (globalThis.pagesWritten ?? 0) + 1
  return '<!doctype html>' + page + ' ' + JSON.stringify(data)
}`

const COOKIE = { cookie: 'homing_session=something' }
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

let feed: FeedWorld
let app: FastifyInstance
let clock = 0
/** How many pages the build wrote. */
const written = () => (globalThis as { pagesWritten?: number }).pagesWritten ?? 0

async function appOver(
  dist: string,
  operatorName?: string,
  knex = feed.knex,
): Promise<FastifyInstance> {
  const config = apiLoader.load({
    NODE_ENV: 'test',
    SECRET_KEY: 'x'.repeat(32),
    PRODUCT_NAME: 'Ada DNS',
    SUPPORT_EMAIL: 'help@ada.test',
    ...(operatorName === undefined ? {} : { OPERATOR_NAME: operatorName }),
  })
  const log = createLog({ logLevel: 'silent', logFormat: 'json' }, 'test')
  const made = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  await made.register(fastifyCookie)
  await made.register(problems)
  await made.register(securityHeaders, config)
  const folders = { dashboard: dist, admin: join(folder, 'none') }
  await made.register(screens, { ...config, folders })
  made.get('/broken', () => {
    throw new Error('a fault of ours')
  })
  await made.register(site, { config, knex, log, clock: () => clock, folder: dist })
  return made
}

beforeAll(async () => {
  mkdirSync(join(dashboard, 'assets'), { recursive: true })
  writeFileSync(join(dashboard, 'index.html'), APP)
  writeFileSync(join(dashboard, 'login.html'), SIGN_IN)
  writeFileSync(join(dashboard, 'pages.js'), PAGES)
  feed = await openFeedWorld(['homing.test'])
  app = await appOver(dashboard)
})
afterAll(async () => {
  await app.close()
  await feed.end()
  rmSync(folder, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}, from = app) =>
  from.inject({ method: 'GET', url, headers })

describe('/', () => {
  test('is the landing page for visitors, with their address, plans and zones', async () => {
    const reply = await get('/')
    expect(reply.statusCode).toBe(200)
    expect(reply.body).toMatch(/^<!doctype html>landing /)
    expect(JSON.parse(reply.body.slice('<!doctype html>landing '.length))).toMatchObject({
      productName: 'Ada DNS',
      operator: { supportEmail: 'help@ada.test' },
      address: '127.0.0.1',
      isSignedIn: false,
      zones: ['homing.test'],
      plans: [{ id: 'free' }, { id: 'pro', price_year_cents: 11_000 }, { id: 'elite' }],
    })
  })

  test('is the app with a session cookie, and the landing page on request', async () => {
    expect((await get('/', COOKIE)).body).toBe(APP)
    const asked = await get('/?landing', COOKIE)
    expect(asked.body).toContain('<!doctype html>landing')
    expect(asked.body).toContain('"isSignedIn":true')
  })

  test.each([{}, COOKIE])(
    'is never shared by caches, and depends on the cookie: %j',
    async (who) => {
      const { headers } = await get('/', who)
      expect(headers['cache-control']).toBe('private, no-cache')
      expect(String(headers['vary'])).toMatch(/\bcookie\b/i)
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; /)
    },
  )

  test('allows nothing inline', async () => {
    const policy = String((await get('/')).headers['content-security-policy'])
    expect(policy).toContain(`style-src 'self';`)
    expect(policy).not.toContain('unsafe')
    expect(policy).not.toContain('sha256')
  })

  test('is sent once while it is unchanged, and compressed', async () => {
    const { etag } = (await get('/')).headers
    const again = await get('/', { 'if-none-match': String(etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect((await get('/', { ...COOKIE, 'if-none-match': String(etag) })).statusCode).toBe(200)
    const packed = await get('/', { 'accept-encoding': 'gzip, br' })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(packed.rawPayload).toString()).toBe((await get('/')).body)
    const refused = await get('/', { 'accept-encoding': 'gzip;q=0' })
    expect(refused.headers['content-encoding']).toBeUndefined()
  })

  test.each([
    ['gzip;q=0.8', 'gzip'],
    ['br, *;q=0.5', 'gzip'],
    ['identity, gzip;q=0.5', undefined],
    ['', undefined],
  ])('accept-encoding %j gets %s', async (accepted, encoding) => {
    const { headers } = await get('/', { 'accept-encoding': accepted })
    expect(headers['content-encoding']).toBe(encoding)
  })

  test('has a tag for each encoding, which may come back weak or in a list', async () => {
    const packing = { 'accept-encoding': 'gzip' }
    const plain = String((await get('/')).headers.etag)
    const packed = String((await get('/', packing)).headers.etag)
    expect(packed).not.toBe(plain)
    const answers = async (tags: string, headers = {}) =>
      (await get('/', { 'if-none-match': tags, ...headers })).statusCode
    expect(await answers(`W/${plain}`)).toBe(304)
    expect(await answers(`"other", ${plain}`)).toBe(304)
    expect(await answers('*')).toBe(304)
    expect(await answers(packed)).toBe(200)
    expect(await answers(`W/${packed}`, packing)).toBe(304)
    expect(await answers('"other"')).toBe(200)
  })

  test('is written once for all visitors, each of whom sees their own address', async () => {
    const from = async (remoteAddress: string) => app.inject({ url: '/', remoteAddress })
    const [four, six] = [await from('198.51.100.1'), await from('2001:db8::1')]
    expect(four.body).toContain('"address":"198.51.100.1"')
    expect(six.body).toContain('"address":"2001:db8::1"')
    expect(six.headers.etag).not.toBe(four.headers.etag)
    const before = written()
    for (let n = 0; n < 250; n += 1) {
      expect((await from(`2001:db8::${n}`)).body).toContain(`"address":"2001:db8::${n}"`)
      await get('/broken', BROWSER)
    }
    const errors = 250
    await from('198.51.100.9')
    expect(written() - before).toBe(errors)
  })

  test('does not wait for the database when the offer is known', async () => {
    await get('/')
    clock += 10_000
    const other = await feed.connectAgain().transaction()
    await query(other, 'lock table plans in access exclusive mode')
    expect((await get('/')).body).toContain('"plans":[{"id":"free"')
    await untilSomebodyWaits(feed.knex)
    await other.rollback()
  })

  test('shows a change of a plan within ten seconds', async () => {
    await query(feed.knex, `update plans set domain_limit = 101 where account_type = 'pro'`)
    clock += 10_000
    await get('/')
    await expect.poll(async () => (await get('/')).body).toContain('"domain_limit":101')
  })

  test('shows a new build', async () => {
    const file = join(dashboard, 'pages.js')
    writeFileSync(file, PAGES.replace('<!doctype html>', '<!doctype html>new '))
    utimesSync(file, new Date(), new Date(Date.now() + 60_000))
    expect((await get('/')).body).toMatch(/^<!doctype html>new landing/)
    writeFileSync(file, PAGES)
  })
})

describe('pages and screens', () => {
  test.each(['pricing', 'terms', 'privacy'])('/%s is a page', async (page) => {
    const reply = await get(`/${page}/`)
    expect(reply.body).toMatch(new RegExp(`^<!doctype html>${page} `))
    expect(reply.headers['cache-control']).toBe('private, no-cache')
  })

  const SIGN_IN_SCREENS = /^\/(login|dashboard|domain|deleted-domains|settings)/
  const urlOf = (path: string) => path.replace(/:\w+/, 'word')

  test.each(SCREEN_PATHS.filter((path) => !SIGN_IN_SCREENS.test(path)))(
    '%s is the app for everybody',
    async (path) => {
      for (const who of [{}, COOKIE]) {
        const reply = await get(urlOf(path), who)
        expect([reply.statusCode, reply.body]).toEqual([200, APP])
        expect(reply.headers['cache-control']).toBe('no-cache')
      }
    },
  )

  test.each(SCREEN_PATHS.filter((path) => SIGN_IN_SCREENS.test(path)))(
    '%s has the sign-in screen in it, except for a browser with a session cookie',
    async (path) => {
      const [visitor, user] = [await get(urlOf(path)), await get(urlOf(path), COOKIE)]
      expect([visitor.body, user.body]).toEqual([SIGN_IN, APP])
      for (const { headers } of [visitor, user]) {
        expect(headers['cache-control']).toBe('private, no-cache')
        expect(String(headers['vary'])).toMatch(/\bcookie\b/i)
      }
    },
  )

  test('the form of the landing page continues with one domain', async () => {
    const reply = await get('/register?domain=+Home+&zone=homing.test')
    expect(reply.statusCode).toBe(303)
    expect(reply.headers['location']).toBe('/register?domain=home.homing.test')
    expect((await get('/register?domain=home.homing.test')).body).toBe(APP)
    const elsewhere = await get('/register?domain=%2F%2Fevil.test%2F&zone=x')
    expect(elsewhere.headers['location']).toMatch(/^\/register\?domain=/)
  })
})

describe('URLs that do not exist', () => {
  test('are a page for browsers', async () => {
    for (const url of ['/nowhere', '/settings/a/b', '/admin/users']) {
      const reply = await get(url, BROWSER)
      expect([reply.statusCode, reply.headers['content-type']]).toEqual([
        404,
        'text/html; charset=utf-8',
      ])
      expect(reply.body).toContain('not-found')
      expect(reply.headers['cache-control']).toBe('no-store')
      expect(reply.headers['etag']).toBeUndefined()
    }
  })

  test.each([
    ['/nowhere', {}],
    ['/nowhere', { accept: 'application/json' }],
    ['/api/nowhere', BROWSER],
  ])('%s with %j is a problem document', async (url, headers) => {
    const reply = await get(url, headers)
    expect(reply.statusCode).toBe(404)
    expect(reply.headers['content-type']).toContain('problem+json')
  })
})

describe('failures', () => {
  test('are a page with the request id for browsers, and a problem document for others', async () => {
    const page = await get('/broken', BROWSER)
    expect(page.statusCode).toBe(500)
    expect(page.body).toMatch(/^<!doctype html>error .*"requestId":"[\w-]+"/)
    expect(page.body).not.toContain('a fault of ours')
    expect((await get('/broken')).json()).toMatchObject({ code: 'internal-error' })
  })

  test('of the pages themselves are a plain page', async () => {
    const broken = await appOver(dashboard, 'broken')
    const reply = await get('/pricing', BROWSER, broken)
    expect(reply.statusCode).toBe(500)
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(reply.body).toMatch(/Request id: [\w-]+/)
    await broken.close()
  })

  test('of the database are a page that says when to try again; the documents do not need it', async () => {
    const nowhere = connect({ url: 'postgresql://x@127.0.0.1:1/x', applicationName: 'nowhere' })
    const cut = await appOver(dashboard, undefined, nowhere)
    const reply = await get('/', BROWSER, cut)
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '5'])
    expect(reply.body).toContain('"status":503')
    expect((await get('/privacy', BROWSER, cut)).statusCode).toBe(200)
    await cut.close()
    await nowhere.destroy()
  })

  test('without the build there are no pages, and the app is at /', async () => {
    const dist = join(folder, 'old')
    mkdirSync(dist)
    writeFileSync(join(dist, 'index.html'), APP)
    const old = await appOver(dist)
    expect((await get('/', {}, old)).body).toBe(APP)
    const reply = await get('/pricing', BROWSER, old)
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([
      404,
      'text/html; charset=utf-8',
    ])
    await old.close()
  })
})
