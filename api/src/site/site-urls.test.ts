/** The response at the URLs below `/`: a page, the app, or a problem document. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SCREEN_PATHS } from '@homing/openapi/vocabulary'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  APP,
  BROWSER,
  COOKIE,
  openSiteWorld,
  SIGN_IN,
  type SiteWorld,
} from '../../test/support/site-world.ts'
import { connect } from '../database/connect.ts'

let world: SiteWorld
beforeAll(async () => {
  world = await openSiteWorld()
})
afterAll(() => world.end())

const get = (url: string, headers: Record<string, string> = {}, from = world.app) =>
  from.inject({ method: 'GET', url, headers })

describe('pages and screens', () => {
  test.each(['pricing', 'terms', 'privacy'])('/%s is a page', async (page) => {
    const reply = await get(`/${page}/`)
    expect(reply.body).toMatch(new RegExp(`^<!doctype html>${page} `))
    expect(reply.headers['cache-control']).toBe('private, no-cache')
  })

  const SIGN_IN_SCREENS = /^\/(login|dashboard|domain|deleted-domains|webforward|settings)/
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

test('each request has one answer', async () => {
  const before = [...world.warnings]
  for (const url of ['/', '/pricing', '/none']) await get(url, BROWSER)
  expect(world.warnings).toEqual(before)
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
    const broken = await world.appOver({ operatorName: 'broken' })
    const reply = await get('/pricing', BROWSER, broken)
    expect(reply.statusCode).toBe(500)
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(reply.body).toMatch(/Request id: [\w-]+/)
    await broken.close()
  })

  test('of the database are a page that says when to try again; the documents do not need it', async () => {
    const nowhere = connect({ url: 'postgresql://x@127.0.0.1:1/x', applicationName: 'nowhere' })
    const cut = await world.appOver({ knex: nowhere })
    const reply = await get('/', BROWSER, cut)
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '5'])
    expect(reply.body).toContain('"status":503')
    expect((await get('/privacy', BROWSER, cut)).statusCode).toBe(200)
    await cut.close()
    await nowhere.destroy()
  })

  test('before the pages are built, / is the app, and the URLs of pages answer 404', async () => {
    const dist = join(world.folder, 'old')
    mkdirSync(dist)
    writeFileSync(join(dist, 'index.html'), APP)
    const old = await world.appOver({ dist })
    expect((await get('/', {}, old)).body).toBe(APP)
    const reply = await get('/pricing', BROWSER, old)
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([
      404,
      'text/html; charset=utf-8',
    ])
    await old.close()
  })
})
