/** A database with zones, accounts and domains, and functions to compare the feed with the tables. */
import type { Knex } from 'knex'
import { expect } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { type ConnectionLimits, SERVICE_LIMITS } from '../../src/database/connection-limits.ts'
import { connect } from '../../src/database/connect.ts'
import type { DomainRow } from '../../src/feed/rows.ts'
import { query } from '../../src/database/sql.ts'
import { ensureZones } from '../../src/feed/zone-provisioning.ts'

export interface FeedWorld {
  readonly url: string
  readonly knex: Knex
  /** Another pool, like that of another process. It ends with the world. */
  connectAgain(options?: { limits?: ConnectionLimits; maxConnections?: number }): Knex
  end(): Promise<void>
}

export const NAMESERVERS = [
  { hostname: 'ns1.homing.test', ipv4: '192.0.2.53', ipv6: '2001:db8::53' },
  { hostname: 'ns2.homing.test', ipv4: '192.0.2.54' },
]

/** A migrated database with the given provider zones. */
export async function openFeedWorld(zones: string[] = ['homing.test']): Promise<FeedWorld> {
  const database = await createTestDatabase()
  const pools: Knex[] = []
  const connectAgain: FeedWorld['connectAgain'] = (options = {}) => {
    const pool = connect({
      url: database.socketUrl,
      applicationName: 'feed-test',
      limits: options.limits ?? SERVICE_LIMITS,
      maxConnections: options.maxConnections ?? 10,
    })
    pools.push(pool)
    return pool
  }
  const knex = connectAgain()
  await ensureZones(knex, { zones, nameservers: NAMESERVERS })
  return {
    url: database.url,
    knex,
    connectAgain,
    async end() {
      await Promise.all(pools.map((pool) => pool.destroy()))
      await database.drop()
    },
  }
}

export async function zoneId(knex: Knex, name = 'homing.test'): Promise<string> {
  const [row] = await query<{ id: string }>(knex, 'select id from zones where name = ?', [name])
  if (row === undefined) throw new Error(`no zone ${name}`)
  return row.id
}

/** A new account. */
export async function makeUser(knex: Knex, username: string, accountType = 'pro'): Promise<string> {
  const [row] = await query<{ id: string }>(
    knex,
    `insert into users (username, email, password_hash, account_type) values (?, ?, '', ?) returning id`,
    [username, `${username}@mail.test`, accountType],
  )
  if (row === undefined) throw new Error('no user was made')
  return row.id
}

/** Inserts a domain without publishing it: the caller's transaction, or the test, does that. */
export async function insertDomain(
  knex: Knex,
  domain: { userId: string; fqdn: string; zone?: string; ipv4?: string; baseId?: string },
): Promise<DomainRow> {
  const [row] = await query<DomainRow>(
    knex,
    `insert into domains (user_id, zone_id, base_id, fqdn, is_wildcard, rrtype, record_ipv4, ttl)
     values (?, ?, ?, ?, ?, 'A', ?, 60) returning *`,
    [
      domain.userId,
      await zoneId(knex, domain.zone),
      domain.baseId ?? null,
      domain.fqdn,
      domain.baseId !== undefined,
      domain.ipv4 ?? null,
    ],
  )
  if (row === undefined) throw new Error('no domain was made')
  return row
}

/** One change set of the feed. */
export interface ToldSet {
  readonly zoneId: string
  readonly serial: bigint
  readonly token: string
  readonly previousToken: string
  readonly owners: ReadonlyMap<string, unknown>
}

/** All change sets of a zone that are kept, in serial order. */
export async function toldSets(knex: Knex, zone: string): Promise<ToldSet[]> {
  const rows = await query<{
    serial: string
    token: string
    previous_token: string
    owners: Record<string, unknown>
  }>(
    knex,
    `select serial, token, previous_token, jsonb_object_agg(owner, rrsets) as owners
     from dns_change where zone_id = ? group by 1, 2, 3 order by serial`,
    [zone],
  )
  return rows.map((row) => ({
    zoneId: zone,
    serial: BigInt(row.serial),
    token: row.token,
    previousToken: row.previous_token,
    owners: new Map(Object.entries(row.owners)),
  }))
}

/** The state of a follower that has read the feed from its beginning. */
export function replay(sets: readonly ToldSet[]): Record<string, unknown> {
  const held: Record<string, unknown> = {}
  for (const set of sets) {
    for (const [owner, rrsets] of set.owners) {
      if (rrsets === null) delete held[owner]
      else held[owner] = rrsets
    }
  }
  return held
}

/** The result of a full read of the tables, in the form of `replay`. */
export async function tableState(knex: Knex, zone: string): Promise<Record<string, unknown>> {
  const rows = await query<{ owner: string; rrsets: unknown }>(
    knex,
    `select s.owner, s.rrsets
     from (select array_agg(distinct owner) as owners from dns_record where zone_id = ?) as names,
          owner_states(?, names.owners) as s`,
    [zone, zone],
  )
  return Object.fromEntries(rows.map(({ owner, rrsets }) => [owner, rrsets]))
}

/** Checks that the feed of a zone leads to the contents of its tables. */
export async function expectFeedEqualsTables(knex: Knex, zone = 'homing.test'): Promise<void> {
  const id = await zoneId(knex, zone)
  expect(replay(await toldSets(knex, id))).toEqual(await tableState(knex, id))
}
