import type { Domain } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import { problemOf } from '../../../test/support/calls.ts'
import { claimAll, newRecorder, resultOf } from '../../../test/support/monitor-world.ts'
import { useUptimeWorld } from '../../../test/support/uptime-world.ts'
import { query } from '../../database/sql.ts'
import { recordResults } from '../../monitoring/store/record-results.ts'

const t = useUptimeWorld()

const domainOf = async () => (await t.as('GET', `/api/domains/${t.id}`)).json<Domain>()

describe('POST …/monitor', () => {
  test('answers at once, and the domain shows it', async () => {
    const never = { monitor_enabled: false, monitor_kind: null, monitor_state: null }
    expect(await domainOf()).toMatchObject(never)
    const before = await t.read()
    expect(before).toMatchObject({ state: 'off', is_enabled: false, version: 1 })
    const reply = await t.turn(true)
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
    expect((await t.turn(false)).json()).toMatchObject({ state: 'off', is_enabled: false })
    expect(await domainOf()).toMatchObject({ monitor_enabled: false, monitor_state: 'off' })
  })

  test('concurrent calls make one monitor', async () => {
    const replies = await Promise.all(Array.from({ length: 6 }, () => t.turn(true)))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect(await query(t.world.knex, 'select id from monitors')).toHaveLength(1)
  })

  test('turned off, it keeps its settings and its history', async () => {
    await t.turn(true)
    await t.put({ kind: 'tcp', port: 22 })
    await t.check('up')
    await t.check('down')
    await t.check('down')
    await t.turn(false)
    expect(await t.read()).toMatchObject({ kind: 'tcp', port: 22, state: 'off', is_enabled: false })
    expect((await t.about('GET', '/incidents')).json()).toHaveLength(1)
    expect((await t.turn(true)).json()).toMatchObject({ kind: 'tcp', port: 22, state: 'pending' })
  })

  test('an undecided one looks for what answers when it is turned on again', async () => {
    await t.turn(true)
    const { knex } = t.world
    const recorder = newRecorder()
    const [due] = await claimAll(knex, recorder)
    await recordResults(knex, recorder, [resultOf(due?.id ?? '', 'down', { found: null })])
    expect(await t.read()).toMatchObject({ state: 'undecided', kind: null })
    expect((await t.turn(true)).json()).toMatchObject({ state: 'pending' })
    const again = newRecorder()
    expect(await claimAll(knex, again)).toHaveLength(1)
    await recordResults(knex, again, [resultOf(due?.id ?? '', 'down', { found: null })])
    expect((await t.put({ kind: 'dns' })).json()).toMatchObject({ state: 'pending', kind: 'dns' })
  })

  test('a smaller plan: it stops, can be turned off, and not on', async () => {
    await t.turn(true)
    await t.setPlan('free')
    expect(problemOf(await t.put({ path: '/x' })).code).toBe('plan-required')
    expect((await t.turn(false)).status).toBe(200)
    expect(problemOf(await t.turn(true))).toMatchObject({
      status: 403,
      code: 'plan-required',
      detail: expect.stringContaining('Uptime monitoring'),
    })
    expect(await t.read()).toMatchObject({ min_interval_seconds: null, is_enabled: false })
  })

  test('a locked domain: nothing about its monitor changes', async () => {
    await t.turn(true)
    await query(t.world.knex, 'update domains set locked = true where id = ?', [t.id])
    const calls = [
      await t.turn(false),
      await t.put({ path: '/x' }),
      await t.about('POST', '/heartbeat-token'),
      await t.about('POST', '/test-notification'),
    ]
    expect(calls.map((reply) => problemOf(reply).code)).toEqual(calls.map(() => 'domain-locked'))
    expect(await t.read()).toMatchObject({ is_enabled: true, path: '/' })
  })

  test('a paused domain: the monitor waits', async () => {
    await query(t.world.knex, 'update domains set paused = true where id = ?', [t.id])
    const waiting = { state: 'stopped', stopped_by: 'withheld', is_enabled: true }
    expect((await t.turn(true)).json()).toMatchObject(waiting)
  })

  test('a wildcard has none of its own', async () => {
    const made = await t.as('POST', '/api/domains/wildcard', { base_fqdn: t.host })
    const url = `/api/uptime/domain/${made.json<Domain>().id}/monitor`
    const reply = await t.as('POST', url, { enable: true })
    expect(problemOf(reply)).toMatchObject({
      status: 409,
      code: 'conflict',
      detail: expect.stringContaining(`Monitor ${t.host} instead`),
    })
  })
})

describe('PUT …', () => {
  test('keeps omitted settings, and works before the monitor is turned on', async () => {
    const reply = await t.put({
      kind: 'https',
      path: '/health?full=1',
      expected_status: '200, 204',
    })
    expect(reply.status).toBe(200)
    expect(reply.headers['etag']).toBe('"2"')
    expect(reply.json()).toMatchObject({
      state: 'off',
      kind: 'https',
      path: '/health?full=1',
      expected_status: '200,204',
      follows_redirects: true,
    })
    await t.put({ body_text: 'ok', certificate_warning_days: null })
    expect(await t.read()).toMatchObject({
      path: '/health?full=1',
      body_text: 'ok',
      certificate_warning_days: null,
      version: 3,
    })
  })

  test('a change without effect keeps the version; a stale If-Match changes nothing', async () => {
    await t.put({ path: '/a' })
    expect((await t.put({ path: '/a' })).headers['etag']).toBe('"2"')
    expect(problemOf(await t.put({ path: '/b' }, { 'if-match': '"1"' })).code).toBe(
      'version-mismatch',
    )
    expect((await t.put({ path: '/b' }, { 'if-match': '"2"' })).headers['etag']).toBe('"3"')
  })

  test('If-Match of a domain that was never monitored', async () => {
    expect(problemOf(await t.put({ path: '/a' }, { 'if-match': '"2"' })).code).toBe(
      'version-mismatch',
    )
    expect((await t.put({ path: '/a' }, { 'if-match': '"1"' })).status).toBe(200)
  })

  test('the interval of the plan is the shortest', async () => {
    const short = problemOf(await t.put({ interval_seconds: 59 }))
    expect(short).toMatchObject({
      status: 422,
      errors: [{ field: 'interval_seconds', message: expect.stringContaining('60 seconds') }],
    })
    await t.setPlan('elite')
    expect((await t.put({ interval_seconds: 30 })).json()).toMatchObject({
      interval_seconds: 30,
      min_interval_seconds: 30,
    })
    await t.setPlan('pro')
    expect((await t.put({ path: '/x' })).json()).toMatchObject({ interval_seconds: 60 })
  })

  test('other settings are checked at once', async () => {
    await t.turn(true)
    await t.put({ kind: 'https', interval_seconds: 3600 })
    await t.check('up')
    expect(await claimAll(t.world.knex, newRecorder())).toEqual([])
    await t.put({ notifies_up: false })
    expect(await claimAll(t.world.knex, newRecorder())).toEqual([])
    await t.put({ path: '/other' })
    expect(await claimAll(t.world.knex, newRecorder())).toHaveLength(1)
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
    expect(problemOf(await t.put(change))).toMatchObject({ status: 422, errors: [{ field }] })
    expect(await query(t.world.knex, 'select id from monitors')).toEqual([])
  })

  test('a setting that the kind does not use', async () => {
    expect(problemOf(await t.put({ kind: 'tcp', body_text: 'ok' }))).toMatchObject({
      status: 422,
      errors: [{ field: 'body_text', message: expect.stringContaining('https, http') }],
    })
  })
})
