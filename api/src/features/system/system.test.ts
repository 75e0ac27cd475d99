import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../database/connect.ts'
import { createServices, stopServices } from '../../compose.ts'
import { type ApiWorld, openApiWorld, testApp } from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { query } from '../../database/sql.ts'
import { stripeProvider } from '../../payments/providers/stripe.ts'

const TOKEN = 'a token for the metrics'
let world: ApiWorld
let dataDir: string

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'homing-system-'))
  world = await openApiWorld({ dataDir, metricsToken: TOKEN })
})
afterAll(async () => {
  await world.end()
  rmSync(dataDir, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}, ip = '127.0.0.1') =>
  call(world.app, 'GET', url, { headers, ip })

describe('GET /api/health', () => {
  test('200 while api, database and schema can serve', async () => {
    const reply = await get('/api/health')
    expect(reply.status).toBe(200)
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.json()).toEqual({ status: 'ok', checks: { database: 'ok', schema: 'ok' } })
  })

  test('many who ask at once cost one query', async () => {
    let queries = 0
    const count = () => (queries += 1)
    world.knex.on('query', count)
    const replies = await Promise.all(Array.from({ length: 50 }, () => get('/api/health')))
    world.knex.off('query', count)
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect(queries).toBe(1)
  })

  test('503 while the newest migration is missing', async () => {
    const [newest] = await query<{ name: string }>(
      world.knex,
      `delete from schema_migrations where id = (select max(id) from schema_migrations) returning name`,
    )
    const reply = await get('/api/health')
    await query(
      world.knex,
      'insert into schema_migrations (name, batch, migration_time) values (?, 1, now())',
      [newest?.name ?? ''],
    )
    expect(reply.status).toBe(503)
    expect(reply.json()).toMatchObject({ checks: { database: 'ok', schema: 'behind' } })
  })

  test('503 while the database is away, and every other call says so too', async () => {
    const { config } = world.services
    const log = pino({ level: 'silent' })
    const knex = connect({ url: 'postgresql://x@127.0.0.1:1/x', applicationName: 'nowhere' })
    const services = createServices({ config: { ...config, rateLimits: true }, knex, log })
    const app = await testApp(services)
    const health = await call(app, 'GET', '/api/health')
    expect(health.status).toBe(503)
    expect(health.json()).toEqual({
      status: 'unavailable',
      checks: { database: 'down', schema: 'unknown' },
    })
    const calls = [
      await call(app, 'GET', '/api/me', { headers: { authorization: `Bearer ${'x'.repeat(43)}` } }),
      await call(app, 'POST', '/api/login', { body: { username_or_email: 'a', password: 'b' } }),
      await call(app, 'POST', '/api/verify-email', { body: { token: 'x' } }),
      await call(app, 'POST', '/api/resend-verification', { body: { email: 'a@b.test' } }),
      await call(app, 'POST', '/api/register', {
        body: { username: 'ada', email: 'ada@example.net', password: 'correct horse' },
      }),
    ]
    for (const reply of calls) {
      expect(problemOf(reply)).toMatchObject({ status: 503, code: 'unavailable' })
      expect(reply.headers['retry-after']).toBe('5')
    }
    await app.close()
    await stopServices(services)
    await knex.destroy()
  })
})

describe('GET /metrics', () => {
  test('for callers of this machine', async () => {
    for (const ip of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1']) {
      const reply = await get('/metrics', {}, ip)
      expect(reply.status).toBe(200)
      expect(reply.headers['content-type']).toContain('text/plain; version=0.0.4')
    }
    await get('/api/health')
    expect((await get('/metrics')).text).toMatch(
      /homing_api_request_duration_seconds_count\{operation="getHealth",status="200"\} \d/,
    )
  })

  test.each([{}, { authorization: 'Bearer wrong' }, { authorization: TOKEN }])(
    'not for others with %j',
    async (headers) => {
      expect((await get('/metrics', headers, '192.0.2.1')).status).toBe(401)
    },
  )

  test('with the token for everybody', async () => {
    const headers = { authorization: `Bearer ${TOKEN}` }
    expect((await get('/metrics', headers, '192.0.2.1')).status).toBe(200)
  })

  test('what a proxy passes on is not of this machine', async () => {
    expect((await get('/metrics', { 'x-forwarded-for': '192.0.2.1' })).status).toBe(401)
    expect((await get('/metrics', { forwarded: 'for=192.0.2.1' })).status).toBe(401)
  })
})

describe('pages', () => {
  test('the mailbox is a page that may run and load nothing', async () => {
    const reply = await get('/dev/mailbox')
    expect(reply.status).toBe(200)
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(reply.headers['content-security-policy']).toContain(`default-src 'none'`)
    expect(reply.headers['x-content-type-options']).toBe('nosniff')
    expect(reply.text).toMatch(/^<!doctype html>/)
  })

  test('what is not there, and what a URL does not take, may run and load nothing either', async () => {
    const missing = await get('/nothing/here')
    const wrong = await call(world.app, 'DELETE', '/api/health', {})
    for (const [reply, status] of [
      [missing, 404],
      [wrong, 405],
    ] as const) {
      expect(reply.status).toBe(status)
      expect(reply.headers['content-security-policy']).toContain(`default-src 'none'`)
    }
  })

  test('the documentation asks nobody else’s server', async () => {
    const page = await get('/api/docs')
    expect(page.status).toBe(200)
    expect(page.headers['content-security-policy']).toMatch(
      /default-src 'none'; script-src 'self';/,
    )
    expect(page.text).not.toMatch(/(?:src|href)="https?:/)
    const assets = [...page.text.matchAll(/(?:src|href)="\.?(\/[^"]+)"/g)].map(([, path]) => path)
    expect(assets.length).toBeGreaterThan(2)
    for (const asset of assets) {
      const url = asset?.startsWith('/api/') ? asset : `/api/docs${asset}`
      expect({ url, status: (await get(url)).status }).toEqual({ url, status: 200 })
    }
  })

  test('the mailbox lists mail, and shows its headers, its text and its links', async () => {
    mkdirSync(join(dataDir, 'mail'), { recursive: true })
    const source =
      'From: a@example.net\r\nTo: x@example.net\r\nSubject: <b>Hello</b>\r\n\r\nOpen http://localhost/#login & <script>alert(1)</script>\r\n'
    writeFileSync(join(dataDir, 'mail', '2030-x@example.net.eml'), source)
    expect((await get('/dev/mailbox')).text).toContain(
      '<a href="/dev/mailbox/2030-x@example.net.eml">',
    )
    const mail = await get('/dev/mailbox/2030-x@example.net.eml')
    expect(mail.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(mail.text).toContain('<h1>&lt;b&gt;Hello&lt;/b&gt;</h1>')
    expect(mail.text).toContain('<a href="http://localhost/#login">http://localhost/#login</a>')
    expect(mail.text).toContain('&amp; &lt;script&gt;alert(1)&lt;/script&gt;')
    const raw = await get('/dev/mailbox/2030-x@example.net.eml?raw')
    expect(raw.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(raw.text).toBe(source)
    for (const file of ['none.eml', '..%2f..%2fetc%2fpasswd', '%2e%2e%2fsecret-key']) {
      expect((await get(`/dev/mailbox/${file}`)).status).toBe(404)
    }
  })

  test('the mailbox is for this machine, whatever the service listens on and a proxy tells', async () => {
    const file = '/dev/mailbox/2030-y@example.net.eml'
    mkdirSync(join(dataDir, 'mail'), { recursive: true })
    writeFileSync(join(dataDir, 'mail', '2030-y@example.net.eml'), 'a link')
    for (const url of ['/dev/mailbox', file]) {
      expect((await get(url, {}, '::1')).status).toBe(200)
      const refused = [
        await get(url, {}, '192.0.2.1'),
        await get(url, {}, 'fe80::1'),
        await get(url, { 'x-forwarded-for': '127.0.0.1' }),
        await get(url, { forwarded: 'for=127.0.0.1' }),
      ]
      for (const reply of refused) {
        expect(problemOf(reply)).toMatchObject({ status: 403, code: 'forbidden' })
        expect(reply.text).not.toContain('example.net')
      }
    }
  })

  test('of a trusted proxy, neither its callers nor those of its own machine read it', async () => {
    const other = await openApiWorld({ dataDir, trustProxy: ['127.0.0.1', '192.0.2.1'] })
    const asked = (ip: string, told: string) =>
      call(other.app, 'GET', '/dev/mailbox', { ip, headers: { 'x-forwarded-for': told } })
    expect((await asked('127.0.0.1', '198.51.100.7')).status).toBe(403)
    expect((await asked('192.0.2.1', '127.0.0.1')).status).toBe(403)
    await other.end()
  })

  test('there is no mailbox in production', async () => {
    const other = await openApiWorld({ nodeEnv: 'production' })
    expect((await call(other.app, 'GET', '/dev/mailbox')).status).toBe(404)
    await other.end()
  })
})

test('logs name the route, and neither URL nor headers nor body', async () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const services = createServices({ ...world.services, log })
  const app = await testApp(services)
  const secret = 'unmistakable-secret'
  await call(app, 'GET', `/api/verify-email/${secret}`)
  await call(app, 'GET', `/nic/update?hostname=x&password=${secret}`)
  await call(app, 'POST', '/api/login', {
    body: { username_or_email: 'ada', password: secret },
    headers: { cookie: `homing_session=${secret}`, 'user-agent': secret },
  })
  await call(app, 'GET', '/api/me', { headers: { authorization: `Bearer ${secret}` } })
  await app.close()
  await stopServices(services)
  const all = lines.join('')
  expect(all).toContain('"route":"/api/verify-email/:token"')
  expect(all).not.toContain(secret)
})

describe('GET /api/operator', () => {
  test('names the operator, by default the support address of the first zone, and the payment methods', async () => {
    expect((await get('/api/operator')).json()).toEqual({
      name: null,
      address: null,
      support_email: `support@${world.services.config.zones[0]}`,
      payment_methods: { card: false, paypal: false },
    })
    const operator = {
      name: 'Ada Ltd',
      address: '1 Example Street',
      supportEmail: 'help@ada.test',
      abuseEmail: 'abuse@ada.test',
    }
    const stripe = {
      secretKey: 'sk_test_1',
      webhookSecret: 'whsec_1',
      apiBase: new URL('http://127.0.0.1:9'),
      isTest: true,
      realm: 'local',
    }
    const app = await testApp({
      ...world.services,
      config: { ...world.services.config, operator },
      payments: { stripe: stripeProvider(stripe, () => new Date()) },
    })
    expect((await call(app, 'GET', '/api/operator')).json()).toEqual({
      name: 'Ada Ltd',
      address: '1 Example Street',
      support_email: 'help@ada.test',
      payment_methods: { card: true, paypal: false },
    })
    await app.close()
  })
})
