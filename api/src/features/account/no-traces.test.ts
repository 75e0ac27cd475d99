/** Searches every row of every table for traces of a deleted account. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../../../test/support/api-world.ts'
import { call } from '../../../test/support/calls.ts'
import { ADDRESS, CLIENT, fillAccount } from '../../../test/support/full-account.ts'
import { query } from '../../database/sql.ts'
import { removeDueAccounts } from './remove-accounts.ts'

/** Where data of the account remains, and why that is allowed. */
const KEPT: Readonly<Record<string, string>> = {
  name_reservations: 'its names, for nobody, so that no stranger takes them over for 30 days',
  billing_parties: 'who is on invoices, which are kept for ten years',
  locked_names: 'its names that an administrator locked, without the account that held them',
  forward_graces: 'names whose forward ended, until caches have forgotten them',
  forward_changes: 'what the forwarders are still to be told, for a day',
  zone_changes: 'what DNS servers are still to be told, for a day',
}

let world: ApiWorld
let ada: Caller
let bob: Caller
let people = 0

beforeAll(async () => {
  world = await openApiWorld()
})
afterAll(() => world.end())
beforeEach(async () => {
  people += 1
  ada = await world.person(`ada-lovelace${people}`)
  bob = await world.person(`bob${people}`)
})

interface Table {
  readonly name: string
  /** Columns that say who owns a row, or who did something. */
  readonly owners: readonly string[]
}

/** Every table of the database, including those of the job library. */
async function tables(): Promise<Table[]> {
  return query<Table>(
    world.knex,
    `select case n.nspname when 'public' then c.relname else n.nspname || '.' || c.relname end as name,
            coalesce(array_agg(a.attname::text) filter (where a.attname in ('user_id', 'owner_id', 'actor_id', 'locked_by')), '{}') as owners
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
     where c.relkind in ('r', 'p') and not c.relispartition and n.nspname not in ('pg_catalog', 'information_schema')
     group by 1 order by 1`,
  )
}

/** The tables that contain a person, by the account or by data that only this person has. */
async function findIn(who: Caller): Promise<string[]> {
  const found: string[] = []
  for (const { name, owners } of await tables()) {
    const isTheirs = owners.map((column) => `x.${column} = ${who.id}`)
    const speaks = `x::text ilike ? or to_jsonb(x) @> jsonb_build_object('data', jsonb_build_object('userId', ?::text))`
    const rows = await query(
      world.knex,
      `select 1 from ${name} x where ${[speaks, ...isTheirs].join(' or ')} limit 1`,
      [`%${who.username}%`, who.id],
    )
    if (rows.length > 0) found.push(name)
  }
  return found
}

async function removeAda(): Promise<number> {
  const now = new Date()
  await query(world.knex, 'update users set deletion_due_at = ? where id = ?', [now, ada.id])
  return removeDueAccounts(
    { knex: world.knex, nameservers: world.services.config.nameservers },
    now,
  )
}

test('no table contains data of the account, except what is kept for a reason', async () => {
  await fillAccount(world, ada)
  const before = await findIn(ada)
  for (const table of ['users', 'domains', 'domain_events', 'former_domains', 'pgboss.job']) {
    expect(before).toContain(table)
  }
  expect(await removeAda()).toBe(1)
  const left = await findIn(ada)
  expect(left.filter((table) => !(table in KEPT))).toEqual([])
  expect(left).toEqual(expect.arrayContaining(['locked_names', 'name_reservations']))
  const holders = await query(world.knex, 'select user_id from locked_names where fqdn like ?', [
    `%${ada.username}%`,
  ])
  expect(holders).toEqual([{ user_id: null }])
  const traces = await query(
    world.knex,
    `select 'event' from domain_events where client = ? or source_ip = ?::inet
     union all select 'call' from update_calls union all select 'ring' from update_call_rings
     union all select 'count' from queries_1d`,
    [CLIENT, ADDRESS],
  )
  expect(traces).toEqual([])
})

test('the data of other accounts stays', async () => {
  await fillAccount(world, ada)
  await fillAccount(world, bob)
  const before = await findIn(bob)
  const count = async () =>
    query(
      world.knex,
      `select (select count(*) from domain_events where user_id = ?) as events,
              (select count(*) from domains where user_id = ?) as domains,
              (select count(*) from update_calls c join domains d on d.id = c.domain_id where d.user_id = ?) as calls`,
      [bob.id, bob.id, bob.id],
    )
  const counted = await count()
  await removeAda()
  expect(await findIn(bob)).toEqual(before)
  expect(await count()).toEqual(counted)
})

test('a long history is deleted in steps, also that of a deleted name', async () => {
  await fillAccount(world, ada)
  await query(
    world.knex,
    `insert into domain_events (domain_id, user_id, fqdn, kind, actor)
     select id, ?, 'x.homing.test', 'address', 'system'
     from (select id from domains where user_id = ? and not is_wildcard
           union all select domain_id from former_domains where user_id = ?) as ids(id),
       generate_series(1, 5500)`,
    [ada.id, ada.id, ada.id],
  )
  expect(await removeAda()).toBe(1)
  const left = await query(world.knex, 'select 1 from domain_events where user_id = ? limit 1', [
    ada.id,
  ])
  expect(left).toEqual([])
})

/** Ada, while she is an administrator, withholds a name of Bob's. @returns the name's id */
async function lockNameOfBob(): Promise<string> {
  const fqdn = `locked.${bob.username}.homing.test`
  const made = await call(world.app, 'POST', '/api/domains', {
    headers: bob.headers,
    body: { fqdn, record_ip: '203.0.113.1' },
  })
  const { id } = made.json<{ id: string }>()
  await query(world.knex, `update users set account_type = 'admin' where id = ?`, [ada.id])
  const locked = await call(world.app, 'POST', `/api/admin/domains/${id}/lock`, {
    headers: { ...ada.headers, 'user-agent': CLIENT },
    ip: ADDRESS,
  })
  expect(locked.status).toBe(200)
  await query(world.knex, `update users set account_type = 'free' where id = ?`, [ada.id])
  return id
}

const actsOn = (domainId: string) =>
  query(
    world.knex,
    `select kind, actor, actor_id, host(source_ip) as source_ip, client from domain_events
     where domain_id = ? and actor = 'administrator' order by id`,
    [domainId],
  )

test('an administrator’s change of another account’s name stays, without the administrator', async () => {
  const domainId = await lockNameOfBob()
  const act = { kind: 'withheld', actor: 'administrator' }
  expect(await actsOn(domainId)).toEqual([
    { ...act, actor_id: ada.id, source_ip: ADDRESS, client: CLIENT },
  ])
  expect(await findIn(ada)).toEqual(expect.arrayContaining(['domain_events', 'locked_names']))
  expect(await removeAda()).toBe(1)
  expect((await findIn(ada)).filter((table) => !(table in KEPT))).toEqual([])
  expect(await actsOn(domainId)).toEqual([
    { ...act, actor_id: null, source_ip: null, client: null },
  ])
})

test('many such changes are handled in steps, and found by an index', async () => {
  const domainId = await lockNameOfBob()
  await query(
    world.knex,
    `insert into domain_events (domain_id, user_id, fqdn, kind, actor, actor_id, source_ip)
     select ?::bigint, ?::bigint, 'x.homing.test', 'restored', 'administrator', ?::bigint, '198.51.100.7'::inet from generate_series(1, 5100)
     union all
     select ?::bigint, ?::bigint, 'x.homing.test', 'address', 'session', ?::bigint, '198.51.100.8' from generate_series(1, 30000)`,
    [domainId, bob.id, ada.id, domainId, bob.id, bob.id],
  )
  await query(world.knex, 'analyze domain_events')
  const plan = await query(
    world.knex,
    `explain select 1 from domain_events where actor = 'administrator' and actor_id = ?`,
    [bob.id],
  )
  expect(JSON.stringify(plan)).not.toContain('Seq Scan')
  expect(await removeAda()).toBe(1)
  const [left] = await query(
    world.knex,
    `select count(*) filter (where actor = 'administrator' and source_ip is null and actor_id is null)::int as nameless,
            count(*) filter (where actor = 'session' and source_ip = '198.51.100.8')::int as untouched
     from domain_events where domain_id = ?`,
    [domainId],
  )
  expect(left).toEqual({ nameless: 5101, untouched: 30_000 })
})
