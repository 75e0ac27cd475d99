import type { AdminMonitor, Monitor, MonitoringStatus } from '@homing/openapi'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../../test/support/api-world.ts'
import { insertDomain } from '../../../test/support/feed-world.ts'
import { problemOf } from '../../../test/support/calls.ts'
import { useUptimeWorld } from '../../../test/support/uptime-world.ts'
import { settleAllMonitors } from '../../monitoring/store/run-monitors.ts'

const t = useUptimeWorld()
let admin: Caller

beforeEach(async () => {
  admin = await t.world.person(`boss${t.people}`, 'admin')
  await t.sql('update monitoring set paused_at = null, pause_reason = null')
})

const get = (url: string) => t.as('GET', url, undefined, admin.headers)
const put = (url: string, body: object) => t.as('PUT', url, body, admin.headers)
const status = async () => (await get('/api/admin/monitoring')).json<MonitoringStatus>()

describe('GET /api/admin/monitors', () => {
  const list = async (filter: object, sort = '["id","ASC"]') => {
    const search = new URLSearchParams({ filter: JSON.stringify(filter), sort })
    return get(`/api/admin/monitors?${search.toString()}`)
  }

  test('has the owner, the state and the schedule, and can be filtered', async () => {
    await t.turn(true)
    await t.about('PUT', '', { kind: 'https' })
    const reply = await list({ user_id: t.ada.id })
    expect(reply.headers['content-range']).toBe('monitors 0-0/1')
    expect(reply.json<AdminMonitor[]>()).toEqual([
      {
        id: expect.any(String),
        domain_id: t.id,
        fqdn: t.host,
        user_id: t.ada.id,
        username: t.ada.username,
        kind: 'https',
        state: 'pending',
        state_since: expect.any(String),
        cause: null,
        interval_seconds: 60,
        last_check_at: null,
        due_at: expect.any(String),
        is_account_paused: false,
      },
    ])
    for (const filter of [
      { q: t.host.toUpperCase() },
      { q: t.ada.username },
      { kind: 'https' },
      { state: 'pending' },
      { domain_id: t.id },
    ]) {
      expect((await list(filter, '["due_at","DESC"]')).json()).toHaveLength(1)
    }
    for (const filter of [{ q: 'nothing' }, { kind: 'tcp' }, { state: 'down' }, { id: '999999' }]) {
      expect((await list(filter)).json()).toEqual([])
    }
    expect(problemOf(await list({ state: 'broken' })).status).toBe(422)
  })

  test('has the same monitors and the same total in each order', async () => {
    for (const label of ['one', 'two', 'three']) {
      const { id } = await insertDomain(t.world.knex, {
        userId: t.ada.id,
        fqdn: `${label}-${t.people}.homing.test`,
      })
      await t.sql(
        `insert into monitors (domain_id, user_id, kind, interval_seconds) values (${id}, ${t.ada.id}, 'https', 60)`,
      )
    }
    const page = async (sort: string) => {
      const filter = JSON.stringify({ user_id: t.ada.id, q: `-${t.people}.HOMING` })
      const search = new URLSearchParams({ filter, sort, range: '[0,1]' })
      const reply = await get(`/api/admin/monitors?${search.toString()}`)
      const labels = reply.json<AdminMonitor[]>().map(({ fqdn }) => fqdn.split('-')[0])
      return [reply.headers['content-range'], ...labels]
    }
    expect(await page('["id","DESC"]')).toEqual(['monitors 0-1/3', 'three', 'two'])
    expect(await page('["fqdn","ASC"]')).toEqual(['monitors 0-1/3', 'one', 'three'])
    expect(await page('["fqdn","DESC"]')).toEqual(['monitors 0-1/3', 'two', 'three'])
    expect(await page('["due_at","ASC"]')).toEqual(['monitors 0-1/3', 'one', 'two'])
  })
})

describe('pauses', () => {
  test('of one account: its owner reads why', async () => {
    await t.turn(true)
    const url = `/api/admin/users/${t.ada.id}/monitoring`
    const pause = { is_paused: true, reason: 'The targets complained.' }
    expect((await put(url, pause)).json()).toEqual(pause)
    expect(await t.read()).toMatchObject({
      state: 'stopped',
      stopped_by: 'administrator',
      stop_reason: 'The targets complained.',
      is_enabled: true,
    })
    expect((await put(url, { is_paused: false })).json()).toEqual({ is_paused: false })
    expect(await t.read()).toMatchObject({ state: 'pending', stopped_by: null, stop_reason: null })
    expect(problemOf(await put('/api/admin/users/999999/monitoring', pause)).code).toBe('not-found')
  })

  test('of all accounts', async () => {
    await t.turn(true)
    const reply = await put('/api/admin/monitoring', { is_paused: true, reason: 'We move.' })
    expect(reply.json()).toMatchObject({ is_paused: true, reason: 'We move.' })
    const { paused_at } = await status()
    await put('/api/admin/monitoring', { is_paused: true, reason: 'We still move.' })
    expect(await status()).toMatchObject({ paused_at, reason: 'We still move.' })
    await settleAllMonitors(t.world.knex)
    expect(await t.read()).toMatchObject({
      stopped_by: 'administrator',
      stop_reason: 'We still move.',
    })
    await put('/api/admin/monitoring', { is_paused: false })
    await settleAllMonitors(t.world.knex)
    expect(await t.read()).toMatchObject({ state: 'pending' } satisfies Partial<Monitor>)
    expect(await status()).toMatchObject({ is_paused: false, reason: null, paused_at: null })
  })

  test.each([
    { is_paused: true },
    { is_paused: true, reason: ' ' },
    { is_paused: true, reason: 'a\nb' },
  ])('%j is refused', async (pause) => {
    const refused = { status: 422, errors: [{ field: 'reason' }] }
    expect(problemOf(await put('/api/admin/monitoring', pause))).toMatchObject(refused)
    expect(problemOf(await put(`/api/admin/users/${t.ada.id}/monitoring`, pause))).toMatchObject(
      refused,
    )
    expect(await status()).toMatchObject({ is_paused: false })
  })
})

test('the status: monitors by state, overdue checks, and the workers of the last minute', async () => {
  await t.turn(true)
  await t.sql(`update monitor_schedule set due_at = now() - interval '40 seconds'`)
  await t.sql(
    `insert into monitor_workers values ('new/1', now(), 120, 60, false), ('old/1', now() - interval '2 minutes', 1, 1, true)`,
  )
  const found = await status()
  expect(found).toMatchObject({ states: { pending: 1 }, overdue: 1 })
  expect(found.oldest_due_at).not.toBeNull()
  expect(found.workers).toEqual([
    {
      name: 'new/1',
      seen_at: expect.any(String),
      lag_ms: 120,
      checks_per_minute: 60,
      is_blind: false,
    },
  ])
})
