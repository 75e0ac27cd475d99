import type { Knex } from 'knex'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../database.ts'
import {
  type FeedWorld,
  insertDomain,
  makeUser,
  openFeedWorld,
  replay,
  tableState,
  toldSets,
  zoneId,
} from '../../test/support/feed-world.ts'
import { openSilentProxy } from '../../test/support/silent-proxy.ts'
import { type AddressChange, Overloaded, UpdateNotStored, type Verdict } from './address-change.ts'
import { AddressCoalescer } from './coalescer.ts'
import { lockDomains } from './lock-order.ts'
import { publishDomains } from './publish.ts'
import type { DomainRow } from './rows.ts'
import { query } from '../sql.ts'

let world: FeedWorld
let coalescer: AddressCoalescer
let user: string

beforeEach(async () => {
  world = await openFeedWorld(['homing.test', 'other.test'])
  coalescer = new AddressCoalescer({ knex: world.knex })
  user = await makeUser(world.knex, 'ada')
})
afterEach(async () => {
  await coalescer.drain()
  await world.end()
})

/** Noticed after a second and a bit. */
const SHORT_LIMITS = { lockMs: 200, statementMs: 200, idleInTransactionMs: 200 }

const actor = {
  kind: 'password',
  id: null,
  sourceIp: '198.51.100.7',
  client: 'ddclient/4',
} as const

/** A published domain of `user`. */
async function made(
  label: string,
  ipv4 = '192.0.2.1',
  more: { zone?: string; baseId?: string } = {},
): Promise<DomainRow> {
  const fqdn = `${label}.${more.zone ?? 'homing.test'}`
  return world.knex.transaction(async (trx) => {
    const row = await insertDomain(trx, { userId: user, fqdn, ipv4, ...more })
    await publishDomains(trx, [row.id])
    return row
  })
}

const set = (domain: DomainRow, change: Partial<AddressChange>, by = coalescer) =>
  by.submit({ domainId: domain.id, userId: user, actor, ...change })

const stored = async (domain: DomainRow) => {
  const [row] = await query<DomainRow>(world.knex, 'select * from domains where id = ?', [
    domain.id,
  ])
  return row
}

async function assign(domain: DomainRow, assignment: string) {
  await query(world.knex, `update domains set ${assignment} where id = ?`, [domain.id])
}

async function expectFeedEqualsTables(zone = 'homing.test') {
  const id = await zoneId(world.knex, zone)
  expect(replay(await toldSets(world.knex, id))).toEqual(await tableState(world.knex, id))
}

const countOf = async (table: string) => {
  const [row] = await query<{ count: string }>(world.knex, `select count(*) from ${table}`)
  return Number(row?.count)
}

/** Holds a domain's row as another replica would. */
async function held(domain: DomainRow): Promise<Knex.Transaction> {
  const trx = await world.connectAgain({ maxConnections: 1 }).transaction()
  await lockDomains(trx, [domain.id])
  return trx
}

describe('verdicts', () => {
  test('changed: stored, told, with its history', async () => {
    const domain = await made('home')
    const verdict = await set(domain, { ipv4: '203.0.113.7' })
    expect(verdict).toEqual({ kind: 'changed', version: 2 })
    expect(await stored(domain)).toEqual({
      ...domain,
      record_ipv4: '203.0.113.7',
      version: 2,
      last_update_at: expect.any(Date),
      allowance_full_at: expect.any(Date),
    })
    expect(
      await query(
        world.knex,
        `select domain_id, user_id, fqdn, kind, actor, source_ip, client, old_ipv4, old_ipv6, new_ipv4, new_ipv6 from domain_events`,
      ),
    ).toEqual([
      {
        domain_id: domain.id,
        user_id: user,
        fqdn: 'home.homing.test',
        kind: 'address',
        actor: 'password',
        source_ip: '198.51.100.7',
        client: 'ddclient/4',
        old_ipv4: '192.0.2.1',
        old_ipv6: null,
        new_ipv4: '203.0.113.7',
        new_ipv6: null,
      },
    ])
    await expectFeedEqualsTables()
  })

  test('a family that is not mentioned is kept, null withdraws it', async () => {
    const domain = await made('home')
    await set(domain, { ipv6: '2001:db8::7' })
    expect(await stored(domain)).toMatchObject({
      record_ipv4: '192.0.2.1',
      record_ipv6: '2001:db8::7',
    })
    await set(domain, { ipv4: null })
    expect(await stored(domain)).toMatchObject({ record_ipv4: null, record_ipv6: '2001:db8::7' })
    await expectFeedEqualsTables()
  })

  test('unchanged: nothing is written, however the address is spelled', async () => {
    const domain = await made('home')
    await set(domain, { ipv6: '2001:db8::7' })
    const sets = await countOf('zone_changes')
    const verdict = await set(domain, { ipv4: '192.0.2.1', ipv6: '2001:DB8:0::7' })
    expect(verdict).toMatchObject({ kind: 'unchanged', version: 2 })
    expect((await set(domain, {})).kind).toBe('unchanged')
    expect(await countOf('zone_changes')).toBe(sets)
    expect(await countOf('domain_events')).toBe(1)
  })

  test('gone: no such domain, and a domain of somebody else', async () => {
    const domain = await made('home')
    const other = await makeUser(world.knex, 'eve')
    expect(await set(domain, { userId: other, ipv4: '203.0.113.7' })).toEqual({ kind: 'gone' })
    expect(await set(domain, { domainId: '999999', ipv4: '203.0.113.7' })).toEqual({ kind: 'gone' })
    expect((await stored(domain))?.version).toBe(1)
  })

  test.each(['locked', 'over_limit', 'owner_blocked'] as const)(
    '%s: refused, even with the address it has',
    async (reason) => {
      const domain = await made('home')
      await assign(domain, `${reason} = true`)
      const refused = { kind: 'withheld', reasons: [reason] }
      expect(await set(domain, { ipv4: '203.0.113.7' })).toEqual(refused)
      expect(await set(domain, { ipv4: '192.0.2.1' })).toEqual(refused)
      expect((await stored(domain))?.record_ipv4).toBe('192.0.2.1')
    },
  )

  test.each(['enabled = false', `account_type = 'disabled'`])(
    'an account with %s is refused before its domains are marked',
    async (assignment) => {
      const domain = await made('home')
      await query(world.knex, `update users set ${assignment}`)
      expect(await set(domain, { ipv4: '203.0.113.7' })).toEqual({
        kind: 'withheld',
        reasons: ['owner_blocked'],
      })
    },
  )

  test('paused: stored, and not served', async () => {
    const domain = await made('home')
    await world.knex.transaction(async (trx) => {
      await lockDomains(trx, [domain.id])
      await query(trx, 'update domains set paused = true where id = ?', [domain.id])
      await publishDomains(trx, [domain.id])
    })
    expect((await set(domain, { ipv4: '203.0.113.7' })).kind).toBe('changed')
    const told = replay(await toldSets(world.knex, domain.zone_id))
    expect(told['home.homing.test']).toBeUndefined()
    await expectFeedEqualsTables()
  })

  test('another version than the caller saw', async () => {
    const domain = await made('home')
    expect((await set(domain, { ipv4: '203.0.113.7', expectedVersion: 1 })).kind).toBe('changed')
    expect(await set(domain, { ipv4: '203.0.113.8', expectedVersion: 1 })).toEqual({
      kind: 'version-mismatch',
      version: 2,
    })
  })
})

describe('wildcards', () => {
  test('follow both families of their base in the same set', async () => {
    const base = await made('home')
    const wildcard = await made('*.home', '192.0.2.1', { baseId: base.id })
    await set(base, { ipv4: '203.0.113.7', ipv6: '2001:db8::7' })
    await set(base, { ipv4: null })
    expect(await stored(wildcard)).toMatchObject({ record_ipv4: null, record_ipv6: '2001:db8::7' })
    const last = (await toldSets(world.knex, base.zone_id)).at(-1)
    expect(new Set(last?.owners.keys())).toEqual(
      new Set(['*.home.homing.test', 'home.homing.test']),
    )
    await expectFeedEqualsTables()
  })

  test('cannot be changed alone', async () => {
    const base = await made('home')
    const wildcard = await made('*.home', '192.0.2.1', { baseId: base.id })
    expect(await set(wildcard, { ipv4: '203.0.113.7' })).toEqual({
      kind: 'wildcard',
      baseId: base.id,
    })
  })

  test('one that appears while its base waits is not left behind', async () => {
    const base = await made('home')
    const creating = await held(base)
    const update = set(base, { ipv4: '203.0.113.7' })
    const wildcard = await insertDomain(creating, {
      userId: user,
      fqdn: '*.home.homing.test',
      ipv4: '192.0.2.1',
      baseId: base.id,
    })
    await publishDomains(creating, [wildcard.id])
    await creating.commit()
    expect((await update).kind).toBe('changed')
    expect((await stored(wildcard))?.record_ipv4).toBe('203.0.113.7')
    await expectFeedEqualsTables()
  })

  test('held by another transaction: the base waits with it', async () => {
    const base = await made('home')
    const wildcard = await made('*.home', '192.0.2.1', { baseId: base.id })
    const holder = await held(wildcard)
    const update = set(base, { ipv4: '203.0.113.7' })
    expect((await set(await made('free'), { ipv4: '203.0.113.8' })).kind).toBe('changed')
    expect((await stored(base))?.record_ipv4).toBe('192.0.2.1')
    await holder.rollback()
    expect((await update).kind).toBe('changed')
    expect((await stored(wildcard))?.record_ipv4).toBe('203.0.113.7')
  })
})

describe('batches', () => {
  test('what arrives while a transaction is under way shares the next one', async () => {
    const domains = await Promise.all(Array.from({ length: 40 }, (_, n) => made(`n${n}`)))
    const sets = (await toldSets(world.knex, domains[0]?.zone_id ?? '')).length
    const verdicts = await Promise.all(
      domains.map((domain, n) => set(domain, { ipv4: `203.0.113.${n}` })),
    )
    expect(verdicts.every((verdict) => verdict.kind === 'changed')).toBe(true)
    const more = (await toldSets(world.knex, domains[0]?.zone_id ?? '')).length - sets
    expect(more).toBeLessThan(10)
    await expectFeedEqualsTables()
  })

  test('changes of one name keep their order, one after the other', async () => {
    const domain = await made('home')
    const verdicts = await Promise.all(
      Array.from({ length: 30 }, (_, n) => set(domain, { ipv4: `203.0.113.${n}` })),
    )
    expect(verdicts).toEqual(
      Array.from({ length: 30 }, (_, n) => ({ kind: 'changed', version: n + 2 })),
    )
    expect((await stored(domain))?.record_ipv4).toBe('203.0.113.29')
    const events = await query<{ old_ipv4: string; new_ipv4: string }>(
      world.knex,
      'select old_ipv4, new_ipv4 from domain_events order by id',
    )
    for (const [n, event] of events.entries()) {
      expect(event.old_ipv4).toBe(n === 0 ? '192.0.2.1' : events[n - 1]?.new_ipv4)
    }
  })

  test('several zones in one batch: each is told', async () => {
    const here = await made('home')
    const there = await made('home', '192.0.2.1', { zone: 'other.test' })
    const blocker = await made('first')
    const verdicts = await Promise.all([
      set(blocker, { ipv4: '203.0.113.1' }),
      set(there, { ipv4: '203.0.113.2' }),
      set(here, { ipv4: '203.0.113.3' }),
    ])
    expect(verdicts.map((verdict) => verdict.kind)).toEqual(['changed', 'changed', 'changed'])
    await expectFeedEqualsTables('homing.test')
    await expectFeedEqualsTables('other.test')
  })

  test('verdicts of all kinds side by side', async () => {
    const [changed, same, locked, stale] = await Promise.all(
      ['a', 'b', 'c', 'd'].map((label) => made(label)),
    )
    if (!changed || !same || !locked || !stale) throw new Error('four domains')
    await assign(locked, 'locked = true')
    const blocker = set(await made('first'), { ipv4: '203.0.113.1' })
    const verdicts = await Promise.all([
      set(changed, { ipv4: '203.0.113.7' }),
      set(same, { ipv4: '192.0.2.1' }),
      set(locked, { ipv4: '203.0.113.7' }),
      set(stale, { ipv4: '203.0.113.7', expectedVersion: 9 }),
      set(changed, { domainId: '999999' }),
    ])
    expect(verdicts.map((verdict) => verdict.kind)).toEqual([
      'changed',
      'unchanged',
      'withheld',
      'version-mismatch',
      'gone',
    ])
    await blocker
  })

  test.each([
    ['an address that is none', { ipv4: 'not-an-address' }],
    ['an address of the wrong family', { ipv4: '2001:db8::1' }],
    ['a client that PostgreSQL cannot store', { actor: { ...actor, client: 'nul\u0000' } }],
    ['an id that is no number', { domainId: 'abc' }],
  ])('one bad row (%s) fails alone', async (_, bad) => {
    const domains = await Promise.all(Array.from({ length: 6 }, (_unused, n) => made(`n${n}`)))
    const outcomes = await Promise.allSettled(
      domains.map((domain, n) =>
        set(domain, n === 3 ? { ipv4: '203.0.113.9', ...bad } : { ipv4: `203.0.113.${n}` }),
      ),
    )
    const kinds = outcomes.map((o) => (o.status === 'fulfilled' ? o.value.kind : o.reason.name))
    expect(kinds).toEqual(domains.map((_domain, n) => (n === 3 ? 'UpdateNotStored' : 'changed')))
    await expectFeedEqualsTables()
  })
})

test('a zone without a serial stops its own names only', async () => {
  const [home, there] = [
    await made('home'),
    await made('home', '192.0.2.1', { zone: 'other.test' }),
  ]
  await query(world.knex, 'delete from zone_serials where zone_id = ?', [there.zone_id])
  const blocker = set(await made('first'), { ipv4: '203.0.113.1' })
  const outcomes = await Promise.allSettled([
    set(there, { ipv4: '203.0.113.2' }),
    set(home, { ipv4: '203.0.113.3' }),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(await stored(there)).toEqual(there)
  await blocker
})

describe('others at the same time', () => {
  test('a row that another connection holds delays its own caller only', async () => {
    const busy = await made('busy')
    const free = await made('free')
    const holder = await held(busy)
    const waiting = set(busy, { ipv4: '203.0.113.1' })
    for (const n of [2, 3, 4]) {
      expect((await set(free, { ipv4: `203.0.113.${n}` })).kind).toBe('changed')
    }
    expect(coalescer.queued).toBe(1)
    await holder.commit()
    expect((await waiting).kind).toBe('changed')
    await expectFeedEqualsTables()
  })

  test('what the holder changed is judged anew', async () => {
    const domain = await made('busy')
    const holder = await held(domain)
    const waiting = set(domain, { ipv4: '203.0.113.1' })
    await query(holder, 'update domains set locked = true where id = ?', [domain.id])
    await publishDomains(holder, [domain.id])
    await holder.commit()
    expect(await waiting).toEqual({ kind: 'withheld', reasons: ['locked'] })
  })

  test('a domain that is deleted while its update waits', async () => {
    const domain = await made('busy')
    const holder = await held(domain)
    const waiting = set(domain, { ipv4: '203.0.113.1' })
    await query(holder, 'delete from domains where id = ?', [domain.id])
    await holder.commit()
    expect(await waiting).toEqual({ kind: 'gone' })
  })

  test('three replicas on the same names: every acknowledged change is in the history, the feed equals the tables', async () => {
    const domains = await Promise.all(Array.from({ length: 20 }, (_, n) => made(`n${n}`)))
    const replicas = [
      coalescer,
      ...[1, 2].map(() => new AddressCoalescer({ knex: world.connectAgain() })),
    ]
    const verdicts = await Promise.all(
      replicas.flatMap((replica, r) =>
        domains.flatMap((domain, n) =>
          Array.from({ length: 10 }, (_, round) =>
            set(domain, { ipv4: `10.${r}.${n}.${round}` }, replica),
          ),
        ),
      ),
    )
    expect(verdicts.filter((verdict: Verdict) => verdict.kind === 'changed')).toHaveLength(600)
    expect(await countOf('domain_events')).toBe(600)
    for (const domain of domains) expect((await stored(domain))?.version).toBe(31)
    await expectFeedEqualsTables()
  })
})

describe('limits and failures', () => {
  test('over the bound: refused at once, what was taken is done', async () => {
    const domain = await made('home')
    const small = new AddressCoalescer({ knex: world.knex, maxQueued: 3 })
    const taken = [1, 2, 3].map((n) => set(domain, { ipv4: `203.0.113.${n}` }, small))
    await expect(set(domain, { ipv4: '203.0.113.4' }, small)).rejects.toThrow(Overloaded)
    expect((await Promise.all(taken)).map((verdict) => verdict.kind)).toEqual(
      taken.map(() => 'changed'),
    )
    expect((await set(domain, { ipv4: '203.0.113.4' }, small)).kind).toBe('changed')
  })

  test('drain waits for what was submitted', async () => {
    const domain = await made('home')
    let done = false
    const verdict = set(domain, { ipv4: '203.0.113.7' }).then(() => (done = true))
    await coalescer.drain()
    expect(coalescer.queued).toBe(0)
    await verdict
    expect(done).toBe(true)
  })

  test('no database: every caller hears it and nothing stays queued', async () => {
    const nowhere = connect({
      url: 'postgresql://nobody@127.0.0.1:1/none',
      applicationName: 'feed-test',
    })
    const domain = await made('home')
    const lost = new AddressCoalescer({ knex: nowhere })
    const outcomes = await Promise.allSettled([
      set(domain, { ipv4: '203.0.113.7' }, lost),
      set(domain, { ipv4: '203.0.113.8' }, lost),
    ])
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ reason: expect.any(UpdateNotStored) })
    }
    expect(lost.queued).toBe(0)
    await nowhere.destroy()
  })

  test('a database that falls silent: all who wait hear it together, and later ones are served again', async () => {
    const domains = [await made('a'), await made('b')]
    const proxy = await openSilentProxy(world.url)
    const knex = connect({ url: proxy.url, limits: SHORT_LIMITS, applicationName: 'silent' })
    const cut = new AddressCoalescer({ knex, writeLanes: 1 })
    await Promise.all(domains.map((domain) => set(domain, { ipv4: '203.0.113.1' }, cut)))
    const openedBefore = proxy.opened()

    proxy.silence()
    const waiting = domains.flatMap((domain) =>
      Array.from({ length: 5 }, async (_, n) => set(domain, { ipv4: `203.0.113.${n + 2}` }, cut)),
    )
    const outcomes = await Promise.allSettled(waiting)
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(UpdateNotStored) })
    }
    // Each further wait would have been for a connection of its own.
    expect(proxy.opened()).toBe(openedBefore)
    expect(cut.queued).toBe(0)

    proxy.speak()
    const verdicts = await Promise.all(
      domains.map((domain) => set(domain, { ipv4: '203.0.113.99' }, cut)),
    )
    expect(verdicts).toMatchObject([{ kind: 'changed' }, { kind: 'changed' }])
    await knex.destroy()
    proxy.close()
    await expectFeedEqualsTables()
  })

  test('connections killed in the middle: what was acknowledged is there, nothing hangs', async () => {
    const domains = await Promise.all(Array.from({ length: 30 }, (_, n) => made(`n${n}`)))
    const pool = world.connectAgain({ maxConnections: 3 })
    const replica = new AddressCoalescer({ knex: pool })
    const acknowledged = new Map<string, string>()
    const failures: unknown[] = []
    for (let round = 1; round <= 20; round += 1) {
      const updates = domains.map(async (domain, n) => {
        const ipv4 = `10.${round}.0.${n}`
        try {
          const verdict = await set(domain, { ipv4 }, replica)
          if (verdict.kind === 'changed') acknowledged.set(domain.id, ipv4)
        } catch (error) {
          failures.push(error)
        }
      })
      await query(
        world.knex,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and (xact_start is not null or state = 'active')`,
      )
      await Promise.all(updates)
    }
    for (const domain of domains) {
      const events = await query<{ new_ipv4: string }>(
        world.knex,
        'select new_ipv4 from domain_events where domain_id = ? order by id',
        [domain.id],
      )
      const told = acknowledged.get(domain.id)
      const history = ['192.0.2.1', ...events.map((event) => event.new_ipv4)]
      expect(history).toContain(told ?? '192.0.2.1')
      expect(history.at(-1)).toBe((await stored(domain))?.record_ipv4)
    }
    expect(failures.filter((error) => !(error instanceof UpdateNotStored))).toEqual([])
    await expectFeedEqualsTables()
  })
})
