import type {
  Domain,
  Monitor,
  MonitorIncident,
  UptimeHistory,
  UptimeSummary,
} from '@homing/openapi'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { insertDomain } from '../../../test/support/feed-world.ts'
import {
  claimAll,
  letTimePass,
  newRecorder,
  resultOf,
} from '../../../test/support/monitor-world.ts'
import { query } from '../../database/sql.ts'
import { recordResults } from '../../monitoring/store/record-results.ts'

let world: ApiWorld
let ada: Caller
let host: string
let id: string
let people = 0

beforeAll(async () => {
  world = await openApiWorld()
})
afterAll(() => world.end())
beforeEach(async () => {
  await query(world.knex, 'delete from monitors')
  people += 1
  ada = await world.person(`ada${people}`, 'pro')
  host = `home${people}.homing.test`
  id = (await insertDomain(world.knex, { userId: ada.id, fqdn: host, ipv4: '192.0.2.1' })).id
})

const HOUR_MS = 3_600_000
type Headers = Readonly<Record<string, string>>
const urlOf = (domainId: string, rest = '') => `/api/uptime/domain/${domainId}${rest}`
const get = (url: string, who: Caller = ada) =>
  call(world.app, 'GET', url, { headers: who.headers })
const send = (
  method: 'POST' | 'PUT' | 'DELETE',
  url: string,
  body?: unknown,
  headers: Headers = {},
) =>
  call(world.app, method, url, {
    headers: { ...ada.headers, ...headers },
    ...(body === undefined ? {} : { body }),
  })
const turn = (enable: boolean, domainId = id) =>
  send('POST', urlOf(domainId, '/monitor'), { enable })
const put = (change: object, headers: Headers = {}) => send('PUT', urlOf(id), change, headers)
const read = async (domainId = id) => (await get(urlOf(domainId))).json<Monitor>()
const domainOf = async () => (await get(`/api/domains/${id}`)).json<Domain>()
const setPlan = (plan: string) =>
  query(world.knex, 'update users set account_type = ? where id = ?', [plan, ada.id])

/** Checks the domain a minute later. */
async function check(outcome: 'up' | 'down', ms = 60_000): Promise<void> {
  const { knex } = world
  const [monitor] = await query<{ id: string }>(
    knex,
    'select id from monitors where domain_id = ?',
    [id],
  )
  const monitorId = monitor?.id ?? ''
  await letTimePass(knex, monitorId, ms)
  const recorder = newRecorder()
  expect(await claimAll(knex, recorder)).toHaveLength(1)
  await recordResults(knex, recorder, [resultOf(monitorId, outcome)])
}

describe('POST …/monitor', () => {
  test('answers at once, and the domain shows it', async () => {
    const never = { monitor_enabled: false, monitor_kind: null, monitor_state: null }
    expect(await domainOf()).toMatchObject(never)
    const before = await read()
    expect(before).toMatchObject({ state: 'off', is_enabled: false, version: 1 })
    const reply = await turn(true)
    expect(reply.status).toBe(200)
    expect(reply.headers['etag']).toBe('"1"')
    // The settings of a domain that was never monitored are those that a new monitor has.
    expect(reply.json()).toEqual({
      ...before,
      state: 'pending',
      is_enabled: true,
      state_since: expect.any(String),
    })
    expect(before).toMatchObject({ kind: null, uptime_24h: null, min_interval_seconds: 60 })
    expect(await domainOf()).toMatchObject({ monitor_enabled: true, monitor_state: 'pending' })
    expect((await turn(false)).json()).toMatchObject({ state: 'off', is_enabled: false })
    expect(await domainOf()).toMatchObject({ monitor_enabled: false, monitor_state: 'off' })
  })

  test('concurrent calls make one monitor', async () => {
    const replies = await Promise.all(Array.from({ length: 6 }, () => turn(true)))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect(await query(world.knex, 'select id from monitors')).toHaveLength(1)
  })

  test('turned off, it keeps its settings and its history', async () => {
    await turn(true)
    await put({ kind: 'tcp', port: 22 })
    await check('up')
    await check('down')
    await check('down')
    await turn(false)
    expect(await read()).toMatchObject({ kind: 'tcp', port: 22, state: 'off', is_enabled: false })
    expect((await get(urlOf(id, '/incidents'))).json()).toHaveLength(1)
    expect((await turn(true)).json()).toMatchObject({ kind: 'tcp', port: 22, state: 'pending' })
  })

  test('an undecided one looks for what answers when it is turned on again', async () => {
    await turn(true)
    const { knex } = world
    const recorder = newRecorder()
    const [due] = await claimAll(knex, recorder)
    await recordResults(knex, recorder, [resultOf(due?.id ?? '', 'down', { found: null })])
    expect(await read()).toMatchObject({ state: 'undecided', kind: null })
    expect((await turn(true)).json()).toMatchObject({ state: 'pending' })
    const again = newRecorder()
    expect(await claimAll(knex, again)).toHaveLength(1)
    await recordResults(knex, again, [resultOf(due?.id ?? '', 'down', { found: null })])
    expect((await put({ kind: 'dns' })).json()).toMatchObject({ state: 'pending', kind: 'dns' })
  })

  test('a smaller plan: it stops, can be turned off, and not on', async () => {
    await turn(true)
    await setPlan('free')
    expect(problemOf(await put({ path: '/x' })).code).toBe('plan-required')
    expect((await turn(false)).status).toBe(200)
    expect(problemOf(await turn(true))).toMatchObject({
      status: 403,
      code: 'plan-required',
      detail: expect.stringContaining('Uptime monitoring'),
    })
    expect(await read()).toMatchObject({ min_interval_seconds: null, is_enabled: false })
  })

  test('a locked domain: nothing about its monitor changes', async () => {
    await turn(true)
    await query(world.knex, 'update domains set locked = true where id = ?', [id])
    const calls = [
      await turn(false),
      await put({ path: '/x' }),
      await send('POST', urlOf(id, '/heartbeat-token')),
      await send('POST', urlOf(id, '/test-notification')),
    ]
    expect(calls.map((reply) => problemOf(reply).code)).toEqual(calls.map(() => 'domain-locked'))
    expect(await read()).toMatchObject({ is_enabled: true, path: '/' })
  })

  test('a paused domain: the monitor waits', async () => {
    await query(world.knex, 'update domains set paused = true where id = ?', [id])
    const waiting = { state: 'stopped', stopped_by: 'withheld', is_enabled: true }
    expect((await turn(true)).json()).toMatchObject(waiting)
  })

  test('a wildcard has none of its own', async () => {
    const made = await send('POST', '/api/domains/wildcard', { base_fqdn: host })
    const reply = await turn(true, made.json<Domain>().id)
    expect(problemOf(reply)).toMatchObject({
      status: 409,
      code: 'conflict',
      detail: expect.stringContaining(`Monitor ${host} instead`),
    })
  })
})

describe('PUT …', () => {
  test('keeps omitted settings, and works before the monitor is turned on', async () => {
    const reply = await put({ kind: 'https', path: '/health?full=1', expected_status: '200, 204' })
    expect(reply.status).toBe(200)
    expect(reply.headers['etag']).toBe('"2"')
    expect(reply.json()).toMatchObject({
      state: 'off',
      kind: 'https',
      path: '/health?full=1',
      expected_status: '200,204',
      follows_redirects: true,
    })
    await put({ body_text: 'ok', certificate_warning_days: null })
    expect(await read()).toMatchObject({
      path: '/health?full=1',
      body_text: 'ok',
      certificate_warning_days: null,
      version: 3,
    })
  })

  test('a change without effect keeps the version; a stale If-Match changes nothing', async () => {
    await put({ path: '/a' })
    expect((await put({ path: '/a' })).headers['etag']).toBe('"2"')
    expect(problemOf(await put({ path: '/b' }, { 'if-match': '"1"' })).code).toBe(
      'version-mismatch',
    )
    expect((await put({ path: '/b' }, { 'if-match': '"2"' })).headers['etag']).toBe('"3"')
  })

  test('If-Match of a domain that was never monitored', async () => {
    expect(problemOf(await put({ path: '/a' }, { 'if-match': '"2"' })).code).toBe(
      'version-mismatch',
    )
    expect((await put({ path: '/a' }, { 'if-match': '"1"' })).status).toBe(200)
  })

  test('the interval of the plan is the shortest', async () => {
    const short = problemOf(await put({ interval_seconds: 59 }))
    expect(short).toMatchObject({
      status: 422,
      errors: [{ field: 'interval_seconds', message: expect.stringContaining('60 seconds') }],
    })
    await setPlan('elite')
    expect((await put({ interval_seconds: 30 })).json()).toMatchObject({
      interval_seconds: 30,
      min_interval_seconds: 30,
    })
    await setPlan('pro')
    expect((await put({ path: '/x' })).json()).toMatchObject({ interval_seconds: 60 })
  })

  test('other settings are checked at once', async () => {
    await turn(true)
    await put({ kind: 'https', interval_seconds: 3600 })
    await check('up')
    expect(await claimAll(world.knex, newRecorder())).toEqual([])
    await put({ notifies_up: false })
    expect(await claimAll(world.knex, newRecorder())).toEqual([])
    await put({ path: '/other' })
    expect(await claimAll(world.knex, newRecorder())).toHaveLength(1)
  })

  test.each([
    { kind: 'ping' },
    { kind: null },
    { port: 0 },
    { port: 25 },
    { path: 'health' },
    { path: '/a#b' },
    { expected_status: '2xx' },
    { interval_seconds: 3601 },
    { confirmations: 0 },
    { recoveries: 6 },
    { state: 'up' },
    { is_enabled: true },
    { version: 7 },
  ])('%j is refused', async (change) => {
    const [field] = Object.keys(change)
    expect(problemOf(await put(change))).toMatchObject({ status: 422, errors: [{ field }] })
    expect(await query(world.knex, 'select id from monitors')).toEqual([])
  })

  test('a setting that the kind does not use', async () => {
    expect(problemOf(await put({ kind: 'tcp', body_text: 'ok' }))).toMatchObject({
      status: 422,
      errors: [{ field: 'body_text', message: expect.stringContaining('https, http') }],
    })
  })
})

describe('what it found', () => {
  test('incidents, results, history and summary agree', async () => {
    await turn(true)
    await put({ kind: 'https', interval_seconds: 3600 })
    await check('up', 0)
    await check('up', HOUR_MS)
    await check('down', HOUR_MS)
    await check('down', 10_000)
    await check('up', HOUR_MS)
    const monitor = await read()
    expect(monitor).toMatchObject({ state: 'up', last_latency_ms: 20, cause: null })
    const incidents = (await get(urlOf(id, '/incidents'))).json<MonitorIncident[]>()
    expect(incidents).toEqual([
      {
        id: expect.any(String),
        state: 'down',
        started_at: expect.any(String),
        ended_at: monitor.state_since,
        duration_seconds: 3_610,
        cause: 'timeout',
        cause_text: 'The server did not answer within 10 s.',
      },
    ])
    const results = (await get(urlOf(id, '/results'))).json<
      { is_up: boolean; status: number | null }[]
    >()
    expect(results.map(({ is_up }) => is_up)).toEqual([true, false, false, true, true])
    const history = (await get(urlOf(id, '/history'))).json<UptimeHistory>()
    expect(history).toMatchObject({ resolution: '5m', uptime: monitor.uptime_24h })
    expect(history.parts).toHaveLength(289)
    const sum = (field: 'up_seconds' | 'down_seconds' | 'checks' | 'failures') =>
      Math.round(history.parts.reduce((total, part) => total + part[field], 0))
    expect([sum('down_seconds'), sum('up_seconds')]).toEqual([3_610, 7_200])
    expect([sum('checks'), sum('failures')]).toEqual([5, 2])
    expect(monitor.uptime_24h).toBe(66.6)
    const summary = (await get('/api/uptime/dashboard')).json<UptimeSummary>()
    expect(summary).toEqual({
      overall_uptime_24h: 66.6,
      overall_uptime_7d: 66.6,
      overall_uptime_30d: 66.6,
      domains_monitored: 1,
      domains_up: 1,
      domains_down: 0,
    })
    expect((await get('/api/uptime/monitors')).json()).toEqual([await read()])
  })

  test('before there is any data', async () => {
    expect((await get('/api/uptime/dashboard')).json()).toEqual({
      overall_uptime_24h: null,
      overall_uptime_7d: null,
      overall_uptime_30d: null,
      domains_monitored: 0,
      domains_up: 0,
      domains_down: 0,
    })
    expect((await get(urlOf(id, '/incidents'))).json()).toEqual([])
    expect((await get(urlOf(id, '/results'))).json()).toEqual([])
    expect((await get(urlOf(id, '/history'))).json()).toMatchObject({ uptime: null, parts: [] })
  })

  test.each([
    ['from=2016-05-12T00:00:00Z', 'from', '400 days'],
    ['from=2026-05-12T00:00:00Z&to=2026-05-11T00:00:00Z', 'from', 'before to'],
    ['to=2099-01-01T00:00:00Z', 'to', 'future'],
    [
      `from=${new Date(Date.now() - 30 * 86_400_000).toISOString()}&resolution=5m`,
      'resolution',
      '400',
    ],
    ['resolution=1m', 'resolution', ''],
    ['from=yesterday', 'from', ''],
  ])('the history of %s is refused', async (range, field, words) => {
    const problem = problemOf(await get(urlOf(id, `/history?${range}`)))
    expect(problem).toMatchObject({
      status: 422,
      errors: [{ field, message: expect.stringContaining(words) }],
    })
  })

  test('incidents can be filtered and paged', async () => {
    await turn(true)
    await put({ kind: 'https' })
    await check('up', 0)
    for (let n = 0; n < 2; n += 1) {
      await check('down')
      await check('down', 10_000)
      await check('up')
    }
    // Nobody checked for ten minutes.
    await check('up', 600_000)
    const list = async (search: string) => {
      const reply = await get(urlOf(id, `/incidents?${search}`))
      return [
        reply.headers['content-range'],
        reply.json<MonitorIncident[]>().map(({ state }) => state),
      ]
    }
    expect(await list('range=[0,0]')).toEqual(['incidents 0-0/3', ['unknown']])
    expect(await list('filter={"state":"down"}')).toEqual(['incidents 0-1/2', ['down', 'down']])
    expect(problemOf(await get(urlOf(id, '/incidents?filter={"state":"up"}'))).status).toBe(422)
  })
})
