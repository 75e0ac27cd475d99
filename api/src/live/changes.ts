/** What changed after a position in the feed, for the accounts that follow. Every query names these accounts. */
import type { MonitorKind, MonitorState } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { Domain, type OwnedDomain } from '../models/domain.ts'
import { readPrepared } from '../models/prepared.ts'
import { namesAtOrAbove } from '../rules/names.ts'
import type { FeedPosition } from './feed-position.ts'

/** Maximum number of changes of a zone in one read. After more of them, clients read their lists again. */
const CHANGES_LIMIT = 5_000

interface ZoneRow {
  readonly zone_id: string
  readonly held: string
  /** The zone's serial in the database. */
  readonly present: string
  readonly first: string | null
  readonly count: number
  readonly owners: readonly string[] | null
}

// One statement, so one snapshot: the serials are those of the changes.
const TOUCHED = `
  select s.zone_id, h.serial as held, s.serial as present, c.first, c.count, c.owners
  from unnest(?::bigint[], ?::bigint[]) as h(zone_id, serial)
  join zone_serials s on s.zone_id = h.zone_id and s.serial <> h.serial
  cross join lateral (
    select min(l.serial) as first, count(*)::int as count, array_agg(distinct l.owner) as owners
    from (select z.serial, z.owner from zone_changes z
          where z.zone_id = h.zone_id and z.serial > h.serial limit ${CHANGES_LIMIT + 1}) as l
  ) as c`

export interface Touched {
  /** The positions of the zones that moved. */
  readonly moved: FeedPosition
  /** Owner names with changes. */
  readonly owners: readonly string[]
  /** False: changes are missing, because there are too many, or they are older than the retention of the feed. */
  readonly isComplete: boolean
}

/** The position in a zone that was made after the start: everything in it is new. */
export const BEFORE_ALL = 0n

/**
 * Whether the changes have no gap. A gap means that the database was restored, or that older changes were removed. Serials
 * do not begin at 1, so a new zone has none.
 */
const isWhole = ({ held, first, count }: ZoneRow) =>
  count <= CHANGES_LIMIT &&
  (BigInt(held) === BEFORE_ALL || (first !== null && BigInt(first) === BigInt(held) + 1n))

/** The owner names that changed after a position. */
export async function readTouched(knex: Knex, since: FeedPosition): Promise<Touched> {
  const values = [[...since.keys()], [...since.values()].map(String)]
  const rows = await query<ZoneRow>(knex, TOUCHED, values, 'live-touched')
  const owners = new Set(rows.flatMap(({ owners: each }) => each ?? []))
  return {
    moved: new Map(rows.map(({ zone_id, present }) => [zone_id, BigInt(present)])),
    owners: [...owners],
    isComplete: rows.every(isWhole),
  }
}

/** The serials of all zones. */
export async function readSerials(knex: Knex): Promise<FeedPosition> {
  const sql = 'select zone_id, serial from zone_serials'
  const rows = await query<{ zone_id: string; serial: string }>(knex, sql, [], 'live-serials')
  return new Map(rows.map(({ zone_id, serial }) => [zone_id, BigInt(serial)]))
}

/** The zones in which an account has domains, and its own zones. */
export async function readZoneIds(knex: Knex, accountId: string): Promise<string[]> {
  const sql = `
    select zone_id from domains where user_id = ? union select id from zones where owner_id = ?`
  const rows = await query<{ zone_id: string }>(knex, sql, [accountId, accountId], 'live-zones')
  return rows.map(({ zone_id }) => zone_id)
}

/** A wildcard also changes what its base shows. */
const withBases = (owners: readonly string[]) => [
  ...new Set(owners.flatMap((owner) => [owner, owner.replace(/^\*\./, '')])),
]

/** The nearest of the domains at or above each owner name: the domain to which its records belong. */
function nearestDomains(owners: readonly string[], domains: readonly OwnedDomain[]): Set<string> {
  const known = new Set(domains.flatMap(({ fqdn, is_wildcard }) => (is_wildcard ? [] : [fqdn])))
  return new Set(owners.flatMap((owner) => namesAtOrAbove(owner).find((n) => known.has(n)) ?? []))
}

/** Owner names that changed. */
export interface ChangedOwners {
  readonly owners: readonly string[]
  /** The domains that were deleted meanwhile. Their records went with them, and do not concern the domains above. */
  readonly gone: ReadonlySet<string>
}

/** The present state of those domains with these owner names, or with records there, that belong to the accounts. */
export async function readDomains(
  knex: Knex,
  { owners, gone }: ChangedOwners,
  accountIds: readonly string[],
): Promise<OwnedDomain[]> {
  const own = new Set(withBases(owners))
  const names = [...new Set([...own, ...owners.flatMap(namesAtOrAbove)])]
  const domains = await readPrepared<OwnedDomain>(knex, {
    name: 'live-domains',
    build: () =>
      Domain.query(knex)
        .modify('shown')
        .whereRaw('domains.fqdn = any (?::text[])', [names])
        .whereRaw('domains.user_id = any (?::bigint[])', [accountIds as string[]]),
    values: [names, accountIds],
  })
  const kept = owners.filter((owner) => !namesAtOrAbove(owner).some((name) => gone.has(name)))
  const nearest = nearestDomains(kept, domains)
  return domains.filter(({ fqdn }) => own.has(fqdn) || nearest.has(fqdn))
}

export interface DeletedRow {
  readonly id: string
  readonly user_id: string
  readonly fqdn: string
}

/** Domains with these names that the accounts deleted within a time. */
export async function readDeleted(
  knex: Knex,
  owners: readonly string[],
  accountIds: readonly string[],
  withinSeconds: number,
): Promise<DeletedRow[]> {
  return query<DeletedRow>(
    knex,
    `select domain_id as id, user_id, fqdn from former_domains
     where deleted_at > now() - make_interval(secs => ?) and user_id = any (?::bigint[]) and fqdn = any (?::text[])`,
    [withinSeconds, accountIds, owners],
    'live-deleted',
  )
}

export interface CallRow {
  readonly domain_id: string
  readonly user_id: string
  readonly fqdn: string
  readonly last_at: Date
  readonly is_refused: boolean
  readonly answer: string
}

/** The newest update call of each of these domains that belongs to the accounts. */
export async function readCalls(
  knex: Knex,
  domainIds: readonly string[],
  accountIds: readonly string[],
): Promise<CallRow[]> {
  return query<CallRow>(
    knex,
    `select d.id as domain_id, d.user_id, d.fqdn, c.last_at, c.is_refused, c.answer
     from domains d
     cross join lateral (
       select u.last_at, u.is_refused, u.answer from update_calls u
       where u.domain_id = d.id order by u.last_at desc, u.number desc limit 1
     ) as c
     where d.id = any (?::bigint[]) and d.user_id = any (?::bigint[])`,
    [domainIds, accountIds],
    'live-calls',
  )
}

export interface MonitorRow {
  readonly domain_id: string
  readonly user_id: string
  readonly fqdn: string
  readonly is_enabled: boolean
  readonly kind: MonitorKind | null
  readonly port: number | null
  readonly state: MonitorState
  readonly state_since: Date
  readonly cause_text: string | null
}

/** The monitors of those domains that belong to the accounts. */
export async function readMonitors(
  knex: Knex,
  domainIds: readonly string[],
  accountIds: readonly string[],
): Promise<MonitorRow[]> {
  return query<MonitorRow>(
    knex,
    `select d.id as domain_id, d.user_id, d.fqdn, m.is_enabled, m.kind, m.port, m.state, m.state_since, m.cause_text
     from monitors m join domains d on d.id = m.domain_id
     where d.id = any (?::bigint[]) and d.user_id = any (?::bigint[])`,
    [domainIds, accountIds],
    'live-monitors',
  )
}
