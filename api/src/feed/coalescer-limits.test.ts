/** What is refused, lost or kept when PostgreSQL, its connections or its locks fail. */
import { describe, expect, test } from 'vitest'
import { connect } from '../database/connect.ts'
import { openSilentProxy } from '../../test/support/silent-proxy.ts'
import { Overloaded, UpdateNotStored } from './address-change.ts'
import { AddressCoalescer } from './coalescer.ts'
import { query } from '../database/sql.ts'
import { useCoalescerWorld } from '../../test/support/coalescer-world.ts'

const t = useCoalescerWorld()

/** Silence is noticed after little more than a second. */
const SHORT_LIMITS = { lockMs: 200, statementMs: 200, idleInTransactionMs: 200 }

describe('limits and failures', () => {
  test('over the bound: refused at once, accepted changes are completed', async () => {
    const domain = await t.made('home')
    const small = new AddressCoalescer({ knex: t.knex, maxQueued: 3 })
    const taken = [1, 2, 3].map((n) => t.set(domain, { ipv4: `203.0.113.${n}` }, small))
    await expect(t.set(domain, { ipv4: '203.0.113.4' }, small)).rejects.toThrow(Overloaded)
    expect((await Promise.all(taken)).map((verdict) => verdict.kind)).toEqual(
      taken.map(() => 'changed'),
    )
    expect((await t.set(domain, { ipv4: '203.0.113.4' }, small)).kind).toBe('changed')
  })

  test('drain waits for all submitted changes', async () => {
    const domain = await t.made('home')
    let done = false
    const verdict = t.set(domain, { ipv4: '203.0.113.7' }).then(() => (done = true))
    await t.coalescer.drain()
    expect(t.coalescer.queued).toBe(0)
    await verdict
    expect(done).toBe(true)
  })

  test('no database: every caller gets the error and nothing stays queued', async () => {
    const nowhere = connect({
      url: 'postgresql://nobody@127.0.0.1:1/none',
      applicationName: 'feed-test',
    })
    const domain = await t.made('home')
    const lost = new AddressCoalescer({ knex: nowhere })
    const outcomes = await Promise.allSettled([
      t.set(domain, { ipv4: '203.0.113.7' }, lost),
      t.set(domain, { ipv4: '203.0.113.8' }, lost),
    ])
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ reason: expect.any(UpdateNotStored) })
    }
    expect(lost.queued).toBe(0)
    await nowhere.destroy()
  })

  test('a database that falls silent: all waiting callers get the error together, and later ones are served again', async () => {
    const domains = [await t.made('a'), await t.made('b')]
    const proxy = await openSilentProxy(t.feed.url)
    const knex = connect({ url: proxy.url, limits: SHORT_LIMITS, applicationName: 'silent' })
    const cut = new AddressCoalescer({ knex, writeLanes: 1 })
    await Promise.all(domains.map((domain) => t.set(domain, { ipv4: '203.0.113.1' }, cut)))
    const openedBefore = proxy.opened()

    proxy.silence()
    const waiting = domains.flatMap((domain) =>
      Array.from({ length: 5 }, async (_, n) => t.set(domain, { ipv4: `203.0.113.${n + 2}` }, cut)),
    )
    const outcomes = await Promise.allSettled(waiting)
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(UpdateNotStored) })
    }
    // A further wait would have been for another connection.
    expect(proxy.opened()).toBe(openedBefore)
    expect(cut.queued).toBe(0)

    proxy.speak()
    const verdicts = await Promise.all(
      domains.map((domain) => t.set(domain, { ipv4: '203.0.113.99' }, cut)),
    )
    expect(verdicts).toMatchObject([{ kind: 'changed' }, { kind: 'changed' }])
    await knex.destroy()
    proxy.close()
    await t.expectFeedEqualsTables()
  })

  test('connections killed in the middle: every acknowledged change is stored, nothing hangs', async () => {
    const domains = await Promise.all(Array.from({ length: 30 }, (_, n) => t.made(`n${n}`)))
    const pool = t.feed.connectAgain({ maxConnections: 3 })
    const replica = new AddressCoalescer({ knex: pool })
    const acknowledged = new Map<string, string>()
    const failures: unknown[] = []
    for (let round = 1; round <= 20; round += 1) {
      const updates = domains.map(async (domain, n) => {
        const ipv4 = `10.${round}.0.${n}`
        try {
          const verdict = await t.set(domain, { ipv4 }, replica)
          if (verdict.kind === 'changed') acknowledged.set(domain.id, ipv4)
        } catch (error) {
          failures.push(error)
        }
      })
      await query(
        t.knex,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and (xact_start is not null or state = 'active')`,
      )
      await Promise.all(updates)
    }
    for (const domain of domains) {
      const events = await query<{ new_ipv4: string }>(
        t.knex,
        'select new_ipv4 from domain_events where domain_id = ? order by id',
        [domain.id],
      )
      const told = acknowledged.get(domain.id)
      const history = ['192.0.2.1', ...events.map((event) => event.new_ipv4)]
      expect(history).toContain(told ?? '192.0.2.1')
      expect(history.at(-1)).toBe((await t.stored(domain))?.record_ipv4)
    }
    expect(failures.filter((error) => !(error instanceof UpdateNotStored))).toEqual([])
    await t.expectFeedEqualsTables()
  })
})
