/** The mails that owners requested: when they are sent, to whom, and that each is sent once. */
import type { NotificationChange, NotificationSettings } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import type { Caller } from '../../../test/support/api-world.ts'
import { problemOf } from '../../../test/support/calls.ts'
import { insertDomain } from '../../../test/support/feed-world.ts'
import { query } from '../../database/sql.ts'
import { notifyChangedAddresses } from './changed-addresses.ts'
import { expireUpdateCalls } from '../expire-update-calls.ts'
import { notifySilentDomains } from './silent-domains.ts'
import { DAY_MS, HOUR_MS, useNoticeWorld } from './test-support.ts'

const { t, sql, pass, ago, wish, mailsOf } = useNoticeWorld()

describe('the settings', () => {
  const read = async (who: Caller = t.ada) =>
    (await t.as(who.headers, 'GET', '/api/me/notifications')).json<NotificationSettings>()

  test('are those of the caller, and a change keeps omitted ones', async () => {
    const first = { address_changed: false, not_updated_days: null, key_expiring: true }
    expect(await read()).toEqual(first)
    const reply = await wish({ not_updated_days: 30 })
    expect(reply.json()).toEqual({ ...first, not_updated_days: 30 })
    await wish({ key_expiring: false, address_changed: true })
    expect(await read()).toEqual({
      address_changed: true,
      not_updated_days: 30,
      key_expiring: false,
    })
    await wish({ not_updated_days: null })
    expect(await read()).toMatchObject({ not_updated_days: null, address_changed: true })
    expect(await read(t.bob)).toEqual(first)
  })

  test.each([
    { not_updated_days: 0 },
    { not_updated_days: 91 },
    { key_expiring: null },
    { address_changed: 'yes' },
    { security: false },
  ])('%j is refused', async (change) => {
    const [field] = Object.keys(change)
    const reply = await wish(change as NotificationChange)
    expect(problemOf(reply)).toMatchObject({ status: 422, errors: [{ field }] })
  })
})

/** A domain of Ada's whose last update was some time ago. */
async function domain(label: string, age = 0, ipv4 = '203.0.113.1') {
  const fqdn = `${label}${t.people}.homing.test`
  const { id } = await insertDomain(t.world.knex, { userId: t.ada.id, fqdn, ipv4 })
  await sql(
    'update domains set created_at = ?, last_update_at = ? where id = ?',
    ago(age),
    ago(age),
    id,
  )
  return { id, fqdn }
}

describe('domains without updates', () => {
  /** An update call of an hour ago. */
  async function call(fqdn: string, answer: string) {
    const from = { sourceIp: '198.51.100.7', client: 'ddclient', path: '/nic/update', said: '' }
    const { callLog } = t.world.services
    callLog.record({
      ...from,
      fqdn,
      answer,
      isOwners: true,
      at: ago(HOUR_MS),
      dialect: 'dyndns2',
      hint: null,
    })
    await callLog.flush()
  }
  const updateAt = (id: string, at: Date) =>
    sql('update domains set last_update_at = ? where id = ?', at, id)

  test('cause one mail for each silence', async () => {
    await wish({ not_updated_days: 3 })
    const one = await domain('one', 3 * DAY_MS - HOUR_MS)
    const two = await domain('two', 9 * DAY_MS)
    const [first, more] = await mailsOf(notifySilentDomains)
    expect(first).toContain(`No update for ${two.fqdn}`)
    expect(first).toContain('This domain got no update for 3 days or longer:')
    expect(first).toContain(`${two.fqdn}: the last update was at `)
    expect(more).toBeUndefined()
    pass(HOUR_MS)
    expect(await mailsOf(notifySilentDomains)).toEqual([expect.stringContaining(one.fqdn)])
    expect(await mailsOf(notifySilentDomains)).toEqual([])
    for (const { id } of [one, two]) await updateAt(id, ago(0))
    pass(3 * DAY_MS)
    expect(await mailsOf(notifySilentDomains)).toEqual([
      expect.stringContaining('No update for 2 domains'),
    ])
  })

  test('also without any update; an update without a change counts, a refused one does not', async () => {
    await wish({ not_updated_days: 3 })
    const fresh = await domain('fresh', 4 * DAY_MS)
    await sql('update domains set last_update_at = null where id = ?', fresh.id)
    const same = await domain('same', 4 * DAY_MS)
    const wrong = await domain('wrong', 4 * DAY_MS)
    await call(same.fqdn, 'nochg 203.0.113.1')
    await call(wrong.fqdn, 'dnserr')
    const [mail] = await mailsOf(notifySilentDomains)
    expect(mail).toContain(`${fresh.fqdn}: it was registered at `)
    expect(mail).toContain(wrong.fqdn)
    expect(mail).not.toContain(same.fqdn)
  })

  test('got an update although its call is deleted or overwritten', async () => {
    await wish({ not_updated_days: 60 })
    const { fqdn } = await domain('steady', 100 * DAY_MS)
    await call(fqdn, 'nochg 203.0.113.1')
    for (let n = 0; n < 60; n += 1) await call(fqdn, `dnserr ${n}`)
    pass(40 * DAY_MS)
    await expireUpdateCalls(t.world.knex, t.clock)
    expect(await mailsOf(notifySilentDomains)).toEqual([])
    pass(20 * DAY_MS)
    expect(await mailsOf(notifySilentDomains)).toHaveLength(1)
    pass(10 * DAY_MS)
    expect(await mailsOf(notifySilentDomains)).toEqual([])
  })

  test('got an update when their owner sets the address that they have', async () => {
    await wish({ not_updated_days: 3 })
    const { id } = await domain('same', 4 * DAY_MS)
    const change = { record_ipv4: '203.0.113.1' }
    const reply = await t.as(t.ada.headers, 'PUT', `/api/domains/${id}`, change)
    expect(reply.status).toBe(200)
    await t.world.services.callLog.flush()
    expect(await mailsOf(notifySilentDomains)).toEqual([])
  })

  test('cause no mail to owners who did not request it, or are blocked', async () => {
    await domain('quiet', 50 * DAY_MS)
    expect(await mailsOf(notifySilentDomains)).toEqual([])
    await wish({ not_updated_days: 3 })
    await sql('update users set enabled = false where id = ?', t.ada.id)
    expect(await mailsOf(notifySilentDomains)).toEqual([])
  })
})

describe('changed addresses', () => {
  const move = (id: string, ipv4: string) =>
    sql('update domains set record_ipv4 = ? where id = ?', ipv4, id)

  test('are reported once, with the addresses before, from the time of the request', async () => {
    const { id, fqdn } = await domain('home')
    await move(id, '203.0.113.2')
    await wish({ address_changed: true })
    expect(await mailsOf(notifyChangedAddresses)).toEqual([])
    await move(id, '203.0.113.3')
    const [mail] = await mailsOf(notifyChangedAddresses)
    expect(mail).toContain(`Homing: The address of ${fqdn} changed`)
    expect(mail).toContain(`${fqdn}: 203.0.113.3. Before: 203.0.113.2.`)
    expect(await mailsOf(notifyChangedAddresses)).toEqual([])
  })

  test('of a domain are reported once an hour, and not when they changed back', async () => {
    const { id } = await domain('home')
    await wish({ address_changed: true })
    await move(id, '203.0.113.2')
    expect(await mailsOf(notifyChangedAddresses)).toHaveLength(1)
    await move(id, '203.0.113.3')
    pass(HOUR_MS - 1)
    expect(await mailsOf(notifyChangedAddresses)).toEqual([])
    pass(1)
    expect(await mailsOf(notifyChangedAddresses)).toHaveLength(1)
    await move(id, '203.0.113.9')
    await move(id, '203.0.113.3')
    pass(HOUR_MS)
    expect(await mailsOf(notifyChangedAddresses)).toEqual([])
  })

  test('of many domains are in one mail, and a new domain is not a change', async () => {
    await wish({ address_changed: true })
    const made = [await domain('one'), await domain('two')]
    expect(await mailsOf(notifyChangedAddresses)).toEqual([])
    for (const { id } of made) await move(id, '203.0.113.2')
    const mails = await mailsOf(notifyChangedAddresses)
    expect(mails).toEqual([expect.stringContaining('The addresses of 2 domains changed')])
    await sql('update domains set record_ipv4 = null where id = ?', made[0]?.id ?? '')
    pass(HOUR_MS)
    const [withdrawn] = await mailsOf(notifyChangedAddresses)
    expect(withdrawn).toContain('no address. Before: 203.0.113.2.')
  })

  test('from before the request are not reported later', async () => {
    const { id } = await domain('home')
    await wish({ address_changed: true })
    await wish({ address_changed: false })
    await move(id, '203.0.113.2')
    pass(HOUR_MS)
    expect(await mailsOf(notifyChangedAddresses)).toEqual([])
    await wish({ address_changed: true })
    expect(await mailsOf(notifyChangedAddresses)).toEqual([])
  })
})

test('two concurrent workers send one mail', async () => {
  await wish({ address_changed: true })
  const { id } = await domain('home')
  await notifyChangedAddresses(t.world.services)
  await sql(`update domains set record_ipv4 = '203.0.113.2' where id = ?`, id)
  const counts = await Promise.all([1, 2, 3].map(() => notifyChangedAddresses(t.world.services)))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1)
})

test('a worker leaves a kind to the worker that sends it, and sends the others', async () => {
  await wish({ not_updated_days: 3 })
  await domain('quiet', 4 * DAY_MS)
  await t.world.knex.transaction(async (trx) => {
    await query(trx, 'select pg_advisory_xact_lock(7204614)', [])
    expect(await notifyChangedAddresses(t.world.services)).toBe(0)
    expect(await notifySilentDomains(t.world.services)).toBe(1)
  })
})
