/** What stands at, above and below the owner names that a change of records is about, read after the account is locked. */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import type { FoundPlace } from '../models/record-place.ts'
import { isBelow, ZoneRecord, type RecordRow } from '../models/record.ts'
import { everyColumnOf } from '../models/table.ts'
import { Standing } from '../rules/records-conflicts.ts'
import { namesAtOrAbove } from '../rules/names.ts'
import { lockNamedDomains, type NamedDomain } from './lock-named-domains.ts'
import { lockDomains } from './lock-order.ts'

export interface HeldRecords {
  readonly standing: Standing
  /** The rows of users by id. */
  readonly byId: ReadonlyMap<string, RecordRow>
  /** The row of a user with this owner name and type. */
  readonly find: (owner: string, type: string) => RecordRow | undefined
  /** Domains of the place, by their names. */
  readonly domains: ReadonlyMap<string, NamedDomain>
}

/** Names that administrators have locked, at and above owner names. They are read once the domains are locked. */
export type NameLocks = ReadonlySet<string>

// Lateral, so that each name is looked up by an index.
const DOMAINS = `
  select d.id, d.fqdn, d.is_active from domains d where d.user_id = ? and d.zone_id = ? and d.fqdn = any (?::text[])
  union all
  select d.id, d.fqdn, d.is_active from unnest(?::text[]) as b(name)
  cross join lateral (select id, fqdn, is_active, user_id from domains where ${isBelow('fqdn', 'b.name')}) as d
  where d.user_id = ?`

const RECORDS_AT = `
  select ${everyColumnOf(ZoneRecord, 'r')} from records r where r.zone_id = ? and r.owner = any (?::text[])`

const RECORDS = `${RECORDS_AT}
  union all
  select ${everyColumnOf(ZoneRecord, 'r')} from unnest(?::text[]) as b(name)
  cross join lateral (
    select * from records where zone_id = ? and user_id is not null and ${isBelow('owner', 'b.name')}) as r`

const LOCKED_NAMES = 'select fqdn from locked_names where fqdn = any (?::text[])'

// Each row has all locked names: there are hardly ever any. Without a record there is one row, without an id.
const withLocks = (records: string) => `
  select locks.*, ${everyColumnOf(ZoneRecord, 'r')}
  from (select array(${LOCKED_NAMES}) as locked_names) as locks left join (${records}) as r on true`

// A provider's zone can have a million of them, and none below a user's domain.
const SYSTEM_RECORDS = `
  select ${everyColumnOf(ZoneRecord, 'r')} from records r where r.zone_id = ? and r.user_id is null`

/** The owner names that a change is about. */
export interface AskedOwners {
  readonly owners: readonly string[]
  /** Those of them where it matters what lies below: of NS and CNAME records. */
  readonly covering: readonly string[]
}

function heldOf(
  place: FoundPlace,
  domains: readonly NamedDomain[],
  rows: readonly RecordRow[],
): HeldRecords {
  const { fqdn } = place
  const standing = new Standing(
    place,
    domains.map((domain) => domain.fqdn),
  )
  const byId = new Map<string, RecordRow>()
  const byKey = new Map<string, RecordRow>()
  for (const row of rows) {
    if (row.owner !== fqdn && !row.owner.endsWith(`.${fqdn}`)) continue
    const isUsers = row.user_id !== null
    standing.put(row.owner, { type: row.type, values: row.rdata, isUsers })
    if (!isUsers) continue
    byId.set(row.id, row)
    byKey.set(`${row.owner} ${row.type}`, row)
  }
  return {
    standing,
    byId,
    find: (owner, type) => byKey.get(`${owner} ${type}`),
    domains: new Map(domains.map((domain) => [domain.fqdn, domain])),
  }
}

type RowWithLocks = { readonly locked_names: readonly string[] } & (
  | RecordRow
  | Readonly<Record<keyof RecordRow, null>>
)

/** Locks the domains of a place at and above owner names, and reads what decides about these names. */
export async function holdOwners(
  trx: Knex.Transaction,
  place: FoundPlace,
  { owners, covering }: AskedOwners,
): Promise<{ readonly held: HeldRecords; readonly locks: NameLocks }> {
  const { zoneId, fqdn } = place
  const above = new Set(owners.flatMap(namesAtOrAbove))
  const locked = [...new Set([...above, fqdn])].filter((name) => name.length >= fqdn.length)
  const wildcards = locked.filter((name) => !name.startsWith('*.')).map((name) => `*.${name}`)
  const asked = { locked, read: wildcards, above: covering }
  const domains = await lockNamedDomains(trx, place, asked)
  const names = [...new Set([...locked, ...wildcards])]
  const values = [[...above], zoneId, names]
  // As in `lockNamedDomains`, an empty search below names has a statement of its own.
  const [name, sql, given] =
    covering.length === 0
      ? ['held-records', withLocks(RECORDS_AT), values]
      : ['held-records-below', withLocks(RECORDS), [...values, covering, zoneId]]
  const rows = await query<RowWithLocks>(trx, sql, given, name)
  const records = rows.filter((row) => row.id !== null)
  return { held: heldOf(place, domains, records), locks: new Set(rows[0]?.locked_names) }
}

/** Reads all that stands in a place. */
export async function readPlace(trx: Knex.Transaction, place: FoundPlace): Promise<HeldRecords> {
  const { userId, zoneId, fqdn } = place
  const names = [fqdn]
  const domains = await query<NamedDomain>(trx, DOMAINS, [userId, zoneId, names, names, userId])
  const rows = await query<RecordRow>(trx, RECORDS, [zoneId, names, names, zoneId])
  if (place.isOwnZone) rows.push(...(await query<RecordRow>(trx, SYSTEM_RECORDS, [zoneId])))
  return heldOf(place, domains, rows)
}

// A file has names by the hundred thousand, with those above them. Locks are few.
const LOCKS_AROUND = `
  select fqdn from locked_names where fqdn = any (names_at_or_above(?))
  union all
  select l.fqdn from unnest(array[?]::text[]) as b(name)
  cross join lateral (select fqdn from locked_names where ${isBelow('fqdn', 'b.name')}) as l`

/** Locks the domains at and above owner names in a place that was read. */
export async function lockOwners(
  trx: Knex.Transaction,
  { domainId, fqdn }: FoundPlace,
  { domains }: HeldRecords,
  owners: readonly string[],
): Promise<NameLocks> {
  const ids = new Set(domainId === null ? [] : [domainId])
  for (const owner of domains.size === 0 ? [] : owners) {
    for (const name of namesAtOrAbove(owner)) {
      const id = domains.get(name)?.id
      if (id !== undefined) ids.add(id)
    }
  }
  await lockDomains(trx, [...ids])
  return locksAround(trx, fqdn)
}

/** The locked names at, above and below a name. */
export async function locksAround(db: Knex, fqdn: string): Promise<NameLocks> {
  const locks = await query<{ fqdn: string }>(db, LOCKS_AROUND, [fqdn, fqdn], 'locks-around')
  return new Set(locks.map((lock) => lock.fqdn))
}
