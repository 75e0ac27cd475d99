import type { AdminPlan, AdminPlanChange, CreatedApiKey, Plan } from '@homing/openapi'
import { PassThrough } from 'node:stream'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { call, problemOf } from '../../../test/support/calls.ts'
import { usePlanWorld } from '../../../test/support/plan-world.ts'
import { query } from '../../database/sql.ts'
import { changePlan } from './change-plan.ts'

const t = usePlanWorld()
const get = async (plan: string) => t.adminWorld.get(`/api/admin/plans/${plan}`)
const jobs = async () => query(t.knex, `select data from pgboss.job where name = 'plan'`)

describe('GET /api/admin/plans', () => {
  test('has the terms of each plan, the smallest first', async () => {
    const reply = await t.adminWorld.get('/api/admin/plans')
    expect(reply.headers['content-range']).toBe('plans 0-4/5')
    expect(
      reply.json<AdminPlan[]>().map(({ id, domain_limit, ttl }) => [id, domain_limit, ttl]),
    ).toEqual([
      ['disabled', 0, 3600],
      ['free', 5, 3600],
      ['pro', 100, 60],
      ['elite', 500, 60],
      ['admin', 1000, 60],
    ])
  })

  test('and of one plan, with its version', async () => {
    const reply = await get('pro')
    expect(reply.headers['etag']).toBe('"1"')
    expect(reply.json()).toEqual({
      id: 'pro',
      domain_limit: 100,
      ttl: 60,
      stealth_flag_limit: 10,
      monitor_interval: 60,
      record_limit: 1_000,
      record_types: 'all',
      abilities: ['api_keys', 'wildcard', 'analytics', 'uptime', 'web_forward'],
      price_month_cents: 1000,
      price_year_cents: 11000,
      currency: 'USD',
      version: 1,
      updated_at: null,
    })
  })
})

describe('PUT /api/admin/plans/{id}', () => {
  test('changes the given fields and keeps the rest, at once for all accounts', async () => {
    const reply = await t.put('pro', { domain_limit: 7, abilities: ['wildcard', 'api_keys'] })
    expect(reply.status).toBe(200)
    expect(reply.headers['etag']).toBe('"2"')
    expect(reply.json()).toMatchObject({
      domain_limit: 7,
      ttl: 60,
      stealth_flag_limit: 10,
      abilities: ['api_keys', 'wildcard'],
      price_month_cents: 1000,
      version: 2,
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    const { domain_limit } = (await call(t.adminWorld.world.app, 'GET', '/api/plans'))
      .json<Plan[]>()
      .find(({ id }) => id === 'pro') as Plan
    expect(domain_limit).toBe(7)
    const me = await t.adminWorld.get('/api/me', t.adminWorld.ada)
    expect(me.json()).toMatchObject({ limits: { domain_limit: 7 } })
  })

  test('keys stop working when the plan loses them, and work again afterwards', async () => {
    const made = await call(t.adminWorld.world.app, 'POST', '/api/api-keys', {
      headers: t.adminWorld.ada.headers,
      body: { name: 'all' },
    })
    const headers = { authorization: `Bearer ${made.json<CreatedApiKey>().key}` }
    const byKey = () => call(t.adminWorld.world.app, 'GET', '/api/domains', { headers })
    expect((await byKey()).status).toBe(200)
    await t.put('pro', { abilities: [] })
    expect(problemOf(await byKey()).code).toBe('plan-required')
    await t.put('pro', { abilities: ['api_keys'] })
    expect((await byKey()).status).toBe(200)
  })

  test('a limit applies to the next name', async () => {
    await t.addNames(t.adminWorld.ada.id, 3)
    await t.put('pro', { domain_limit: 3 })
    const create = () =>
      call(t.adminWorld.world.app, 'POST', '/api/domains', {
        headers: t.adminWorld.ada.headers,
        body: { fqdn: `next${t.adminWorld.people}.homing.test` },
      })
    expect(problemOf(await create()).code).toBe('domain-limit')
    await t.put('pro', { domain_limit: 4, ttl: 90 })
    expect((await create()).json()).toMatchObject({ ttl: 90 })
  })

  test.each([
    ['nothing', {}, 1, 0],
    [
      'unchanged values',
      { ttl: 60, abilities: ['wildcard', 'web_forward', 'uptime', 'api_keys', 'analytics'] },
      1,
      0,
    ],
    ['what names do not show', { abilities: ['wildcard'] }, 2, 0],
    ['the interval of monitors', { monitor_interval: 90 }, 2, 0],
    ['the number of records', { record_limit: 5 }, 2, 0],
    ['stealth flags', { stealth_flag_limit: 11 }, 2, 1],
    ['the TTL', { ttl: 61 }, 2, 1],
    ['the limit', { domain_limit: 99 }, 2, 1],
    ['wildcards', { abilities: ['api_keys'] }, 2, 1],
  ])('%s: the resulting version and job', async (_, change, version, jobCount) => {
    expect((await t.put('pro', change)).json()).toMatchObject({ version })
    expect(await jobs()).toHaveLength(jobCount)
  })

  test('is recorded with the administrator and the former values', async () => {
    const lines = new PassThrough()
    const { knex, jobs: queue } = t.adminWorld.world.services
    const services = { knex, jobs: queue, log: pino(lines) }
    await changePlan(services, t.adminWorld.admin, {
      planId: 'elite',
      change: { ttl: 30 },
      ifMatch: undefined,
    })
    expect(JSON.parse(String(lines.read()))).toMatchObject({
      administratorId: t.adminWorld.admin.id,
      plan: 'elite',
      before: { ttl: 60, domain_limit: 500 },
      after: { ttl: 30, domain_limit: 500 },
    })
  })
})

describe('POST /api/admin/plans/{id}/preview', () => {
  test.each([
    ['nothing', {}, 0],
    [
      'what names do not show',
      { record_limit: 5, monitor_interval: 90, abilities: ['wildcard'] },
      0,
    ],
    ['the TTL', { ttl: 61 }, 2],
  ] satisfies [string, AdminPlanChange, number][])(
    '%s: names are counted only if they follow the change',
    async (_, change, count) => {
      await t.addNames(t.adminWorld.ada.id, 2)
      // Not as the plan says: a count that is made has them.
      await query(t.knex, 'update domains set ttl = 7200 where user_id = ?', [t.adminWorld.ada.id])
      const preview = await t.preview('pro', change)
      expect(preview.account_count).toBeGreaterThan(0)
      expect(preview).toMatchObject({
        changed_account_count: count === 0 ? 0 : 1,
        ttl_change_count: count,
      })
    },
  )
})

describe('concurrent changes of one plan', () => {
  test('a stale If-Match changes nothing', async () => {
    await t.put('pro', { ttl: 61 })
    const late = await t.put('pro', { ttl: 62 }, { 'if-match': '"1"' })
    expect(problemOf(late)).toMatchObject({ status: 412, code: 'version-mismatch' })
    expect((await get('pro')).json()).toMatchObject({ ttl: 61, version: 2 })
    expect((await t.put('pro', { ttl: 62 }, { 'if-match': '"2"' })).status).toBe(200)
  })

  test('with If-Match: one succeeds', async () => {
    const limits = [11, 12, 13, 14]
    const replies = await Promise.all(
      limits.map((domain_limit) => t.put('pro', { domain_limit }, { 'if-match': '"1"' })),
    )
    const codes = replies.map(({ status }) => status)
    expect(codes.toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412])
    const winner = replies.find(({ status }) => status === 200)?.json<AdminPlan>()
    expect((await get('pro')).json()).toEqual(winner)
  })

  test('without it: each keeps the other’s change', async () => {
    await Promise.all([t.put('pro', { ttl: 61 }), t.put('pro', { domain_limit: 11 })])
    expect((await get('pro')).json()).toMatchObject({ ttl: 61, domain_limit: 11, version: 3 })
  })
})

describe('refusals', () => {
  test.each([{ domain_limit: 1 }, { ttl: 60 }, { abilities: ['api_keys'] }, {}])(
    'the plan disabled cannot be changed: %j',
    async (change) => {
      expect(problemOf(await t.put('disabled', change))).toMatchObject({
        code: 'conflict',
        detail: expect.stringContaining('disabled'),
      })
      expect((await get('disabled')).json()).toMatchObject({ domain_limit: 0, version: 1 })
    },
  )

  test.each([
    ['domain_limit', -1],
    ['domain_limit', 10_001],
    ['domain_limit', 1.5],
    ['domain_limit', '5'],
    ['domain_limit', null],
    ['ttl', 0],
    ['ttl', 604_801],
    ['ttl', 1e300],
    ['stealth_flag_limit', -1],
    ['stealth_flag_limit', 10_001],
    ['monitor_interval', 9],
    ['monitor_interval', 3_601],
    ['record_limit', -1],
    ['record_limit', 10_001],
    ['abilities', 'wildcard'],
    ['abilities', null],
    ['abilities', ['wildcard', 'wildcard']],
    ['abilities.0', ['king']],
    ['price_month_cents', 1],
    ['price_year_cents', null],
    ['currency', 'EUR'],
    ['id', 'free'],
    ['version', 1],
    ['account_type', 'admin'],
  ])('%s: %j', async (field, value) => {
    const problem = problemOf(await t.put('pro', { [field.replace('.0', '')]: value }))
    expect(problem).toMatchObject({ status: 422, errors: [{ field }] })
    expect((await get('pro')).json()).toMatchObject({ version: 1 })
  })

  test.each(['[]', '"x"', 'null', '{"ttl":60'])('the body %s', async (body) => {
    expect([400, 422]).toContain((await t.put('pro', body)).status)
    expect(await jobs()).toEqual([])
  })

  test.each(['king', '1', 'Free'])('the plan %s does not exist', async (plan) => {
    expect(problemOf(await get(plan))).toMatchObject({ status: 422, errors: [{ field: 'id' }] })
  })
})

describe('access', () => {
  const calls = [
    ['GET', '/api/admin/plans/pro', undefined],
    ['PUT', '/api/admin/plans/pro', { ttl: 61 }],
    ['POST', '/api/admin/plans/pro/preview', { ttl: 61 }],
  ] as const

  test.each(calls)('%s %s: only administrators with a session', async (method, url, body) => {
    const ask = (headers: Readonly<Record<string, string>>) =>
      call(t.adminWorld.world.app, method, url, { headers, body })
    expect(problemOf(await ask({})).code).toBe('unauthenticated')
    expect(problemOf(await ask(t.adminWorld.ada.headers)).code).toBe('forbidden')
    const made = await call(t.adminWorld.world.app, 'POST', '/api/api-keys', {
      headers: t.adminWorld.admin.headers,
      body: { name: `all${t.adminWorld.people}` },
    })
    const byKey = await ask({ authorization: `Bearer ${made.json<CreatedApiKey>().key}` })
    expect(problemOf(byKey).code).toBe('forbidden')
    expect((await get('pro')).json()).toMatchObject({ version: 1 })
  })

  test('not from another site', async () => {
    const token = t.adminWorld.admin.headers['authorization']?.replace('Bearer ', '')
    const reply = await call(t.adminWorld.world.app, 'PUT', '/api/admin/plans/pro', {
      headers: { cookie: `homing_session=${token}`, origin: 'https://elsewhere.example' },
      body: { ttl: 61 },
    })
    expect(problemOf(reply).code).toBe('cross-site')
  })

  test('a change requires a fresh proof, reading does not', async () => {
    const headers = await t.adminWorld.world.signIn(t.adminWorld.admin.id)
    await query(
      t.knex,
      `update sessions set confirmed_at = now() - interval '1 hour' where id = (select max(id) from sessions)`,
    )
    expect(problemOf(await t.put('pro', { ttl: 61 }, headers)).code).toBe('step-up-required')
    const preview = await call(t.adminWorld.world.app, 'POST', '/api/admin/plans/pro/preview', {
      headers,
      body: { ttl: 61 },
    })
    expect(preview.status).toBe(200)
    expect((await get('pro')).json()).toMatchObject({ version: 1 })
  })
})
