import type { Knex } from 'knex'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type FeedWorld,
  insertDomain,
  makeUser,
  openFeedWorld,
  toldSets,
  zoneId,
} from '../../test/support/feed-world.ts'
import {
  changeDomains,
  end,
  expectForwardFeedEqualsTables,
  FORWARDED,
  lastChange,
  OWN,
  OWNER,
  publishedDomain,
  servedState,
  start,
  STEALTH,
  storeForwardAddresses,
  toldForward,
  withHeldDomain,
} from '../../test/support/forward-world.ts'
import { query } from '../database/sql.ts'
import { changeForward } from './forwards.ts'
import { changeHeldAddresses } from './held-addresses.ts'
import { lockDomains } from './lock-order.ts'
import { publishDomains } from './publish.ts'
import type { DomainRow } from './rows.ts'

let world: FeedWorld
let knex: Knex
let zone: string
let ada: string
let home: DomainRow
let domains = 0

beforeAll(async () => {
  world = await openFeedWorld()
  knex = world.knex
  zone = await zoneId(knex)
  ada = await makeUser(knex, 'ada')
})
afterAll(() => world.end())
beforeEach(async () => {
  await storeForwardAddresses(knex)
  domains += 1
  home = await publishedDomain(knex, ada, `home${domains}.homing.test`)
})

const served = (owner: string) => servedState(knex, owner)
const told = (name: string) => toldForward(knex, name)
const change = (assignment: string, ids: readonly string[]) => changeDomains(knex, assignment, ids)

describe('the published addresses', () => {
  test('are those of the forwarders while the forward is in force, and the own ones after it', async () => {
    const forward = await start(knex, home)
    expect(await served(home.fqdn)).toEqual(FORWARDED)
    await end(knex, home, forward)
    expect(await served(home.fqdn)).toEqual(OWN)
  })

  test('a family without a forwarder is withdrawn', async () => {
    await change(`record_ipv6 = '2001:db8::1'`, [home.id])
    expect(await served(home.fqdn)).toHaveLength(2)
    await start(knex, home)
    expect(await served(home.fqdn)).toEqual(FORWARDED)
    await query(knex, `insert into forward_addresses values ('2001:db8::80')`)
    await knex.transaction((trx) => publishDomains(trx, [home.id]))
    expect(await served(home.fqdn)).toEqual([
      ...FORWARDED,
      { type: 'AAAA', ttl: 60, rdata: ['2001:db8::80'] },
    ])
  })

  test('without any forwarder the name exists and has no address', async () => {
    await query(knex, 'delete from forward_addresses')
    await start(knex, home)
    expect(await served(home.fqdn)).toEqual([])
  })

  test('an update of a forwarded domain is stored, and both feeds show the same as before', async () => {
    await start(knex, home)
    const before = await lastChange(knex, home.fqdn)
    await knex.transaction(async (trx) => {
      await lockDomains(trx, [home.id])
      const moved = { domainId: home.id, userId: ada, ipv4: '203.0.113.9', actor: OWNER }
      await publishDomains(trx, await changeHeldAddresses(trx, [moved]))
    })
    expect(await query(knex, 'select record_ipv4 from domains where id = ?', [home.id])).toEqual([
      { record_ipv4: '203.0.113.9' },
    ])
    expect(await served(home.fqdn)).toEqual(FORWARDED)
    expect(await lastChange(knex, home.fqdn)).toEqual(before)
  })

  test('an inactive forward is stored and changes nothing that is published', async () => {
    const forward = await start(knex, home, { is_active: false })
    expect(await served(home.fqdn)).toEqual(OWN)
    expect(await told(home.fqdn)).toBeUndefined()
    await withHeldDomain(knex, home, (trx, base) =>
      changeForward(trx, base, forward, { is_active: true }, OWNER),
    )
    expect(await served(home.fqdn)).toEqual(FORWARDED)
  })
})

describe('the forward feed', () => {
  test('says what the forwarder does with a name', async () => {
    const forward = await start(knex, home, { ...STEALTH, status_code: 302, forward_query: false })
    expect(await told(home.fqdn)).toEqual({
      id: forward.id,
      type: 'stealth',
      status: 302,
      target: 'https://www.example.net/',
      path: true,
      query: false,
      title: 'Home',
      description: null,
      keywords: null,
      since: forward.target_set_at.toISOString(),
      ttl: 60,
    })
    await expectForwardFeedEqualsTables(knex)
  })

  test('another target changes the forward feed alone; another TTL changes both', async () => {
    const forward = await start(knex, home)
    const sets = (await toldSets(knex, zone)).length
    const after = await withHeldDomain(knex, home, (trx, base) =>
      changeForward(trx, base, forward, { target_url: 'https://other.example/' }, OWNER),
    )
    expect(after.version).toBe(2)
    expect(after.target_set_at.getTime()).toBeGreaterThan(forward.target_set_at.getTime())
    expect(await toldSets(knex, zone)).toHaveLength(sets)
    expect(await told(home.fqdn)).toMatchObject({ target: 'https://other.example/' })
    await change('ttl = 90', [home.id])
    expect(await told(home.fqdn)).toMatchObject({ ttl: 90 })
    await expectForwardFeedEqualsTables(knex)
  })

  test('a change of the settings without another target keeps its first use', async () => {
    const forward = await start(knex, home)
    const after = await withHeldDomain(knex, home, (trx, base) =>
      changeForward(trx, base, forward, { status_code: 308 }, OWNER),
    )
    expect(after.target_set_at).toEqual(forward.target_set_at)
  })

  test('a set is written only for a difference', async () => {
    const forward = await start(knex, home)
    const before = await query(knex, 'select * from forward_feed')
    await withHeldDomain(knex, home, (trx, base) =>
      changeForward(trx, base, forward, { checked_at: new Date() }, OWNER),
    )
    await knex.transaction((trx) => publishDomains(trx, [home.id]))
    expect(await query(knex, 'select * from forward_feed')).toEqual(before)
  })
})

describe('the history', () => {
  const events = () =>
    query<{ kind: string; actor: string; detail: { old: unknown; new: unknown } }>(
      knex,
      'select kind, actor, detail from domain_events where domain_id = ? order by id',
      [home.id],
    )

  test('has the start, each change of settings and the end', async () => {
    const forward = await start(knex, home)
    await withHeldDomain(knex, home, async (trx, base) =>
      changeForward(trx, base, forward, { status_code: 302, checked_at: new Date() }, OWNER),
    )
    await end(knex, home, forward)
    const settings = { target_url: 'https://www.example.net/', is_active: true }
    expect(await events()).toMatchObject([
      { kind: 'forward-started', actor: 'session', detail: { old: null, new: settings } },
      { kind: 'forward-changed', detail: { old: { status_code: 301 }, new: { status_code: 302 } } },
      { kind: 'forward-ended', detail: { old: { ...settings, status_code: 302 }, new: null } },
    ])
  })

  test('has nothing for an examination that changes no setting', async () => {
    const forward = await start(knex, home)
    await withHeldDomain(knex, home, (trx, base) =>
      changeForward(trx, base, forward, { check_result: { status: 200 } }, OWNER),
    )
    expect(await events()).toHaveLength(1)
  })
})

test('a name that has nothing to do with forwards does not wait for the forward feed', async () => {
  const holder = await knex.transaction()
  try {
    await query(holder, 'select from forward_serial for update')
    const sets = await knex.transaction(async (trx) => {
      await query(trx, `set local lock_timeout = '50ms'`)
      const row = await insertDomain(trx, { userId: ada, fqdn: `free${domains}.homing.test` })
      return publishDomains(trx, [row.id])
    })
    expect(sets).toHaveLength(1)
  } finally {
    await holder.rollback()
  }
})
