/** Names that users own (table `domains`). */
import type { AdminDomain, Domain as DomainBody } from '@homing/openapi'
import type { Knex } from 'knex'
import { WITHHELD_REASONS } from '@homing/openapi/vocabulary'
import { raw } from 'objection'
import { type KeyScope, type Reach, scopeHolds } from '../rules/key-scope.ts'
import { boolean, integer } from './columns.ts'
import { OWN_COLUMNS } from './domain-columns.ts'
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
  ...OWN_COLUMNS,
  is_wildcard: boolean,
  /** Seconds. */
  ttl: integer,
  locked: boolean,
  over_limit: boolean,
  owner_blocked: boolean,
  /** Computed by the database: false while `paused` or one of the three fields above withholds the name. */
  is_active: boolean,
  /** While its web forward is in force, also for a wildcard: DNS then publishes the forwarders' addresses. */
  is_forwarded: boolean,
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

    /** Registered names, without the wildcards below them. */
    bases(query: TableQuery<Domain>): void {
      query.where(columnOf(query, 'is_wildcard'), false)
    },

    /**
     * Selects plain rows of `OwnedDomain`. Conditions can use the tables `domains`, `zone` and
     * `owner`.
     */
    shown(query: TableQuery<Domain>): void {
      query
        .joinRelated('[zone, owner]')
        .select(columnsOf(Domain, SHOWN), 'zone.name as zone', 'owner.username')
        .select(HAS_WILDCARD, UPDATE_CLIENT)
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

/** The columns that the owner of a domain sees. */
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
  ...WITHHELD_REASONS,
  'note',
  'tags',
  'version',
  'last_update_at',
  'created_at',
  'created_cc',
] as const

// Not `exists`: PostgreSQL can turn that into a scan of the whole table, which looks cheap while the table is small and
// is repeated for each list.
const HAS_WILDCARD = raw(
  '(select true from domains w where w.base_id = domains.id) is not null as wildcard_enabled',
)

// A wildcard follows the updates of its domain. What administrators do has no client for the owner.
const UPDATE_CLIENT = raw(
  `(select case when e.actor = 'administrator' then null else e.client end from domain_events e
    where e.domain_id = coalesce(domains.base_id, domains.id) and e.kind in ('created', 'address')
    order by e.id desc limit 1) as last_update_client`,
)

/** A domain as its owner sees it: with its zone, its owner's name, and whether it has a wildcard. */
export type OwnedDomain = Pick<Row<typeof Domain>, (typeof SHOWN)[number]> & {
  readonly zone: string
  readonly username: string
  readonly wildcard_enabled: boolean
  /** The client of the last change of the addresses, or of the registration. */
  readonly last_update_client: string | null
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

/** The ids of an account's domains in a scope. An account has few domains, so this uses the same rule as elsewhere. */
export async function idsInScope(db: Knex, userId: string, scope: KeyScope): Promise<string[]> {
  const domains = await Domain.query(db)
    .modify('ownedBy', userId)
    .select('id', 'fqdn')
    .toKnexQuery<Pick<OwnedDomain, 'id' | 'fqdn'>>()
  return domains.filter(({ fqdn }) => scopeHolds(scope, fqdn)).map(({ id }) => id)
}

/** The fields that everyone with access to a domain sees, as JSON. */
export function domainFields(domain: OwnedDomain): Omit<AdminDomain, 'base_id'> {
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
    withheld_by: WITHHELD_REASONS.filter((reason) => domain[reason]),
    // Monitors are separate objects, and no domain has one yet.
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

/** A domain as JSON for its owner. */
export function domainBody(domain: OwnedDomain): DomainBody {
  const { paused, note, version, last_update_at } = domain
  const last_update_client = last_update_at === null ? null : domain.last_update_client
  const own = { last_update_client, paused, note, tags: [...domain.tags], version }
  return { ...domainFields(domain), ...own }
}
