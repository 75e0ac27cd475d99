import { beforeEach, describe, expect, test } from 'vitest'
import { useAccountWorld } from '../../../test/support/account-world.ts'
import { type Caller, PASSWORD } from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import {
  NAMESERVERS,
  replay,
  tableState,
  toldSets,
  zoneId,
} from '../../../test/support/feed-world.ts'
import { untilSomebodyWaits } from '../../../test/support/lock-waits.ts'
import { runJobs } from '../../../test/support/mail.ts'
import { query } from '../../database/sql.ts'
import { removeDueAccounts } from './remove-accounts.ts'

const DAY_MS = 86_400_000
const t = useAccountWorld()
let host: string

beforeEach(async () => {
  host = `home${t.people}.homing.test`
  await add(t.ada, host)
  await query(t.world.knex, 'update users set deletion_due_at = null')
})

async function add({ headers }: Caller, fqdn: string): Promise<number> {
  const body = { fqdn, record_ip: '198.51.100.7' }
  return (await call(t.world.app, 'POST', '/api/domains', { headers, body })).status
}
const remove = (fields: object = {}, headers: Caller['headers'] = t.ada.headers) =>
  call(t.world.app, 'POST', '/api/delete-account', {
    headers,
    body: { password: PASSWORD, ...fields },
  })
const login = () =>
  call(t.world.app, 'POST', '/api/login', {
    body: { username_or_email: t.ada.username, password: PASSWORD },
  })
const daysLater = (days: number) => (t.clock = new Date(t.clock.getTime() + days * DAY_MS))
const due = () => removeDueAccounts({ knex: t.world.knex, nameservers: NAMESERVERS }, t.clock)

/** Whether the feed publishes a name. */
async function isServed(fqdn: string): Promise<boolean> {
  const zone = await zoneId(t.world.knex)
  const names = replay(await toldSets(t.world.knex, zone))
  const inTables = Object.hasOwn(await tableState(t.world.knex, zone), fqdn)
  expect(Object.hasOwn(names, fqdn)).toBe(inTables)
  return inTables
}

/** Tables with rows of the account. */
async function heldIn(userId: string): Promise<string[]> {
  const tables = [
    'sessions',
    'login_history',
    'known_networks',
    'api_keys',
    'mail_links',
    'domains',
  ]
  const held: string[] = []
  for (const table of [...tables, 'name_reservations']) {
    const rows = await query(t.world.knex, `select 1 from ${table} where user_id = ? limit 1`, [
      userId,
    ])
    if (rows.length > 0) held.push(table)
  }
  return held
}

test('the account is deleted after 14 days, with its names and all data about its owner', async () => {
  await login()
  const wildcard = { base_fqdn: host, rrtype: 'A', record_ip: '198.51.100.7' }
  const { headers } = t.ada
  expect(
    (await call(t.world.app, 'POST', '/api/domains/wildcard', { headers, body: wildcard })).status,
  ).toBe(201)
  await call(t.world.app, 'POST', '/api/api-keys', { headers, body: { name: 'all' } })
  const reply = await remove()
  expect(reply.json()).toEqual({
    message: 'Your account will be deleted in 14 days. To keep it, sign in before then.',
    deletion_due_at: new Date(t.clock.getTime() + 14 * DAY_MS).toISOString(),
  })
  await runJobs(t.world.services, t.mailer)
  expect(t.mailer.sent.slice(-1)).toMatchObject([
    { to: `${t.ada.username}@mail.test`, subject: 'Homing: Your account will be deleted' },
  ])

  daysLater(13.9)
  expect(await due()).toBe(0)
  expect(await isServed(host)).toBe(true)
  daysLater(0.1)
  expect(await due()).toBe(1)
  expect(await isServed(host)).toBe(false)
  expect(await isServed(`*.${host}`)).toBe(false)
  expect(await query(t.world.knex, 'select 1 from users where id = ?', [t.ada.id])).toEqual([])
  expect(await heldIn(t.ada.id)).toEqual([])
  const traces = await query(
    t.world.knex,
    `select 1 from domain_events where user_id = ?
     and num_nonnulls(source_ip, client, old_ipv4, old_ipv6, new_ipv4, new_ipv6) > 0`,
    [t.ada.id],
  )
  expect(traces).toEqual([])
  expect((await login()).status).toBe(401)
})

test('its names are reserved for a while, and its user name is free', async () => {
  await remove()
  daysLater(14)
  await due()
  const heir = await t.world.person(t.ada.username)
  const reply = await call(t.world.app, 'POST', '/api/domains', {
    headers: heir.headers,
    body: { fqdn: host },
  })
  expect(problemOf(reply).code).toBe('name-reserved')
  await query(t.world.knex, `update name_reservations set reserved_until = now() where fqdn = ?`, [
    host,
  ])
  expect(await add(heir, host)).toBe(201)
})

test('signing in before the deletion cancels it', async () => {
  await remove()
  daysLater(13)
  expect((await login()).json()).toMatchObject({ deletion_cancelled: true })
  daysLater(2)
  expect(await due()).toBe(0)
  expect(await isServed(host)).toBe(true)
  expect((await login()).json()).not.toHaveProperty('deletion_cancelled')
})

test('signing in afterwards does not, even if the names still exist', async () => {
  await remove()
  daysLater(14)
  expect((await login()).status).toBe(401)
  expect(await isServed(host)).toBe(true)
  expect(await due()).toBe(1)
})

test('all sessions end', async () => {
  const elsewhere = await t.world.signIn(t.ada.id)
  await remove()
  for (const headers of [t.ada.headers, elsewhere]) {
    expect((await call(t.world.app, 'GET', '/api/me', { headers })).status).toBe(401)
  }
})

test('more names than one step allows are deleted in several, and other accounts keep theirs', async () => {
  const { bob } = t
  await add(bob, `bob${t.people}.homing.test`)
  await query(
    t.world.knex,
    `insert into domains (user_id, zone_id, fqdn, rrtype, ttl)
     select ?, zone_id, 'many' || n || '-' || fqdn, 'A', 60 from domains, generate_series(1, 150) n where fqdn = ?`,
    [t.ada.id, host],
  )
  await remove()
  daysLater(14)
  expect(await due()).toBe(1)
  expect(await heldIn(t.ada.id)).toEqual([])
  expect(await isServed(`bob${t.people}.homing.test`)).toBe(true)
})

test('one that cannot be deleted does not stop the others, and is reported', async () => {
  const { bob } = t
  await query(t.world.knex, 'create table held (user_id bigint references users)')
  try {
    await query(t.world.knex, 'insert into held values (?)', [t.ada.id])
    await remove()
    daysLater(0.1)
    await remove({}, bob.headers)
    daysLater(14)
    await expect(due()).rejects.toThrow('1 accounts could not be removed')
    expect(
      await query(t.world.knex, 'select id from users where id in (?, ?)', [t.ada.id, bob.id]),
    ).toEqual([{ id: t.ada.id }])
  } finally {
    await query(t.world.knex, 'drop table held')
  }
  expect(await due()).toBe(1)
})

test('an account that became an administrator is not deleted', async () => {
  const boss = await t.world.person(`boss${t.people}`, 'admin')
  await remove()
  const promoted = await call(t.world.app, 'PUT', `/api/admin/users/${t.ada.id}`, {
    headers: boss.headers,
    body: { account_type: 'admin' },
  })
  expect(promoted.status).toBe(200)
  daysLater(15)
  expect(await due()).toBe(0)
  expect((await login()).status).toBe(200)
})

test('an account that is made an administrator before its deletion is kept', async () => {
  await remove()
  daysLater(14)
  const other = await t.world.feed.connectAgain().transaction()
  await query(other, `update users set account_type = 'admin' where id = ?`, [t.ada.id])
  const removing = due()
  await untilSomebodyWaits(t.world.knex)
  await other.commit()
  expect(await removing).toBe(0)
  expect(await isServed(host)).toBe(true)
})

describe('the request', () => {
  test('requires a session, and is refused to keys, other sites and disabled accounts', async () => {
    expect(problemOf(await remove({}, {})).code).toBe('unauthenticated')
    const { headers } = t.ada
    const made = await call(t.world.app, 'POST', '/api/api-keys', {
      headers,
      body: { name: 'all' },
    })
    const key = { authorization: `Bearer ${made.json<{ key: string }>().key}` }
    expect(problemOf(await remove({}, key)).code).toBe('forbidden')
    const signedIn = await call(t.world.app, 'POST', '/api/login', {
      headers: { origin: 'http://localhost:8080' },
      body: { username_or_email: t.ada.username, password: PASSWORD },
    })
    const cookie = String(signedIn.headers['set-cookie']).split(';', 1)[0] ?? ''
    const elsewhere = { cookie, origin: 'https://elsewhere.example' }
    expect(problemOf(await remove({}, elsewhere)).code).toBe('cross-site')
    await query(t.world.knex, 'update users set enabled = false where id = ?', [t.ada.id])
    expect(problemOf(await remove()).code).toBe('account-disabled')
  })

  test('is refused to administrators', async () => {
    const boss = await t.world.person(`boss${t.people}`, 'admin')
    expect(problemOf(await remove({}, boss.headers)).code).toBe('conflict')
  })

  test.each([
    ['password', { password: 'wrong password' }],
    ['password', { password: '' }],
    ['password', { password: undefined }],
    ['user_id', { user_id: '1' }],
  ])('names %s: %j', async (field, fields) => {
    const reply = await remove(fields)
    expect(reply.status).toBe(422)
    expect(problemOf(reply).errors).toEqual([expect.objectContaining({ field })])
    const rows = await query(t.world.knex, 'select deletion_due_at from users where id = ?', [
      t.ada.id,
    ])
    expect(rows).toEqual([{ deletion_due_at: null }])
  })
})
