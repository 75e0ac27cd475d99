import type { MaintenanceWindow } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import { problemOf } from '../../../test/support/calls.ts'
import { useUptimeWorld } from '../../../test/support/uptime-world.ts'
import { settleMaintenance } from '../../monitoring/store/maintenance.ts'
import { settleAllMonitors } from '../../monitoring/store/run-monitors.ts'

const t = useUptimeWorld()
const HOUR_MS = 3_600_000
const at = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()

const announce = (window: object) => t.about('POST', '/maintenance', window)
const list = async () => (await t.about('GET', '/maintenance')).json<MaintenanceWindow[]>()

test('a window is announced, listed and deleted', async () => {
  const window = { starts_at: at(2), ends_at: at(3), note: ' Backup ' }
  const reply = await announce(window)
  expect(reply.status).toBe(201)
  const made = reply.json<MaintenanceWindow>()
  expect(made).toEqual({
    id: expect.any(String),
    ...window,
    note: 'Backup',
    repeats: 'never',
    time_zone: 'UTC',
    next_starts_at: window.starts_at,
  })
  const later = (
    await announce({
      starts_at: at(1),
      ends_at: at(2),
      repeats: 'daily',
      time_zone: 'Europe/Vienna',
    })
  ).json<MaintenanceWindow>()
  expect((await list()).map(({ id }) => id)).toEqual([later.id, made.id])
  expect((await t.about('DELETE', `/maintenance/${made.id}`)).status).toBe(204)
  expect(problemOf(await t.about('DELETE', `/maintenance/${made.id}`)).code).toBe('not-found')
  expect(await list()).toHaveLength(1)
})

test('a monitor comes back with its deleted domain, with its heartbeat URL and windows', async () => {
  await t.turn(true)
  const change = { kind: 'tcp', port: 22, body_text: null, notifies_up: false, confirmations: 3 }
  await t.put(change)
  const digest = `\\x${'ab'.repeat(32)}`
  await t.sql('update monitors set heartbeat_token_hash = ? where domain_id = ?', digest, t.id)
  await announce({ starts_at: at(2), ends_at: at(3), note: 'Backup', repeats: 'daily' })
  const [before, windows] = [await t.read(), await list()]
  expect((await t.as('DELETE', `/api/domains/${t.id}`)).status).toBe(204)
  expect((await t.as('POST', `/api/domains/${t.id}/restore`)).status).toBe(200)
  await settleAllMonitors(t.world.knex)
  const { state_since: _, version: _version, ...settings } = before
  expect(await t.read()).toMatchObject({ ...settings, state: 'pending' })
  expect((await list()).map(({ id: _id, ...window }) => window)).toEqual(
    windows.map(({ id: _id, ...window }) => window),
  )
  const found = await t.sql(
    'select heartbeat_token_hash = ?::bytea as same from monitors where domain_id = ?',
    digest,
    t.id,
  )
  expect(found).toEqual([{ same: true }])
})

test('a window that begins now stops the checks, and its deletion lets them go on', async () => {
  await t.turn(true)
  await t.about('PUT', '', { kind: 'https' })
  const { id } = (await announce({ starts_at: at(0), ends_at: at(1) })).json<MaintenanceWindow>()
  await settleMaintenance(t.world.knex)
  expect(await t.read()).toMatchObject({ state: 'maintenance' })
  await t.about('DELETE', `/maintenance/${id}`)
  await settleMaintenance(t.world.knex)
  expect(await t.sql('select from monitor_schedule where due_at is not null')).toHaveLength(1)
})

describe('refusals', () => {
  test.each([
    [{ starts_at: at(-1), ends_at: at(1) }, 'starts_at'],
    [{ starts_at: at(2), ends_at: at(1) }, 'ends_at'],
    [{ starts_at: at(1), ends_at: at(1 + 7 * 24 + 1) }, 'ends_at'],
    [{ starts_at: at(1), ends_at: at(2), time_zone: 'Mars/Olympus' }, 'time_zone'],
    [{ starts_at: at(1), ends_at: at(2), repeats: 'hourly' }, 'repeats'],
    [{ starts_at: at(1), ends_at: at(2), note: 'a\nb' }, 'note'],
    [{ starts_at: 'now', ends_at: at(2) }, 'starts_at'],
    [{ ends_at: at(2) }, 'starts_at'],
  ])('%j', async (window, field) => {
    expect(problemOf(await announce(window))).toMatchObject({ status: 422, errors: [{ field }] })
    expect(await list()).toEqual([])
  })

  test('a domain has 20 windows; those that are over do not count, and 20 of them are kept', async () => {
    for (let n = 0; n < 20; n += 1) await announce({ starts_at: at(1), ends_at: at(2) })
    expect(problemOf(await announce({ starts_at: at(1), ends_at: at(2) }))).toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('20 maintenance windows'),
    })
    await t.sql('update maintenance_windows set next_starts_at = null, next_ends_at = null')
    for (let n = 0; n < 3; n += 1) {
      expect((await announce({ starts_at: at(1), ends_at: at(2) })).status).toBe(201)
    }
    expect(await list()).toHaveLength(23)
    await t.sql('update maintenance_windows set next_starts_at = null, next_ends_at = null')
    await announce({ starts_at: at(1), ends_at: at(2) })
    expect(await list()).toHaveLength(21)
  })

  test('of a plan without monitors', async () => {
    await t.sql(`update users set account_type = 'free' where id = ?`, t.ada.id)
    expect(problemOf(await announce({ starts_at: at(1), ends_at: at(2) })).code).toBe(
      'plan-required',
    )
  })
})
