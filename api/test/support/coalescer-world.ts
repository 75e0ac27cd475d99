/** A coalescer over its own database for each test, and an account with domains. */
import type { Knex } from 'knex'
import { afterEach, beforeEach } from 'vitest'
import type { AddressChange, Verdict } from '../../src/feed/address-change.ts'
import { AddressCoalescer } from '../../src/feed/coalescer.ts'
import { lockDomains } from '../../src/feed/lock-order.ts'
import { publishDomains } from '../../src/feed/publish.ts'
import type { DomainRow } from '../../src/feed/rows.ts'
import { query } from '../../src/database/sql.ts'
import {
  expectFeedEqualsTables,
  type FeedWorld,
  insertDomain,
  makeUser,
  openFeedWorld,
} from './feed-world.ts'

/** The caller that the names' histories record. */
export const actor = {
  kind: 'password',
  id: null,
  sourceIp: '198.51.100.7',
  client: 'ddclient/4',
} as const

export class CoalescerWorld {
  feed!: FeedWorld
  coalescer!: AddressCoalescer
  /** The owner of these domains. */
  user!: string

  get knex(): FeedWorld['knex'] {
    return this.feed.knex
  }

  async open(): Promise<void> {
    this.feed = await openFeedWorld(['homing.test', 'other.test'])
    this.coalescer = new AddressCoalescer({ knex: this.knex })
    this.user = await makeUser(this.knex, 'ada')
  }

  /** A published domain of `user`. */
  async made(
    label: string,
    ipv4 = '192.0.2.1',
    more: { zone?: string; baseId?: string } = {},
  ): Promise<DomainRow> {
    const fqdn = `${label}.${more.zone ?? 'homing.test'}`
    return this.knex.transaction(async (trx) => {
      const row = await insertDomain(trx, { userId: this.user, fqdn, ipv4, ...more })
      await publishDomains(trx, [row.id])
      return row
    })
  }

  async set(
    domain: DomainRow,
    change: Partial<AddressChange>,
    by = this.coalescer,
  ): Promise<Verdict> {
    return by.submit({ domainId: domain.id, userId: this.user, actor, ...change })
  }

  /** The current state of a domain. */
  async stored(domain: DomainRow): Promise<DomainRow | undefined> {
    const [row] = await query<DomainRow>(this.knex, 'select * from domains where id = ?', [
      domain.id,
    ])
    return row
  }

  /** Changes a domain without the coalescer. */
  async assign(domain: DomainRow, assignment: string): Promise<void> {
    await query(this.knex, `update domains set ${assignment} where id = ?`, [domain.id])
  }

  async expectFeedEqualsTables(zone = 'homing.test'): Promise<void> {
    await expectFeedEqualsTables(this.knex, zone)
  }

  async countOf(table: string): Promise<number> {
    const [row] = await query<{ count: string }>(this.knex, `select count(*) from ${table}`)
    return Number(row?.count)
  }

  /** Locks a domain's row as another replica would. */
  async held(domain: DomainRow): Promise<Knex.Transaction> {
    const trx = await this.feed.connectAgain({ maxConnections: 1 }).transaction()
    await lockDomains(trx, [domain.id])
    return trx
  }
}

/** The world of each test of a file. It is open inside tests. */
export function useCoalescerWorld(): CoalescerWorld {
  const opened = new CoalescerWorld()
  beforeEach(() => opened.open())
  afterEach(async () => {
    await opened.coalescer.drain()
    await opened.feed.end()
  })
  return opened
}
