import type { FastifyInstance } from 'fastify'
import { newSecret } from '../rules/secrets.ts'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld, testApp } from '../../test/support/api-world.ts'
import { call, type CallOptions, problemOf } from '../../test/support/calls.ts'
import type { CallRules } from './call-limits.ts'

/** Limits that a test can use up, and that are not refilled while it runs. */
const few = (burst: number) => ({ burst, refillMs: 3_600_000 })
const RULES: CallRules = {
  light: few(5),
  unsigned: few(4),
  webhooks: few(4),
  'failed-credentials': few(3),
  account: few(12),
  'api-key': few(8),
  domain: few(6),
}

let world: ApiWorld
let app: FastifyInstance
let queries = 0
let people = 0
let ada: Caller

beforeAll(async () => {
  world = await openApiWorld({ rateLimits: true })
  world.knex.on('query', () => (queries += 1))
})
afterAll(() => world.end())

// A new app has empty counters.
beforeEach(async () => {
  app = await testApp(world.services, { calls: RULES })
  ada = await world.person(`ada${(people += 1)}`)
  return () => app.close()
})

const IP = '198.51.100.7'
const get = (url: string, options: CallOptions = {}) =>
  call(app, 'GET', url, { ip: IP, ...options })
const wrong = (ip = IP) =>
  get('/api/me', {
    ip,
    headers: { authorization: `Bearer ${randomBytes(32).toString('base64url')}` },
  })

/** The status of each of many calls, one after another. */
async function statuses(count: number, one: () => Promise<{ status: number }>): Promise<number[]> {
  const seen: number[] = []
  for (let n = 0; n < count; n += 1) seen.push((await one()).status)
  return seen
}

const times = (count: number, status: number): number[] =>
  Array.from({ length: count }, () => status)

describe('the headers for a caller', () => {
  test('have the remaining calls, the reset, and the limit', async () => {
    const { headers } = await get('/api/zones/available')
    expect(headers).toMatchObject({
      'ratelimit-limit': '4',
      'ratelimit-remaining': '3',
      'ratelimit-reset': '3600',
      'ratelimit-policy': '4;w=14400',
    })
  })

  test('over the limit: a problem document, with the usual headers', async () => {
    await statuses(4, () => get('/api/zones/available'))
    const reply = await get('/api/zones/available')
    const wait = Number(reply.headers['retry-after'])
    // An hour after the first call; the other calls may have taken seconds of it.
    expect(wait).toBeGreaterThan(3_400)
    expect(wait).toBeLessThanOrEqual(3_600)
    expect(problemOf(reply)).toMatchObject({
      status: 429,
      code: 'rate-limited',
      detail: `Too many calls came from your network. Please try again in ${wait} s.`,
    })
    expect(reply.headers).toMatchObject({
      'ratelimit-remaining': '0',
      'ratelimit-reset': String(wait + 3 * 3_600),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
  })

  test('report the nearest of several limits', async () => {
    const { headers } = await get('/api/domains/1', { headers: ada.headers })
    expect(headers).toMatchObject({ 'ratelimit-limit': '6', 'ratelimit-remaining': '5' })
    const list = await get('/api/domains', { headers: ada.headers })
    expect(list.headers).toMatchObject({ 'ratelimit-limit': '12', 'ratelimit-remaining': '10' })
  })
})

describe('the counters', () => {
  test('unauthenticated calls count for a network, whatever credentials a public call has', async () => {
    const login = () =>
      call(app, 'POST', '/api/forgot-password', {
        ip: IP,
        headers: { authorization: `Bearer ${randomBytes(8).toString('hex')}` },
        body: {},
      })
    expect(await statuses(6, login)).toEqual([...times(4, 422), 429, 429])
    expect((await get('/api/zones/available', { ip: '192.0.2.8' })).status).toBe(401)
  })

  test('all IPv6 addresses of a household count together, and those of another separately', async () => {
    let n = 0
    const inside = () => get('/api/zones/available', { ip: `2001:db8:1:2::${(n += 1)}` })
    expect(await statuses(5, inside)).toEqual([...times(4, 401), 429])
    expect((await get('/api/zones/available', { ip: '2001:db8:1:3::1' })).status).toBe(401)
  })

  test('forwarded addresses from a client that is not a trusted proxy are ignored', async () => {
    let n = 0
    const lie = () => {
      const other = `203.0.113.${(n += 1)}`
      return get('/api/zones/available', {
        headers: { 'x-forwarded-for': other, forwarded: `for=${other}`, 'x-real-ip': other },
      })
    }
    expect(await statuses(5, lie)).toEqual([...times(4, 401), 429])
  })

  test('pages, files, unknown URLs and health are separate from calls', async () => {
    await statuses(5, () => get('/api/zones/available'))
    const seen = [await get('/'), await get('/nothing'), await get('/api/health')]
    expect(seen.map(({ status }) => status)).toEqual([200, 404, 200])
    expect(await statuses(3, () => get('/api/health'))).toEqual([200, 200, 429])
  })

  test('all calls of an account count together, from any network and session', async () => {
    const others = await world.signIn(ada.id)
    expect(await statuses(12, () => get('/api/me', { headers: ada.headers }))).toEqual(
      times(12, 200),
    )
    const elsewhere = { ip: '203.0.113.9' }
    expect((await get('/api/me', { headers: ada.headers, ...elsewhere })).status).toBe(429)
    expect((await get('/api/me', { headers: others, ...elsewhere })).status).toBe(429)
    const bob = await world.person(`bob${people}`)
    expect((await get('/api/me', { headers: bob.headers })).status).toBe(200)
  })

  test('a key has its own counter, and counts for its account', async () => {
    const key = async () => {
      const made = await call(app, 'POST', '/api/api-keys', {
        headers: await world.signIn(ada.id),
        body: { name: 'a key' },
        ip: '203.0.113.1',
      })
      return { authorization: `Bearer ${made.json<{ key: string }>().key}` }
    }
    const [first, second] = [await key(), await key()]
    expect(await statuses(9, () => get('/api/domains', { headers: first }))).toEqual([
      ...times(8, 200),
      429,
    ])
    // Twelve calls count for the account: two created the keys, nine used the first key.
    expect(await statuses(2, () => get('/api/domains', { headers: second }))).toEqual([200, 429])
  })

  test('calls about one domain, by its id or its name', async () => {
    const headers = ada.headers
    const seen = await statuses(7, () => get('/api/domains/77', { headers }))
    expect(seen).toEqual([...times(6, 404), 429])
    expect((await get('/api/domains/78', { headers })).status).toBe(404)
  })
})

describe('invalid credentials', () => {
  test('count for their network, and are refused without a query beyond the limit', async () => {
    expect(await statuses(3, wrong)).toEqual(times(3, 401))
    queries = 0
    expect(await statuses(20, wrong)).toEqual(times(20, 429))
    expect(queries).toBe(0)
    expect((await wrong('192.0.2.99')).status).toBe(401)
  })

  test('concurrent ones cannot exceed the limit together', async () => {
    queries = 0
    const seen = await Promise.all(Array.from({ length: 30 }, () => wrong()))
    expect(seen.filter(({ status }) => status === 401)).toHaveLength(3)
    expect(queries).toBeLessThanOrEqual(3)
  })

  test('do not affect callers whose credential was valid here before', async () => {
    expect((await get('/api/me', { headers: ada.headers })).status).toBe(200)
    await statuses(5, wrong)
    expect((await get('/api/me', { headers: ada.headers })).status).toBe(200)
  })

  test('a valid one that is new here costs its network nothing', async () => {
    for (let n = 0; n < 6; n += 1) {
      const headers = await world.signIn(ada.id)
      expect((await get('/api/me', { headers })).status).toBe(200)
    }
  })

  test('a valid one counts for its account, even if the call is refused', async () => {
    const admin = () => get('/api/admin/users', { headers: ada.headers })
    expect(await statuses(13, admin)).toEqual([...times(12, 403), 429])
    expect(await statuses(4, wrong)).toEqual([...times(3, 401), 429])
  })

  test('an ended one counts as invalid, and does not count for its account', async () => {
    const ended = await world.signIn(ada.id)
    await get('/api/me', { headers: ended })
    await call(app, 'POST', '/api/logout', { headers: ended, ip: IP })
    expect(await statuses(6, () => get('/api/me', { headers: ended }))).toEqual([
      ...times(3, 401),
      ...times(3, 429),
    ])
    expect(
      (await get('/api/me', { headers: ada.headers, ip: '203.0.113.2' })).headers,
    ).toMatchObject({
      'ratelimit-remaining': '8',
    })
  })

  test('invalid keys count as well', async () => {
    const key = () =>
      get('/api/domains', {
        headers: { authorization: `Bearer ${newSecret('api_key', randomBytes)}` },
      })
    expect(await statuses(4, key)).toEqual([...times(3, 401), 429])
  })
})

test('a caller over a limit causes no query, and its body is not read', async () => {
  await statuses(12, () => get('/api/me', { headers: ada.headers }))
  queries = 0
  const flood = Array.from({ length: 200 }, () =>
    call(app, 'POST', '/api/domains', {
      headers: ada.headers,
      body: `{"fqdn": not even JSON${'x'.repeat(50_000)}`,
      ip: IP,
    }),
  )
  for (const reply of await Promise.all(flood)) expect(reply.status).toBe(429)
  expect(queries).toBe(0)
})

test('behind a trusted proxy each caller is counted separately', async () => {
  const config = { ...world.services.config, trustProxy: ['127.0.0.1'] }
  const behind = await testApp({ ...world.services, config }, { calls: RULES })
  const from = (ip: string) =>
    call(behind, 'GET', '/api/zones/available', { headers: { 'x-forwarded-for': ip } })
  expect(await statuses(5, () => from('203.0.113.1'))).toEqual([...times(4, 401), 429])
  expect((await from('203.0.113.2')).status).toBe(401)
  await behind.close()
})

test('update URLs have their own limits', async () => {
  const update = () => get('/nic/update?hostname=home.homing.test')
  expect(await statuses(20, update)).toEqual(times(20, 401))
  expect((await update()).headers).not.toHaveProperty('ratelimit-limit')
})

test('RATE_LIMITS=off turns all of them off', async () => {
  const off = await testApp(
    { ...world.services, config: { ...world.services.config, rateLimits: false } },
    { calls: RULES },
  )
  const seen = await statuses(20, () => call(off, 'GET', '/api/health'))
  expect(seen).toEqual(times(20, 200))
  expect((await call(off, 'GET', '/api/zones/available')).headers).not.toHaveProperty(
    'ratelimit-limit',
  )
  await off.close()
})
