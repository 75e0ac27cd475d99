import type { Knex } from 'knex'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  expectFeedEqualsTables,
  type FeedWorld,
  insertDomain,
  makeUser,
  openFeedWorld,
  replay,
  toldSets,
  zoneId,
} from '../../test/support/feed-world.ts'
import {
  end,
  expectForwardFeedEqualsTables,
  lastChange,
  OWNER,
  publishedDomain,
  start,
  STEALTH,
  withHeldDomain,
} from '../../test/support/forward-world.ts'
import { query } from '../database/sql.ts'
import { changeForward, disableForward } from './forwards.ts'
import { changeHeldAddresses } from './held-addresses.ts'
import { lockDomains } from './lock-order.ts'
import { ownersOfDomains, publish, publishDomains } from './publish.ts'
import type { DomainRow } from './rows.ts'
import { addWildcard } from './wildcard.ts'

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
  await query(knex, 'delete from forward_addresses')
  await query(knex, `insert into forward_addresses values ('192.0.2.81'), ('192.0.2.80')`)
  domains += 1
  home = await publishedDomain(knex, ada, `home${domains}.homing.test`)
})

const served = async (owner: string) => replay(await toldSets(knex, zone))[owner]
const forwarded = [{ type: 'A', ttl: 60, rdata: ['192.0.2.80', '192.0.2.81'] }]
const own = [{ type: 'A', ttl: 60, rdata: ['203.0.113.1'] }]

const change = (assignment: string, ids: readonly string[]) =>
  knex.transaction(async (trx) => {
    await lockDomains(trx, ids)
    await query(trx, `update domains set ${assignment} where id = any (?::bigint[])`, [ids])
    await publishDomains(trx, ids)
  })

/** The state of a name in the forward feed; undefined when the feed does not have it. */
const told = async (name: string) => {
  const [row] = await query<{ forward: unknown }>(
    knex,
    'select forward from forward_target where name = ?',
    [name],
  )
  return row?.forward
}

describe('the published addresses', () => {
  test('are those of the forwarders while the forward is in force, and the own ones after it', async () => {
    const forward = await start(knex, home)
    expect(await served(home.fqdn)).toEqual(forwarded)
    await end(knex, home, forward)
    expect(await served(home.fqdn)).toEqual(own)
    await expectFeedEqualsTables(knex)
  })

  test('a family without a forwarder is withdrawn', async () => {
    await change(`record_ipv6 = '2001:db8::1'`, [home.id])
    expect(await served(home.fqdn)).toHaveLength(2)
    await start(knex, home)
    expect(await served(home.fqdn)).toEqual(forwarded)
    await query(knex, `insert into forward_addresses values ('2001:db8::80')`)
    await knex.transaction((trx) => publishDomains(trx, [home.id]))
    expect(await served(home.fqdn)).toEqual([
      ...forwarded,
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
    expect(await served(home.fqdn)).toEqual(forwarded)
    expect(await lastChange(knex, home.fqdn)).toEqual(before)
  })

  test('an inactive forward is stored and changes nothing that is published', async () => {
    const forward = await start(knex, home, { is_active: false })
    expect(await served(home.fqdn)).toEqual(own)
    expect(await told(home.fqdn)).toBeUndefined()
    await withHeldDomain(knex, home, (trx, base) =>
      changeForward(trx, base, forward, { is_active: true }, OWNER),
    )
    expect(await served(home.fqdn)).toEqual(forwarded)
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

describe('the end of a forward', () => {
  test('leaves it in use for the TTL and 60 s', async () => {
    await end(knex, home, await start(knex, home))
    expect(await lastChange(knex, home.fqdn)).toMatchObject({
      forward: null,
      is_removed: true,
      grace_seconds: 120,
    })
  })

  test('is the deletion of its domain too', async () => {
    await start(knex, home)
    await knex.transaction(async (trx) => {
      await lockDomains(trx, [home.id])
      const owners = await ownersOfDomains(trx, [home.id])
      await query(trx, 'delete from domains where id = ?', [home.id])
      await publish(trx, owners)
    })
    expect(await lastChange(knex, home.fqdn)).toMatchObject({
      is_removed: true,
      grace_seconds: 120,
    })
    await expectForwardFeedEqualsTables(knex)
  })

  test.each(['locked', 'owner_blocked'])('%s: at once', async (reason) => {
    await start(knex, home)
    await change(`${reason} = true`, [home.id])
    expect(await lastChange(knex, home.fqdn)).toMatchObject({ is_removed: true, grace_seconds: 0 })
    await change(`${reason} = false`, [home.id])
    expect(await told(home.fqdn)).toMatchObject({ type: 'redirect' })
    expect(await served(home.fqdn)).toEqual(forwarded)
  })

  test('at once even while it is still in use after its end', async () => {
    await end(knex, home, await start(knex, home))
    await change('locked = true', [home.id])
    expect(await lastChange(knex, home.fqdn)).toMatchObject({ is_removed: true, grace_seconds: 0 })
    const feed = await query(knex, 'select serial from forward_feed')
    await change('ttl = 90', [home.id])
    expect(await query(knex, 'select serial from forward_feed')).toEqual(feed)
  })

  test('a pause leaves it in use like an end, and resuming brings it back', async () => {
    await start(knex, home)
    await change('paused = true', [home.id])
    expect(await lastChange(knex, home.fqdn)).toMatchObject({
      is_removed: true,
      grace_seconds: 120,
    })
    await change('paused = false', [home.id])
    expect(await lastChange(knex, home.fqdn)).toMatchObject({ is_removed: false, grace_seconds: 0 })
  })

  test('an administrator stops it at once, and it runs again with the same settings', async () => {
    const forward = await start(knex, home)
    const set = (disabling?: { reason: string; by: string }) =>
      withHeldDomain(knex, home, (trx, base) =>
        disableForward(trx, base, forward, disabling, OWNER),
      )
    expect(await set({ reason: 'Phishing.', by: ada })).toMatchObject({
      disabled_reason: 'Phishing.',
      disabled_by: ada,
      is_active: true,
    })
    expect(await lastChange(knex, home.fqdn)).toMatchObject({ is_removed: true, grace_seconds: 0 })
    expect(await served(home.fqdn)).toEqual(own)
    await set()
    expect(await served(home.fqdn)).toEqual(forwarded)
    expect(await told(home.fqdn)).toMatchObject({ target: 'https://www.example.net/' })
  })
})

describe('a wildcard', () => {
  test('is forwarded with its domain; registered names below are not', async () => {
    await publishedDomain(knex, ada, `*.${home.fqdn}`, home)
    const below = await publishedDomain(knex, ada, `cam.${home.fqdn}`)
    const forward = await start(knex, home)
    expect(await served(`*.${home.fqdn}`)).toEqual(forwarded)
    expect(await served(below.fqdn)).toEqual(own)
    expect(await told(`*.${home.fqdn}`)).toMatchObject({ id: forward.id })
    expect(await told(below.fqdn)).toBeNull()

    await end(knex, home, forward)
    expect(await told(below.fqdn)).toBeUndefined()
    // It stops the wildcard for as long as the forwarder goes on with it.
    expect(await lastChange(knex, below.fqdn)).toMatchObject({
      is_removed: true,
      grace_seconds: 120,
    })
    await expectForwardFeedEqualsTables(knex)
  })

  test('that is created later copies the forward; a name registered then stops it', async () => {
    await start(knex, home)
    const made = await knex.transaction((trx) => addWildcard(trx, ada, home.id, OWNER))
    expect(made.kind).toBe('made')
    expect(await served(`*.${home.fqdn}`)).toEqual(forwarded)
    const below = await publishedDomain(knex, ada, `cam.${home.fqdn}`)
    expect(await told(below.fqdn)).toBeNull()
    await change('paused = true', [below.id])
    expect(await told(below.fqdn)).toBeNull()
    await knex.transaction(async (trx) => {
      await lockDomains(trx, [below.id])
      const owners = await ownersOfDomains(trx, [below.id])
      await query(trx, 'delete from domains where id = ?', [below.id])
      await publish(trx, owners)
    })
    // The wildcard applies to it again, without a wait.
    expect(await lastChange(knex, below.fqdn)).toMatchObject({ is_removed: true, grace_seconds: 0 })
    await expectForwardFeedEqualsTables(knex)
  })

  test('a name below it whose own forward ends stays in use before it stops the wildcard', async () => {
    await publishedDomain(knex, ada, `*.${home.fqdn}`, home)
    const below = await publishedDomain(knex, ada, `cam.${home.fqdn}`)
    await start(knex, home)
    const forward = await start(knex, below)
    expect(await told(below.fqdn)).toMatchObject({ id: forward.id })
    await end(knex, below, forward)
    expect(await lastChange(knex, below.fqdn)).toMatchObject({
      forward: null,
      is_removed: false,
      grace_seconds: 120,
    })
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

test('two transactions that change forwards at once: one chain, and the feed equals the tables', async () => {
  const bases: DomainRow[] = []
  for (let n = 0; n < 20; n += 1) {
    const userId = await makeUser(knex, `many${n}`)
    bases.push(await publishedDomain(knex, userId, `n${n}.homing.test`))
  }
  await Promise.all(
    bases.map(async (base, n) => {
      const forward = await start(knex, base)
      if (n % 2 === 0) await end(knex, base, forward)
    }),
  )
  await expectForwardFeedEqualsTables(knex)
  await expectFeedEqualsTables(knex)
})

test('a name that has nothing to do with forwards does not wait for the forward feed', async () => {
  const holder = await knex.transaction()
  try {
    await query(holder, 'select from forward_serial for update')
    await knex.transaction(async (trx) => {
      await query(trx, `set local lock_timeout = '50ms'`)
      const row = await insertDomain(trx, { userId: ada, fqdn: `free${domains}.homing.test` })
      await publishDomains(trx, [row.id])
    })
  } finally {
    await holder.rollback()
  }
})
