/** The notices about update clients: refused calls, calls that stopped, and the first steps of a new account. */
import type { Notice } from '@homing/openapi'
import { beforeEach, expect, test } from 'vitest'
import { useAccountWorld } from '../../../test/support/account-world.ts'
import { insertDomain } from '../../../test/support/feed-world.ts'
import { query, type SqlValue } from '../../database/sql.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const t = useAccountWorld()

const sql = (text: string, ...bindings: SqlValue[]) => query(t.world.knex, text, bindings)
const pass = (ms: number) => (t.clock = new Date(t.clock.getTime() + ms))
const ago = (ms: number) => new Date(t.clock.getTime() - ms)
const setAge = (ms: number) =>
  sql('update users set created_at = ? where id = ?', ago(ms), t.ada.id)

async function noticesOf(): Promise<Notice[]> {
  const reply = await t.as(t.ada.headers, 'GET', '/api/me/notices')
  expect(reply.status).toBe(200)
  return reply.json()
}
const kindsOf = async () => (await noticesOf()).map(({ kind }) => kind)
const noticeOf = async (kind: Notice['kind']) =>
  (await noticesOf()).find((notice) => notice.kind === kind)

async function domain(label: string, lastUpdateAt: Date | null): Promise<string> {
  const fqdn = `${label}${t.people}.homing.test`
  const { id } = await insertDomain(t.world.knex, { userId: t.ada.id, fqdn, ipv4: '192.0.2.1' })
  await sql('update domains set last_update_at = ? where id = ?', lastUpdateAt, id)
  return id
}

beforeEach(() => setAge(60 * DAY_MS))

/** Adds a call to the log. @param place also its number; the highest is the newest */
const call = (id: string, place: number, at: Date, answer = 'good 192.0.2.1') =>
  sql(
    `insert into update_calls (domain_id, is_refused, place, number, times, first_at, last_at, dialect, path, said, answer)
     values (?, ?, ?, ?, 1, ?, ?, 'dyndns2', '/nic/update', '', ?)`,
    id,
    answer === 'badauth',
    place,
    place,
    at,
    at,
    answer,
  )
const ring = (id: string, refused: number, acceptedAt: Date | null) =>
  sql(
    `insert into update_call_rings (domain_id, refused, accepted_at) values (?, ?, ?)
     on conflict (domain_id) do update set refused = excluded.refused, accepted_at = excluded.accepted_at`,
    id,
    refused,
    acceptedAt,
  )

test('updates that were refused lead to the settings of the domain, until one is accepted', async () => {
  const id = await domain('home', ago(3 * HOUR_MS))
  await call(id, 1, ago(2 * HOUR_MS), 'badauth')
  await ring(id, 1, ago(3 * HOUR_MS))
  expect(await noticeOf('updates-refused')).toMatchObject({
    title: `An update of home${t.people}.homing.test was refused`,
    action: { label: 'How to Update', url: `/#dashboard?dialog=how-to&id=${id}` },
  })
  await ring(id, 1, ago(HOUR_MS))
  expect(await kindsOf()).toEqual([])
  await ring(id, 1, null)
  pass(DAY_MS)
  expect(await kindsOf()).toEqual([])
})

test('updates that stopped for five times their usual gap are missed, those of other domains are not', async () => {
  const hourly = await domain('hourly', ago(40 * HOUR_MS))
  const daily = await domain('daily', ago(40 * HOUR_MS))
  await domain('by-hand', ago(40 * DAY_MS))
  for (let n = 0; n < 5; n += 1) {
    await call(hourly, n, ago((44 - n) * HOUR_MS))
    await call(daily, n, ago(40 * HOUR_MS + (4 - n) * DAY_MS))
  }
  for (const id of [hourly, daily]) await ring(id, 0, ago(40 * HOUR_MS))
  const first = await noticeOf('updates-late')
  expect(first?.title).toBe(`hourly${t.people}.homing.test was not updated as usual`)
  pass(4 * DAY_MS)
  const second = await noticeOf('updates-late')
  expect(second?.title).toBe(
    `daily${t.people}.homing.test and hourly${t.people}.homing.test were not updated as usual`,
  )
  expect(second?.action.url).toBe('/#dashboard?sort=last_update_at')
  // Owners who chose a number of days get the notice about silence instead.
  await t.as(t.ada.headers, 'PUT', '/api/me/notifications', { not_updated_days: 3 })
  expect(await kindsOf()).toEqual(['domains-silent'])
})

test('updates that leave out one of two addresses lead to the settings of the domain', async () => {
  const id = await domain('home', ago(HOUR_MS))
  await call(id, 1, ago(4 * DAY_MS), 'good 192.0.2.1,2001:db8::1')
  await call(id, 2, ago(HOUR_MS), 'good 192.0.2.1')
  await ring(id, 0, ago(HOUR_MS))
  expect(await kindsOf()).toEqual([])
  await sql(`update domains set record_ipv6 = '2001:db8::1' where id = ?`, id)
  expect(await noticeOf('family-not-updated')).toMatchObject({
    title: `Only one address of home${t.people}.homing.test is updated`,
    action: { url: `/#dashboard?dialog=how-to&id=${id}` },
  })
  await call(id, 3, ago(0), 'nochg 192.0.2.1,2001:db8::1')
  expect(await kindsOf()).toEqual([])
})

test('the first steps are derived from the tables, and do not come back', async () => {
  await setAge(DAY_MS)
  const done = async () => (await noticeOf('first-steps'))?.steps?.map((step) => step.is_done)
  expect(await done()).toEqual([false, false, false])
  const id = await domain('home', null)
  expect(await done()).toEqual([true, false, false])
  expect((await noticeOf('first-steps'))?.action.url).toBe(`/#dashboard?dialog=how-to&id=${id}`)
  await sql('update domains set last_update_at = ? where id = ?', t.clock, id)
  expect(await done()).toEqual([true, false, true])
  await ring(id, 0, t.clock)
  expect(await kindsOf()).toEqual([])
  expect((await t.as(t.ada.headers, 'DELETE', `/api/domains/${id}`)).status).toBe(204)
  expect(await kindsOf()).toEqual([])
})

test('the first steps stay hidden after they were dismissed', async () => {
  await setAge(DAY_MS)
  const id = (await noticeOf('first-steps'))?.id ?? ''
  expect((await t.as(t.ada.headers, 'POST', `/api/me/notices/${id}/dismiss`)).status).toBe(204)
  await domain('home', null)
  expect(await kindsOf()).toEqual([])
})
