import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type FeedWorld,
  insertDomain,
  makeUser,
  openFeedWorld,
} from '../../test/support/feed-world.ts'
import { makeMonitor } from '../../test/support/monitor-world.ts'
import { query } from '../database/sql.ts'
import { expire } from './expire.ts'

const DAY_MS = 86_400_000
const now = new Date('2030-06-15T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)

let world: FeedWorld
let ada: string

beforeAll(async () => {
  world = await openFeedWorld()
  ada = await makeUser(world.knex, 'ada')
  await query(world.knex, 'update users set email_verified_at = ?, created_at = ?', [
    daysAgo(100),
    daysAgo(100),
  ])
})
afterAll(() => world.end())

const count = async (table: string) =>
  (await query<{ n: number }>(world.knex, `select count(*)::int as n from ${table}`))[0]?.n

test('expired rows are deleted, others stay', async () => {
  const { knex } = world
  for (const [n, at] of [daysAgo(0), daysAgo(-1)].entries()) {
    await query(
      knex,
      'insert into sessions (user_id, token_digest, expires_at) values (?, int4send(?), ?)',
      [ada, n, at],
    )
    await query(knex, 'insert into name_reservations values (?, ?, ?)', [`${n}.test`, ada, at])
    await query(knex, 'insert into rate_limits values (?, 1, ?)', [String(n), at.getTime()])
  }
  for (const [n, at] of [daysAgo(8), daysAgo(1)].entries()) {
    await query(
      knex,
      `insert into mail_links (user_id, purpose, email, token_digest, expires_at)
       values (?, 'verify_email', 'a@b.test', int4send(?), ?)`,
      [ada, n, at],
    )
  }
  for (const [n, at] of [daysAgo(61), daysAgo(1)].entries()) {
    await query(knex, 'insert into known_networks values (?, ?, ?)', [ada, String(n), at])
  }
  for (const at of [daysAgo(90), daysAgo(89)]) {
    await query(
      knex,
      `insert into login_history (user_id, at, ip, success) values (?, ?, '192.0.2.1', true)`,
      [ada, at],
    )
  }
  for (const [n, at] of [daysAgo(0), daysAgo(-1)].entries()) {
    await query(
      knex,
      `insert into login_tokens (user_id, token_digest, credential_version, created_at, expires_at)
       values (?, int4send(?), 1, ?, ?)`,
      [ada, n, at, at],
    )
  }
  const gone = await expire(knex, now)
  const tables = [
    'login_tokens',
    'login_history',
    'sessions',
    'name_reservations',
    'rate_limits',
    'mail_links',
    'known_networks',
  ]
  for (const table of tables) {
    expect({ table, gone: gone[table], left: await count(table) }).toEqual({
      table,
      gone: 1,
      left: 1,
    })
  }
})

test('counts of web forwards are kept for 400 days, the ids of their batches for two', async () => {
  const { knex } = world
  const domain = await insertDomain(knex, { userId: ada, fqdn: 'forwarded.homing.test' })
  const hits = `
    with forward as (
      insert into web_forwards (domain_id, user_id, target_url, forwarding_type)
      values (?, ?, 'https://www.example.net/', 'redirect') returning id)
    insert into forward_hits select forward.id, day::date, 1 from forward, unnest(?::timestamptz[]) as day`
  await query(knex, hits, [domain.id, ada, [daysAgo(401), daysAgo(399)]])
  for (const at of [daysAgo(2), daysAgo(1)]) {
    await query(knex, 'insert into forward_hit_batches values (gen_random_uuid(), ?)', [at])
  }
  expect(await expire(knex, now)).toMatchObject({ forward_hits: 1, forward_hit_batches: 1 })
})

test('the history of own zones is kept for 400 days', async () => {
  const { knex } = world
  const made = `
    with claim as (insert into zone_claims (user_id, name, token) values (?, 'own.test', 'own') returning id)
    insert into zone_events (happened_at, claim_id, user_id, kind, actor, detail)
    select at, claim.id, ?, 'record-created', 'session', '{}' from claim, unnest(?::timestamptz[]) as at`
  await query(knex, made, [ada, ada, [daysAgo(400), daysAgo(399)]])
  expect(await expire(knex, now)).toMatchObject({ zone_events: 1 })
  expect(await count('zone_events')).toBe(1)
})

test('an unconfirmed authenticator is deleted after a day, an active one stays', async () => {
  const { knex } = world
  const begin = (name: string, begunAt: Date, confirmedAt: Date | null) =>
    query(
      knex,
      `insert into totp_secrets (user_id, sealed_secret, created_at, confirmed_at)
       select id, ?, ?, ? from users where username = 'ada'
       on conflict (user_id) do update set sealed_secret = excluded.sealed_secret,
         created_at = excluded.created_at, confirmed_at = excluded.confirmed_at`,
      [name, begunAt, confirmedAt],
    )
  await begin('on', daysAgo(300), daysAgo(300))
  expect(await expire(knex, now)).toMatchObject({ totp_secrets: 0 })
  await begin('young', daysAgo(0.9), null)
  expect(await expire(knex, now)).toMatchObject({ totp_secrets: 0 })
  await begin('old', daysAgo(1), null)
  expect(await expire(knex, now)).toMatchObject({ totp_secrets: 1 })
})

test('an account that was never verified frees its name after a week', async () => {
  const { knex } = world
  const old = await makeUser(knex, 'old', 'free')
  const paid = await makeUser(knex, 'paid', 'pro')
  const owner = await makeUser(knex, 'owner', 'free')
  await insertDomain(knex, { userId: owner, fqdn: 'kept.homing.test' })
  await query(knex, 'update users set created_at = ? where id = any (?)', [
    daysAgo(7),
    [old, paid, owner],
  ])
  const fresh = await makeUser(knex, 'fresh', 'free')
  await query(knex, 'update users set created_at = ? where id = ?', [daysAgo(6), fresh])
  expect(await expire(knex, now)).toMatchObject({ users: 1 })
  const left = await query<{ username: string }>(knex, 'select username from users order by id')
  expect(left.map(({ username }) => username)).toEqual(['ada', 'paid', 'owner', 'fresh'])
})

test('many thousand rows are deleted in steps', async () => {
  await query(
    world.knex,
    `insert into rate_limits select 'many' || n, 1, ? from generate_series(1, 2500) n`,
    [daysAgo(1).getTime()],
  )
  expect(await expire(world.knex, now)).toMatchObject({ rate_limits: 2_500 })
})

test('of a monitor: intervals and days after 400 days, messages after 90, and never the present interval', async () => {
  const { knex } = world
  const { id } = await makeMonitor(knex, ada)
  for (const [n, end] of [daysAgo(400), daysAgo(399), null].entries()) {
    await query(
      knex,
      `insert into monitor_intervals (monitor_id, state, since, until, up_ms_before, down_ms_before, unknown_ms_before, maintenance_ms_before)
       values (?, 'up', ?, ?, 0, 0, 0, 0)`,
      [id, daysAgo(500 - n), end],
    )
  }
  for (const days of [401, 399]) {
    await query(knex, 'insert into monitor_days values (?, ?, 1, 0, 0)', [id, daysAgo(days)])
  }
  for (const days of [90, 89]) {
    await query(
      knex,
      `insert into monitor_notifications (monitor_id, user_id, message, subject, created_at, due_at) values (?, ?, 'test', ?, ?, now())`,
      [id, ada, String(days), daysAgo(days)],
    )
    await query(knex, `insert into monitor_workers values (?, ?, 0, 0, false)`, [
      String(days),
      daysAgo(days - 89),
    ])
  }
  const gone = await expire(knex, now)
  expect(gone).toMatchObject({
    monitor_intervals: 1,
    monitor_days: 1,
    monitor_notifications: 1,
    monitor_workers: 1,
  })
  expect(await count('monitor_intervals')).toBe(2)
})
