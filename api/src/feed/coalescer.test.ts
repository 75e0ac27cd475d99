/** The verdicts on changes of addresses. */
import { describe, expect, test } from 'vitest'
import { insertDomain, makeUser, replay, toldSets } from '../../test/support/feed-world.ts'
import { lockDomains } from './lock-order.ts'
import { publishDomains } from './publish.ts'
import { query } from '../database/sql.ts'
import { useCoalescerWorld } from '../../test/support/coalescer-world.ts'

const t = useCoalescerWorld()

describe('verdicts', () => {
  test('changed: stored, published, with its history', async () => {
    const domain = await t.made('home')
    const verdict = await t.set(domain, { ipv4: '203.0.113.7' })
    expect(verdict).toEqual({ kind: 'changed', version: 2 })
    expect(await t.stored(domain)).toEqual({
      ...domain,
      record_ipv4: '203.0.113.7',
      version: 2,
      last_update_at: expect.any(Date),
      last_update_client: 'ddclient/4',
      allowance_full_at: expect.any(Date),
    })
    expect(
      await query(
        t.knex,
        `select domain_id, user_id, fqdn, kind, actor, source_ip, client, old_ipv4, old_ipv6, new_ipv4, new_ipv6 from domain_events`,
      ),
    ).toEqual([
      {
        domain_id: domain.id,
        user_id: t.user,
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
    await t.expectFeedEqualsTables()
  })

  test('an omitted family is kept, null withdraws it', async () => {
    const domain = await t.made('home')
    await t.set(domain, { ipv6: '2001:db8::7' })
    expect(await t.stored(domain)).toMatchObject({
      record_ipv4: '192.0.2.1',
      record_ipv6: '2001:db8::7',
    })
    await t.set(domain, { ipv4: null })
    expect(await t.stored(domain)).toMatchObject({ record_ipv4: null, record_ipv6: '2001:db8::7' })
    await t.expectFeedEqualsTables()
  })

  test('unchanged: nothing is written, for any spelling of the address', async () => {
    const domain = await t.made('home')
    await t.set(domain, { ipv6: '2001:db8::7' })
    const sets = await t.countOf('zone_changes')
    const verdict = await t.set(domain, { ipv4: '192.0.2.1', ipv6: '2001:DB8:0::7' })
    expect(verdict).toMatchObject({ kind: 'unchanged', version: 2 })
    expect((await t.set(domain, {})).kind).toBe('unchanged')
    expect(await t.countOf('zone_changes')).toBe(sets)
    expect(await t.countOf('domain_events')).toBe(1)
  })

  test('gone: an unknown domain, and a domain of another account', async () => {
    const domain = await t.made('home')
    const other = await makeUser(t.knex, 'eve')
    expect(await t.set(domain, { userId: other, ipv4: '203.0.113.7' })).toEqual({ kind: 'gone' })
    expect(await t.set(domain, { domainId: '999999', ipv4: '203.0.113.7' })).toEqual({
      kind: 'gone',
    })
    expect((await t.stored(domain))?.version).toBe(1)
  })

  test.each(['locked', 'over_limit', 'owner_blocked'] as const)(
    '%s: refused, even with the address it has',
    async (reason) => {
      const domain = await t.made('home')
      await t.assign(domain, `${reason} = true`)
      const refused = { kind: 'withheld', reasons: [reason] }
      expect(await t.set(domain, { ipv4: '203.0.113.7' })).toEqual(refused)
      expect(await t.set(domain, { ipv4: '192.0.2.1' })).toEqual(refused)
      expect((await t.stored(domain))?.record_ipv4).toBe('192.0.2.1')
    },
  )

  test.each(['enabled = false', `account_type = 'disabled'`])(
    'an account with %s is refused before its domains are marked',
    async (assignment) => {
      const domain = await t.made('home')
      await query(t.knex, `update users set ${assignment}`)
      expect(await t.set(domain, { ipv4: '203.0.113.7' })).toEqual({
        kind: 'withheld',
        reasons: ['owner_blocked'],
      })
    },
  )

  test('paused: stored, and not served', async () => {
    const domain = await t.made('home')
    await t.knex.transaction(async (trx) => {
      await lockDomains(trx, [domain.id])
      await query(trx, 'update domains set paused = true where id = ?', [domain.id])
      await publishDomains(trx, [domain.id])
    })
    expect((await t.set(domain, { ipv4: '203.0.113.7' })).kind).toBe('changed')
    const told = replay(await toldSets(t.knex, domain.zone_id))
    expect(told['home.homing.test']).toBeUndefined()
    await t.expectFeedEqualsTables()
  })

  test('another version than the caller’s', async () => {
    const domain = await t.made('home')
    expect((await t.set(domain, { ipv4: '203.0.113.7', expectedVersion: 1 })).kind).toBe('changed')
    expect(await t.set(domain, { ipv4: '203.0.113.8', expectedVersion: 1 })).toEqual({
      kind: 'version-mismatch',
      version: 2,
    })
  })
})

describe('wildcards', () => {
  test('follow both families of their base in the same set', async () => {
    const base = await t.made('home')
    const wildcard = await t.made('*.home', '192.0.2.1', { baseId: base.id })
    await t.set(base, { ipv4: '203.0.113.7', ipv6: '2001:db8::7' })
    await t.set(base, { ipv4: null })
    expect(await t.stored(wildcard)).toMatchObject({
      record_ipv4: null,
      record_ipv6: '2001:db8::7',
    })
    const last = (await toldSets(t.knex, base.zone_id)).at(-1)
    expect(new Set(last?.owners.keys())).toEqual(
      new Set(['*.home.homing.test', 'home.homing.test']),
    )
    await t.expectFeedEqualsTables()
  })

  test('cannot be changed alone', async () => {
    const base = await t.made('home')
    const wildcard = await t.made('*.home', '192.0.2.1', { baseId: base.id })
    expect(await t.set(wildcard, { ipv4: '203.0.113.7' })).toEqual({
      kind: 'wildcard',
      baseId: base.id,
    })
  })

  test('a new one is included while its base waits', async () => {
    const base = await t.made('home')
    const creating = await t.held(base)
    const update = t.set(base, { ipv4: '203.0.113.7' })
    const wildcard = await insertDomain(creating, {
      userId: t.user,
      fqdn: '*.home.homing.test',
      ipv4: '192.0.2.1',
      baseId: base.id,
    })
    await publishDomains(creating, [wildcard.id])
    await creating.commit()
    expect((await update).kind).toBe('changed')
    expect((await t.stored(wildcard))?.record_ipv4).toBe('203.0.113.7')
    await t.expectFeedEqualsTables()
  })

  test('locked by another transaction: the base waits with it', async () => {
    const base = await t.made('home')
    const wildcard = await t.made('*.home', '192.0.2.1', { baseId: base.id })
    const holder = await t.held(wildcard)
    const update = t.set(base, { ipv4: '203.0.113.7' })
    expect((await t.set(await t.made('free'), { ipv4: '203.0.113.8' })).kind).toBe('changed')
    expect((await t.stored(base))?.record_ipv4).toBe('192.0.2.1')
    await holder.rollback()
    expect((await update).kind).toBe('changed')
    expect((await t.stored(wildcard))?.record_ipv4).toBe('203.0.113.7')
  })
})

test('a zone without a serial affects only its own names', async () => {
  const [home, there] = [
    await t.made('home'),
    await t.made('home', '192.0.2.1', { zone: 'other.test' }),
  ]
  await query(t.knex, 'delete from zone_serials where zone_id = ?', [there.zone_id])
  const blocker = t.set(await t.made('first'), { ipv4: '203.0.113.1' })
  const outcomes = await Promise.allSettled([
    t.set(there, { ipv4: '203.0.113.2' }),
    t.set(home, { ipv4: '203.0.113.3' }),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(await t.stored(there)).toEqual(there)
  await blocker
})
