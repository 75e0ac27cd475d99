/** Names that users own (table `domains`). */
import type { Domain as DomainBody } from '@homing/openapi'
import type { Knex } from 'knex'
import { raw } from 'objection'
import { type KeyScope, type Reach, scopeHolds } from '../rules/key-scope.ts'
import { bigint, boolean, inet, integer, nullable, text, textOf, timestamptz } from './columns.ts'
import { containing } from './list.ts'
import { readPrepared } from './prepared.ts'
import {
  belongsTo,
  columnOf,
  columnsOf,
  ownedBy,
  type Row,
  table,
  type TableQuery,
} from './table.ts'
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
  /** Of the address that `record_ip` of the contract is. */
  rrtype: textOf<'A' | 'AAAA'>(),
  record_ipv4: nullable(inet),
  record_ipv6: nullable(inet),
  /** Seconds. */
  ttl: integer,
  locked: boolean,
  paused: boolean,
  over_limit: boolean,
  owner_blocked: boolean,
  /** Computed by the database: false while one of the four reasons above withholds the name. */
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

  static override readonly modifiers = {
    ownedBy,

    /** Names that were registered, without the wildcards below them. */
    bases(query: TableQuery<Domain>): void {
      query.where(columnOf(query, 'is_wildcard'), false)
    },

    /** Plain rows are `OwnedDomain`. Conditions may name the tables `domains`, `zone` and `owner`. */
    shown(query: TableQuery<Domain>): void {
      query
        .joinRelated('[zone, owner]')
        .select(columnsOf(Domain, SHOWN), 'zone.name as zone', 'owner.username', HAS_WILDCARD)
    },

    /** Domains with this text in their name or in an address. */
    matching(query: TableQuery<Domain>, text: string): void {
      const part = containing(text.toLowerCase())
      query.where((either) => {
        either
          .where('domains.fqdn', 'like', part)
          .orWhereRaw('host(domains.record_ipv4) like ?', part)
          .orWhereRaw('host(domains.record_ipv6) like ?', part)
      })
    },
  }
}

/** What everybody sees who may see a domain. */
const SHOWN = [
  'id',
  'user_id',
  'zone_id',
  'base_id',
  'fqdn',
  'is_wildcard',
  'rrtype',
  'record_ipv4',
  'record_ipv6',
  'ttl',
  'is_active',
  'version',
  'last_update_at',
  'created_at',
  'created_cc',
] as const

// No `exists`: PostgreSQL may turn that into one reading of the whole table, which looks cheap while the table is small
// and is repeated for each list.
const HAS_WILDCARD = raw(
  '(select true from domains w where w.base_id = domains.id) is not null as wildcard_enabled',
)

/** A domain as its owner sees it: with its zone, its owner's name, and whether it has a wildcard. */
export type OwnedDomain = Pick<Row<typeof Domain>, (typeof SHOWN)[number]> & {
  readonly zone: string
  readonly username: string
  readonly wildcard_enabled: boolean
}

/** The domain with this id or name, if the caller reaches it. */
export async function findOwnedDomain(
  db: Knex,
  { userId, scope }: Reach,
  key: { readonly id: string } | { readonly fqdn: string },
): Promise<OwnedDomain | undefined> {
  const [column, value] = 'id' in key ? (['id', key.id] as const) : (['fqdn', key.fqdn] as const)
  const [domain] = await readPrepared<OwnedDomain>(db, {
    name: `domain by ${column}`,
    build: () =>
      Domain.query(db).modify('shown').modify('ownedBy', userId).where(`domains.${column}`, value),
    values: [userId, value],
  })
  if (domain === undefined || scope === undefined) return domain
  return scopeHolds(scope, domain.fqdn) ? domain : undefined
}

/** The ids of an account's domains in a scope. An account has few, so the rule that decides elsewhere decides here too. */
export async function idsInScope(db: Knex, userId: string, scope: KeyScope): Promise<string[]> {
  const domains = await Domain.query(db)
    .modify('ownedBy', userId)
    .select('id', 'fqdn')
    .toKnexQuery<Pick<OwnedDomain, 'id' | 'fqdn'>>()
  return domains.filter(({ fqdn }) => scopeHolds(scope, fqdn)).map(({ id }) => id)
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
