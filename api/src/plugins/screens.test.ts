import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problems } from './problem.ts'
import { type ScreenOptions, screens } from './screens.ts'
import { securityHeaders } from './security-headers.ts'

const folder = mkdtempSync(join(tmpdir(), 'homing-screens-'))
const dashboard = join(folder, 'dashboard')
const PAGE = '<!doctype html><title>Homing</title>'
const SCRIPT = 'export const one = 1\n'.repeat(100)
let app: FastifyInstance

const KEYS = { siteKey: 'site', secret: 'secret', verifyUrl: new URL('https://captcha.example/') }

async function appOver(
  folders: { dashboard: string; admin: string },
  captcha: ScreenOptions['captcha'] = { provider: 'altcha' },
): Promise<FastifyInstance> {
  const made = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  await made.register(problems)
  await made.register(securityHeaders, { publicUrl: new URL('http://localhost'), zones: [] })
  await made.register(screens, { productName: 'Homing', captcha, folders })
  made.get('/', (_request, reply) => made.sendApp(reply))
  return made
}

beforeAll(async () => {
  mkdirSync(join(dashboard, 'assets'), { recursive: true })
  writeFileSync(join(dashboard, 'index.html'), PAGE)
  writeFileSync(join(dashboard, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  writeFileSync(join(dashboard, '.built-from'), 'a digest')
  writeFileSync(join(dashboard, 'assets/index-abc.js'), SCRIPT)
  writeFileSync(join(dashboard, 'assets/index-abc.js.gz'), gzipSync(SCRIPT))
  app = await appOver({ dashboard, admin: join(folder, 'admin') })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ method: 'GET', url, headers })

describe('the page', () => {
  test('is requested again each time, and may run and call only what we serve', async () => {
    const reply = await get('/')
    expect(reply.statusCode).toBe(200)
    expect(reply.body).toBe(PAGE)
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(reply.headers['cache-control']).toBe('no-cache')
    const policy = String(reply.headers['content-security-policy'])
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; /)
    expect(policy).toContain(`connect-src 'self'`)
    expect(policy).toContain(`frame-ancestors 'none'`)
    expect(policy).not.toContain('unsafe')
    expect(policy).not.toContain('data:')
  })

  test.each([
    ['turnstile', 'https://challenges.cloudflare.com'],
    ['hcaptcha', 'https://*.hcaptcha.com'],
  ] as const)('with %s may run its CAPTCHA, and the back office may not', async (...row) => {
    const [provider, origin] = row
    const asks = await appOver({ dashboard, admin: dashboard }, { ...KEYS, provider })
    const policyOf = async (url: string) =>
      String((await asks.inject(url)).headers['content-security-policy'])
    const policy = await policyOf('/')
    const allowing = policy.split('; ').filter((directive) => directive.includes(origin))
    expect(allowing.map((directive) => directive.split(' ', 1)[0])).toEqual(
      expect.arrayContaining(['script-src', 'frame-src', 'connect-src']),
    )
    expect(policy).not.toContain('unsafe')
    expect(await policyOf('/admin/')).not.toContain(origin)
    await asks.close()
  })

  test('is not sent again while it is unchanged', async () => {
    const { etag } = (await get('/')).headers
    expect((await get('/', { 'if-none-match': String(etag) })).statusCode).toBe(304)
  })

  test('the icon has the same rules', async () => {
    const reply = await get('/favicon.svg')
    expect(reply.headers['content-type']).toBe('image/svg+xml')
    expect(reply.headers['cache-control']).toBe('no-cache')
    expect(reply.headers['content-security-policy']).toContain(`default-src 'none'`)
  })
})

describe('the files that the page names', () => {
  test('are cached permanently', async () => {
    const reply = await get('/assets/index-abc.js')
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-type']).toMatch(/\/javascript/)
    expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(reply.headers['x-content-type-options']).toBe('nosniff')
  })

  test('are sent compressed, as at the build, to clients that support it', async () => {
    const packed = await get('/assets/index-abc.js', { 'accept-encoding': 'br, gzip' })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(packed.headers['content-type']).toMatch(/\/javascript/)
    expect(packed.headers['vary']).toMatch(/accept-encoding/i)
    expect(packed.rawPayload.equals(gzipSync(SCRIPT))).toBe(true)
    const plain = await get('/assets/index-abc.js', { 'accept-encoding': 'identity' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.body).toBe(SCRIPT)
  })

  test.each([
    '/assets/nothing.js',
    '/assets/',
    '/assets/../index.html',
    '/assets/..%2f.built-from',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..%5c..%5cpackage.json',
    '/assets/%00',
    '/.built-from',
    '/index-abc.js',
  ])('%s is not found', async (url) => {
    const reply = await get(url)
    expect(reply.statusCode).toBeGreaterThanOrEqual(400)
    expect(reply.statusCode).toBeLessThan(500)
    expect(reply.headers['content-type']).toContain('problem+json')
    expect(reply.headers['cache-control']).toBe('no-store')
  })
})

describe('screens that are not built', () => {
  test('the back office does not exist', async () => {
    for (const url of [
      '/admin',
      '/admin/',
      '/admin/users',
      '/admin/favicon.svg',
      '/admin/assets/index.js',
    ]) {
      expect((await get(url)).statusCode).toBe(404)
    }
  })

  test('the dashboard has a front page instead', async () => {
    const bare = await appOver({ dashboard: join(folder, 'none'), admin: join(folder, 'none') })
    const reply = await bare.inject({ method: 'GET', url: '/' })
    expect(reply.statusCode).toBe(200)
    expect(reply.body).toContain('/api/docs')
    expect(reply.headers['content-security-policy']).toMatch(/^default-src 'none';style-src/)
    await bare.close()
  })
})

test('every page of the back office has a URL; a missing file is 404', async () => {
  const admin = join(folder, 'office')
  mkdirSync(join(admin, 'assets'), { recursive: true })
  writeFileSync(join(admin, 'index.html'), PAGE)
  const built = await appOver({ dashboard, admin })
  for (const url of ['/admin', '/admin/', '/admin/users', '/admin/domains/7/show?x=1']) {
    const reply = await built.inject(url)
    expect([url, reply.statusCode, reply.body]).toEqual([url, 200, PAGE])
    expect(reply.headers['content-security-policy']).toContain(`script-src 'self'`)
  }
  expect((await built.inject('/admin/assets/gone.js')).statusCode).toBe(404)
  await built.close()
})
