/** Names that users own (table `domains`). */
import type { AdminDomain, Domain as DomainBody } from '@homing/openapi'
import type { Knex } from 'knex'
import { type MonitorKind, type MonitorState, WITHHELD_REASONS } from '@homing/openapi/vocabulary'
import { isIPv4 } from 'node:net'
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
     * Selects plain rows of `OwnedDomain`. Conditions can use the tables `domains`, `zone`, `owner` and
     * `monitor`.
     */
    shown(query: TableQuery<Domain>): void {
      query
        .joinRelated('[zone, owner]')
        .leftJoin('monitors as monitor', 'monitor.domain_id', 'domains.id')
        .select(
          columnsOf(Domain, SHOWN),
          'zone.name as zone',
          'zone.is_own as is_in_own_zone',
          'owner.username',
        )
        .select('monitor.is_enabled as monitor_enabled', 'monitor.kind as monitor_kind')
        .select('monitor.port as monitor_port', 'monitor.state as monitor_state')
        .select(HAS_WILDCARD, FORWARD_ADDRESSES)
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
  'is_forwarded',
  ...WITHHELD_REASONS,
  'note',
  'tags',
  'version',
  'last_update_at',
  'last_update_client',
  'created_at',
  'created_cc',
] as const

// Not `exists`: PostgreSQL can turn that into a scan of the whole table, which looks cheap while the table is small and
// is repeated for each list.
const HAS_WILDCARD = raw(
  '(select true from domains w where w.base_id = domains.id) is not null as wildcard_enabled',
)

// PostgreSQL reads the list at most once for a query, and only if one of the domains is forwarded.
const FORWARD_ADDRESSES = raw(
  `case when domains.is_forwarded then
     coalesce((select array_agg(host(address) order by address) from forward_addresses), '{}') end as forward_addresses`,
)

/** A domain as its owner sees it: with its zone, its owner's name, its monitor, and whether it has a wildcard. */
export type OwnedDomain = Pick<Row<typeof Domain>, (typeof SHOWN)[number]> & {
  readonly zone: string
  /** Whether the zone is its owner's. */
  readonly is_in_own_zone: boolean
  readonly username: string
  readonly wildcard_enabled: boolean
  /** Null: the domain was never monitored. Then the other three are null, too. */
  readonly monitor_enabled: boolean | null
  readonly monitor_kind: MonitorKind | null
  readonly monitor_port: number | null
  readonly monitor_state: MonitorState | null
  /** The addresses of the forwarding servers; null: the domain is not forwarded. */
  readonly forward_addresses: readonly string[] | null
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

/** The addresses that DNS publishes for a domain, as the view `dns_record` gives them. */
function publishedAddresses(domain: OwnedDomain) {
  const { is_active, forward_addresses, record_ipv4, record_ipv6 } = domain
  const own = [record_ipv4, record_ipv6].filter((address) => address !== null)
  const all = is_active ? (forward_addresses ?? own) : []
  return {
    published_ipv4: all.filter((address) => isIPv4(address)),
    published_ipv6: all.filter((address) => !isIPv4(address)),
  }
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
    is_forwarded: domain.is_forwarded,
    ...publishedAddresses(domain),
    ttl: domain.ttl,
    is_active: domain.is_active,
    withheld_by: WITHHELD_REASONS.filter((reason) => domain[reason]),
    monitor_enabled: domain.monitor_enabled ?? false,
    monitor_kind: domain.monitor_kind,
    monitor_port: domain.monitor_port,
    monitor_state: domain.monitor_state,
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
  const { paused, note, version, last_update_client } = domain
  const own = { last_update_client, paused, note, tags: [...domain.tags], version }
  return { ...domainFields(domain), ...own }
}
