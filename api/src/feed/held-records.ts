/** What stands at, above and below the owner names that a change of records is about, read after the account is locked. */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import type { FoundPlace } from '../models/record-place.ts'
import { ZoneRecord, type RecordRow } from '../models/record.ts'
import { everyColumnOf } from '../models/table.ts'
import { Standing } from '../rules/records-conflicts.ts'
import { namesAtOrAbove } from '../rules/names.ts'
import type { RecordDomain } from './records.ts'

/** A domain of the place, or above it. */
export interface HeldDomainName extends RecordDomain {
  readonly is_active: boolean
}

export interface HeldRecords {
  readonly standing: Standing
  /** The rows of users by id. */
  readonly byId: ReadonlyMap<string, RecordRow>
  /** The row of a user with this owner name and type. */
  readonly find: (owner: string, type: string) => RecordRow | undefined
  readonly domains: ReadonlyMap<string, HeldDomainName>
}

// '.' and '/' are neighbours in ASCII: every name from "moc.elpmaxe." up to "moc.elpmaxe/" lies below example.com.
const below = (column: string) =>
  `reverse(${column}) ~>=~ (reverse(b.name) || '.') and reverse(${column}) ~<~ (reverse(b.name) || '/')`

// Lateral, so that each name is looked up by an index.
const DOMAINS = `
  select d.id, d.fqdn, d.is_active from domains d where d.user_id = ? and d.zone_id = ? and d.fqdn = any (?::text[])
  union all
  select d.id, d.fqdn, d.is_active from unnest(?::text[]) as b(name)
  cross join lateral (select id, fqdn, is_active, user_id from domains where ${below('fqdn')}) as d
  where d.user_id = ?`

const RECORDS = `
  select ${everyColumnOf(ZoneRecord, 'r')} from records r where r.zone_id = ? and r.owner = any (?::text[])
  union all
  select ${everyColumnOf(ZoneRecord, 'r')} from unnest(?::text[]) as b(name)
  cross join lateral (
    select * from records where zone_id = ? and user_id is not null and ${below('owner')}) as r`

// A provider's zone can have a million of them, and none below a user's domain.
const SYSTEM_RECORDS = `
  select ${everyColumnOf(ZoneRecord, 'r')} from records r where r.zone_id = ? and r.user_id is null`

/** The names that decide about records at these owner names. */
function namesOf({ fqdn }: FoundPlace, owners: readonly string[]): string[] {
  const above = owners.flatMap((owner) =>
    namesAtOrAbove(owner).filter((name) => name.length >= fqdn.length),
  )
  const wildcards = above.filter((name) => !name.startsWith('*.')).map((name) => `*.${name}`)
  return [...new Set([...above, ...wildcards, fqdn])]
}

/** The owner names that a change is about. */
export interface AskedOwners {
  readonly owners: readonly string[]
  /** Those of them where it matters what lies below: of NS and CNAME records. */
  readonly covering: readonly string[]
}

/**
 * Reads what decides about these owner names.
 *
 * @param asked undefined: the whole place
 */
export async function holdRecords(
  trx: Knex.Transaction,
  place: FoundPlace,
  asked: AskedOwners | undefined,
): Promise<HeldRecords> {
  const { userId, zoneId, fqdn } = place
  const names = asked === undefined ? [fqdn] : namesOf(place, asked.owners)
  const lower = asked?.covering ?? [fqdn]
  const domains = await query<HeldDomainName>(
    trx,
    DOMAINS,
    [userId, zoneId, names, lower, userId],
    'held-domains',
  )
  const rows = await query<RecordRow>(trx, RECORDS, [zoneId, names, lower, zoneId], 'held-records')
  if (asked === undefined && place.isOwnZone) {
    rows.push(...(await query<RecordRow>(trx, SYSTEM_RECORDS, [zoneId], 'held-system-records')))
  }
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
