/** Changes that arrive together share a transaction, while other transactions hold rows. */
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { toldSets } from '../../test/support/feed-world.ts'
import { type Verdict } from './address-change.ts'
import { AddressCoalescer } from './coalescer.ts'
import { publishDomains } from './publish.ts'
import { query } from '../database/sql.ts'
import { actor, useCoalescerWorld } from '../../test/support/coalescer-world.ts'

const t = useCoalescerWorld()

describe('batches', () => {
  test('changes that arrive during a transaction share the next one', async () => {
    const domains = await Promise.all(Array.from({ length: 40 }, (_, n) => t.made(`n${n}`)))
    const sets = (await toldSets(t.knex, domains[0]?.zone_id ?? '')).length
    const verdicts = await Promise.all(
      domains.map((domain, n) => t.set(domain, { ipv4: `203.0.113.${n}` })),
    )
    expect(verdicts.every((verdict) => verdict.kind === 'changed')).toBe(true)
    const more = (await toldSets(t.knex, domains[0]?.zone_id ?? '')).length - sets
    expect(more).toBeLessThan(10)
    await t.expectFeedEqualsTables()
  })

  test('a single change is stored at once; those behind it wait a moment for others', async () => {
    const domains = await Promise.all(['a', 'b', 'c'].map((label) => t.made(label)))
    const zoneId = domains[0]?.zone_id ?? ''
    const sets = async () => (await toldSets(t.knex, zoneId)).length
    const before = await sets()
    // Time stands still: a change that is stored now did not wait for the interval.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const [first, ...behind] = domains.map((domain, n) =>
      t.set(domain, { ipv4: `203.0.113.${n}`, seenVersion: domain.version }),
    )
    expect((await first)?.kind).toBe('changed')
    expect((await sets()) - before).toBe(1)
    await vi.advanceTimersToNextTimerAsync()
    expect((await Promise.all(behind)).map(({ kind }) => kind)).toEqual(['changed', 'changed'])
    expect((await sets()) - before).toBe(2)
    await t.expectFeedEqualsTables()
  })

  test('changes of one name keep their order, one after the other', async () => {
    const domain = await t.made('home')
    const verdicts = await Promise.all(
      Array.from({ length: 30 }, (_, n) => t.set(domain, { ipv4: `203.0.113.${n}` })),
    )
    expect(verdicts).toEqual(
      Array.from({ length: 30 }, (_, n) => ({ kind: 'changed', version: n + 2 })),
    )
    expect((await t.stored(domain))?.record_ipv4).toBe('203.0.113.29')
    const events = await query<{ old_ipv4: string; new_ipv4: string }>(
      t.knex,
      'select old_ipv4, new_ipv4 from domain_events order by id',
    )
    for (const [n, event] of events.entries()) {
      expect(event.old_ipv4).toBe(n === 0 ? '192.0.2.1' : events[n - 1]?.new_ipv4)
    }
  })

  test('several zones in one batch: each is published', async () => {
    const here = await t.made('home')
    const there = await t.made('home', '192.0.2.1', { zone: 'other.test' })
    const blocker = await t.made('first')
    const verdicts = await Promise.all([
      t.set(blocker, { ipv4: '203.0.113.1' }),
      t.set(there, { ipv4: '203.0.113.2' }),
      t.set(here, { ipv4: '203.0.113.3' }),
    ])
    expect(verdicts.map((verdict) => verdict.kind)).toEqual(['changed', 'changed', 'changed'])
    await t.expectFeedEqualsTables('homing.test')
    await t.expectFeedEqualsTables('other.test')
  })

  test('verdicts of all kinds side by side', async () => {
    const [changed, same, locked, stale] = await Promise.all(
      ['a', 'b', 'c', 'd'].map((label) => t.made(label)),
    )
    if (!changed || !same || !locked || !stale) throw new Error('four domains')
    await t.assign(locked, 'locked = true')
    const blocker = t.set(await t.made('first'), { ipv4: '203.0.113.1' })
    const verdicts = await Promise.all([
      t.set(changed, { ipv4: '203.0.113.7' }),
      t.set(same, { ipv4: '192.0.2.1' }),
      t.set(locked, { ipv4: '203.0.113.7' }),
      t.set(stale, { ipv4: '203.0.113.7', expectedVersion: 9 }),
      t.set(changed, { domainId: '999999' }),
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
    ['an invalid address', { ipv4: 'not-an-address' }],
    ['an address of the wrong family', { ipv4: '2001:db8::1' }],
    ['a client that PostgreSQL cannot store', { actor: { ...actor, client: 'nul\u0000' } }],
    ['an id that is not a number', { domainId: 'abc' }],
  ])('one bad row (%s) fails alone', async (_, bad) => {
    const domains = await Promise.all(Array.from({ length: 6 }, (_unused, n) => t.made(`n${n}`)))
    const outcomes = await Promise.allSettled(
      domains.map((domain, n) =>
        t.set(domain, n === 3 ? { ipv4: '203.0.113.9', ...bad } : { ipv4: `203.0.113.${n}` }),
      ),
    )
    const kinds = outcomes.map((o) => (o.status === 'fulfilled' ? o.value.kind : o.reason.name))
    expect(kinds).toEqual(domains.map((_domain, n) => (n === 3 ? 'UpdateNotStored' : 'changed')))
    await t.expectFeedEqualsTables()
  })
})

describe('concurrent transactions', () => {
  test('a row that another connection holds delays its own caller only', async () => {
    const busy = await t.made('busy')
    const free = await t.made('free')
    const holder = await t.held(busy)
    const waiting = t.set(busy, { ipv4: '203.0.113.1' })
    for (const n of [2, 3, 4]) {
      expect((await t.set(free, { ipv4: `203.0.113.${n}` })).kind).toBe('changed')
    }
    expect(t.coalescer.queued).toBe(1)
    await holder.commit()
    expect((await waiting).kind).toBe('changed')
    await t.expectFeedEqualsTables()
  })

  test('a change of the row by its holder is judged again', async () => {
    const domain = await t.made('busy')
    const holder = await t.held(domain)
    const waiting = t.set(domain, { ipv4: '203.0.113.1' })
    await query(holder, 'update domains set locked = true where id = ?', [domain.id])
    await publishDomains(holder, [domain.id])
    await holder.commit()
    expect(await waiting).toEqual({ kind: 'withheld', reasons: ['locked'] })
  })

  test('a domain that is deleted while its update waits', async () => {
    const domain = await t.made('busy')
    const holder = await t.held(domain)
    const waiting = t.set(domain, { ipv4: '203.0.113.1' })
    await query(holder, 'delete from domains where id = ?', [domain.id])
    await holder.commit()
    expect(await waiting).toEqual({ kind: 'gone' })
  })

  test('three replicas on the same names: every acknowledged change is in the history, the feed equals the tables', async () => {
    const domains = await Promise.all(Array.from({ length: 20 }, (_, n) => t.made(`n${n}`)))
    const replicas = [
      t.coalescer,
      ...[1, 2].map(() => new AddressCoalescer({ knex: t.feed.connectAgain() })),
    ]
    const verdicts = await Promise.all(
      replicas.flatMap((replica, r) =>
        domains.flatMap((domain, n) =>
          Array.from({ length: 10 }, (_, round) =>
            t.set(domain, { ipv4: `10.${r}.${n}.${round}` }, replica),
          ),
        ),
      ),
    )
    expect(verdicts.filter((verdict: Verdict) => verdict.kind === 'changed')).toHaveLength(600)
    expect(await t.countOf('domain_events')).toBe(600)
    for (const domain of domains) expect((await t.stored(domain))?.version).toBe(31)
    await t.expectFeedEqualsTables()
  })
})
