/** Names that users own (table `domains`). */
import type { Domain as DomainBody } from '@homing/openapi'
import type { Knex } from 'knex'
import { type Reach, scopeHolds } from '../domain/key-scope.ts'
import {
  type Condition,
  type Page,
  type PageOfRows,
  select,
  selectPage,
  query,
  type Source,
} from '../sql.ts'
import { bigint, boolean, inet, integer, nullable, text, textOf, timestamptz } from './columns.ts'
import { belongsTo, ownedBy as ownedByAccount, type Row, table } from './table.ts'
import { User } from './user.ts'
import { Zone } from './zone.ts'

export class Domain extends table('domains', {
  id: bigint,
  user_id: bigint,
  zone_id: bigint,
  /** Of a wildcard: the domain whose addresses it follows. */
  base_id: nullable(bigint),
  fqdn: text,
  is_wildcard: boolean,
  /** The type of the address that lists show. */
  rrtype: textOf<'A' | 'AAAA'>(),
  record_ipv4: nullable(inet),
  record_ipv6: nullable(inet),
  /** Seconds. */
  ttl: integer,
  locked: boolean,
  paused: boolean,
  over_limit: boolean,
  owner_blocked: boolean,
  /** Computed by the database: none of the four reasons above withholds it. */
  is_active: boolean,
  version: integer,
  last_update_at: nullable(timestamptz),
  /** When the allowance of changes will be full again; null: it was never used. */
  allowance_full_at: nullable(timestamptz),
  created_at: timestamptz,
  /** ISO 3166-1, two letters. */
  created_cc: nullable(text),
}) {
  declare owner?: User
  declare zone?: Zone
  declare base?: Domain
  static override relationMappings = () => ({
    owner: belongsTo(User, 'domains.user_id'),
    zone: belongsTo(Zone, 'domains.zone_id'),
    base: belongsTo(Domain, 'domains.base_id'),
  })
  static override readonly modifiers = { ownedBy: ownedByAccount }
}

/** Columns that lists of domains show. */
type DomainColumns = Omit<
  Row<typeof Domain>,
  'locked' | 'paused' | 'over_limit' | 'owner_blocked' | 'allowance_full_at'
>

/** A domain as its owner sees it: with its zone, its owner's name, and whether it has a wildcard. */
export interface OwnedDomain extends DomainColumns {
  readonly zone: string
  readonly username: string
  readonly wildcard_enabled: boolean
}

// No `exists`: of that PostgreSQL may make one reading of the whole table, which looks cheap in a small one and is read
// again for each list.
/** Conditions on it name the tables `d` (domains), `z` (zones) and `u` (users). */
export const OWNED_DOMAINS: Source = {
  columns: `
    d.id, d.user_id, d.zone_id, d.base_id, d.fqdn, d.is_wildcard, d.rrtype, d.record_ipv4, d.record_ipv6, d.ttl,
    d.is_active, d.version, d.last_update_at, d.created_at, d.created_cc, z.name as zone, u.username,
    (select true from domains w where w.base_id = d.id) is not null as wildcard_enabled`,
  from: 'domains d join zones z on z.id = d.zone_id join users u on u.id = d.user_id',
}

const ownedBy = ({ userId }: Reach): Condition => ['d.user_id = ?', userId]

/** The one domain that a condition names, if the caller reaches it. */
export async function findOwnedDomain(
  db: Knex,
  reach: Reach,
  condition: Condition,
): Promise<OwnedDomain | undefined> {
  const [domain] = await select<OwnedDomain>(db, OWNED_DOMAINS, [ownedBy(reach), condition])
  if (domain === undefined || reach.scope === undefined) return domain
  return scopeHolds(reach.scope, domain.fqdn) ? domain : undefined
}

/** The names of a scope. An account's names are few, so that one rule decides here as everywhere. */
async function inScope(db: Knex, { userId, scope }: Reach): Promise<Condition[]> {
  if (scope === undefined || scope.domains === null) return []
  const names = await query<{ id: string; fqdn: string }>(
    db,
    'select id, fqdn from domains where user_id = ?',
    [userId],
  )
  const ids = names.filter(({ fqdn }) => scopeHolds(scope, fqdn)).map(({ id }) => id)
  return [['d.id = any (?::bigint[])', ids]]
}

/** A page of the domains that the caller reaches, of those that meet the conditions. */
export async function pageOfOwnedDomains(
  db: Knex,
  reach: Reach,
  conditions: readonly Condition[],
  page: Page,
): Promise<PageOfRows<OwnedDomain>> {
  const all = [ownedBy(reach), ...(await inScope(db, reach)), ...conditions]
  return selectPage(db, OWNED_DOMAINS, all, page)
}

/** What everybody who sees a domain sees of it, as JSON. */
export function domainFields(domain: OwnedDomain): Omit<DomainBody, 'version'> {
  return {
    id: domain.id,
    fqdn: domain.fqdn,
    zone: domain.zone,
    rrtype: domain.rrtype,
    record_ip: domain.rrtype === 'A' ? domain.record_ipv4 : domain.record_ipv6,
    record_ipv4: domain.record_ipv4,
    record_ipv6: domain.record_ipv6,
    ttl: domain.ttl,
    is_active: domain.is_active,
    // A monitor is a thing of its own, and no domain has one.
    monitor_enabled: false,
    is_wildcard: domain.is_wildcard,
    wildcard_enabled: domain.wildcard_enabled,
    last_update_at: domain.last_update_at?.toISOString() ?? null,
    created_at: domain.created_at.toISOString(),
    created_cc: domain.created_cc,
    user_id: domain.user_id,
    username: domain.username,
  }
}
