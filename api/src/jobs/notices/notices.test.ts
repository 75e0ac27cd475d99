/** The mails that owners requested: when they are sent, to whom, and that each is sent once. */
import type { NotificationChange, NotificationSettings } from '@homing/openapi'
import { beforeEach, describe, expect, test } from 'vitest'
import { useAccountWorld } from '../../../test/support/account-world.ts'
import type { Caller } from '../../../test/support/api-world.ts'
import { problemOf } from '../../../test/support/calls.ts'
import { insertDomain } from '../../../test/support/feed-world.ts'
import { runJobs } from '../../../test/support/mail.ts'
import { query, type SqlValue } from '../../database/sql.ts'
import { notifyChangedAddresses } from './changed-addresses.ts'
import { expireUpdateCalls } from '../expire-update-calls.ts'
import { notifyExpiringKeys } from './expiring-keys.ts'
import { notifySilentDomains } from './silent-domains.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const t = useAccountWorld()

const sql = (text: string, ...bindings: SqlValue[]) => query(t.world.knex, text, bindings)
const pass = (ms: number) => (t.clock = new Date(t.clock.getTime() + ms))
const ago = (ms: number) => new Date(t.clock.getTime() - ms)
const wish = (change: NotificationChange, who: Caller = t.ada) =>
  t.as(who.headers, 'PUT', '/api/me/notifications', change)

/** Subjects and texts of the mails that a job sends. */
async function mailsOf(job: typeof notifyExpiringKeys): Promise<string[]> {
  t.mailer.sent.length = 0
  const count = await job(t.world.services)
  await runJobs(t.world.services, t.mailer)
  expect(t.mailer.sent).toHaveLength(count)
  return t.mailer.sent.map(({ to, subject, text }) =>
    `${to} ${subject} ${text}`.replaceAll(/\s+/g, ' '),
  )
}

beforeEach(async () => {
  await sql('delete from domains')
  await sql('delete from api_keys')
})

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

describe('keys that expire', () => {
  const insertKey = (name: string, columns: Record<string, SqlValue>) => {
    const names = Object.keys(columns)
    return sql(
      `insert into api_keys (user_id, name, prefix, secret_digest, ${names.join(', ')})
       values (?, ?, 'ak_1234567', uuid_send(gen_random_uuid()), ${names.map(() => '?').join(', ')})`,
      t.ada.id,
      name,
      ...Object.values(columns),
    )
  }
  const key = (name: string, age: number, end: number) =>
    insertKey(name, { created_at: ago(age), expires_at: ago(-end) })

  test('are notified of seven days before, once, and again when the expiry changes', async () => {
    await key('pipeline', 30 * DAY_MS, 8 * DAY_MS)
    expect(await mailsOf(notifyExpiringKeys)).toEqual([])
    pass(DAY_MS)
    const [mail] = await mailsOf(notifyExpiringKeys)
    expect(mail).toContain(`${t.ada.username}@mail.test Homing: An API key expires soon`)
    expect(mail).toContain('“pipeline” (ak_1234567…) expires at ')
    expect(await mailsOf(notifyExpiringKeys)).toEqual([])
    await sql(`update api_keys set expires_at = expires_at + interval '1 day'`)
    expect(await mailsOf(notifyExpiringKeys)).toEqual([])
    pass(DAY_MS)
    expect(await mailsOf(notifyExpiringKeys)).toHaveLength(1)
  })

  test('with a short lifetime are notified of at half of it, and those without an expiry never', async () => {
    await key('short', 0, 4 * DAY_MS)
    await insertKey('for ever', { created_at: ago(DAY_MS) })
    expect(await mailsOf(notifyExpiringKeys)).toEqual([])
    pass(2 * DAY_MS)
    const [mail, another] = await mailsOf(notifyExpiringKeys)
    expect([mail, another]).toEqual([expect.stringContaining('“short”'), undefined])
  })

  test('that are used are not notified of, and unused ones are', async () => {
    await insertKey('used', { unused_days: 5, unused_expires_at: ago(-5 * DAY_MS) })
    await insertKey('unused', { unused_days: 90, unused_expires_at: ago(-7 * DAY_MS) })
    const [mail] = await mailsOf(notifyExpiringKeys)
    expect(mail).toContain('An API key expires soon')
    expect(mail).toContain('“unused”')
  })

  test('that have two ends are notified of once for each: use moves the one, and the other stays', async () => {
    await insertKey('both', {
      created_at: ago(30 * DAY_MS),
      expires_at: ago(-6 * DAY_MS),
      unused_days: 1,
      unused_expires_at: ago(-DAY_MS),
    })
    const use = () =>
      sql('update api_keys set unused_expires_at = ?', new Date(t.clock.getTime() + DAY_MS))
    const [mail] = await mailsOf(notifyExpiringKeys)
    expect(mail).not.toContain('unless it is used')
    for (let hour = 0; hour < 24; hour += 1) {
      pass(HOUR_MS)
      await use()
      expect(await mailsOf(notifyExpiringKeys)).toEqual([])
    }
    pass(DAY_MS / 2)
    expect(await mailsOf(notifyExpiringKeys)).toEqual([
      expect.stringContaining('unless it is used before'),
    ])
    expect(await mailsOf(notifyExpiringKeys)).toEqual([])
    await use()
    expect(await mailsOf(notifyExpiringKeys)).toEqual([])
  })

  test('are all notified of, in batches', async () => {
    await sql(
      `insert into api_keys (user_id, name, prefix, secret_digest, created_at, expires_at)
       select ?, 'k', 'ak', uuid_send(gen_random_uuid()), ?, ? from generate_series(1, 501)`,
      t.ada.id,
      ago(30 * DAY_MS),
      ago(-DAY_MS),
    )
    const [first, second, ...more] = await mailsOf(notifyExpiringKeys)
    expect(first).toContain('500 API keys expire soon')
    expect(second).toContain('An API key expires soon')
    expect(more).toEqual([])
  })

  test('of one account are in one mail', async () => {
    await key('one', 30 * DAY_MS, DAY_MS)
    await key('two', 30 * DAY_MS, 2 * DAY_MS)
    const mails = await mailsOf(notifyExpiringKeys)
    expect(mails).toEqual([expect.stringMatching(/2 API keys expire soon .*“one”.*“two”/)])
  })

  test.each([
    ['has expired', `update api_keys set expires_at = now() - interval '1 hour' where user_id = ?`],
    ['is a former secret', 'update api_keys set replaced_by = id where user_id = ?'],
    ['is not notified of', 'update users set notify_key_expiring = false where id = ?'],
    ['is of a banned account', 'update users set enabled = false where id = ?'],
    ['has no plan for keys', `update users set account_type = 'free' where id = ?`],
    ['goes with its account', 'update users set deletion_due_at = now() where id = ?'],
    ['has no verified address', 'update users set email_verified_at = null where id = ?'],
  ])('no mail is sent about a key that %s', async (_, change) => {
    await key('pipeline', 30 * DAY_MS, 3 * DAY_MS)
    await sql(change, t.ada.id)
    expect(await mailsOf(notifyExpiringKeys)).toEqual([])
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

  test('are notified of once for each silence, in one mail', async () => {
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

  test('are not notified of to those who did not ask, or are blocked', async () => {
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
    expect(mail).toContain(`Homing: ${fqdn} has another address`)
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
    expect(mails).toEqual([expect.stringContaining('2 domains have other addresses')])
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
