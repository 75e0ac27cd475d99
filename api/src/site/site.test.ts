/** The response at `/`: the landing page or the app. */
import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { untilSomebodyWaits } from '../../test/support/lock-waits.ts'
import {
  APP,
  BROWSER,
  COOKIE,
  openSiteWorld,
  PAGES,
  type SiteWorld,
} from '../../test/support/site-world.ts'
import { query } from '../database/sql.ts'

let world: SiteWorld
beforeAll(async () => {
  world = await openSiteWorld()
})
afterAll(() => world.end())

/** How many pages the build wrote. */
const written = () => (globalThis as { pagesWritten?: number }).pagesWritten ?? 0
const get = (url: string, headers: Record<string, string> = {}) =>
  world.app.inject({ method: 'GET', url, headers })

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
    const from = async (remoteAddress: string) => world.app.inject({ url: '/', remoteAddress })
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
    world.pass(10_000)
    const other = await world.feed.connectAgain().transaction()
    await query(other, 'lock table plans in access exclusive mode')
    expect((await get('/')).body).toContain('"plans":[{"id":"free"')
    await untilSomebodyWaits(world.feed.knex)
    await other.rollback()
  })

  test('shows a change of a plan within ten seconds', async () => {
    await query(world.feed.knex, `update plans set domain_limit = 101 where account_type = 'pro'`)
    world.pass(10_000)
    await get('/')
    await expect.poll(async () => (await get('/')).body).toContain('"domain_limit":101')
  })

  test('shows a new build', async () => {
    const file = join(world.dashboard, 'pages.js')
    writeFileSync(file, PAGES.replace('<!doctype html>', '<!doctype html>new '))
    utimesSync(file, new Date(), new Date(Date.now() + 60_000))
    expect((await get('/')).body).toMatch(/^<!doctype html>new landing/)
    writeFileSync(file, PAGES)
  })
})
