import type { Knex } from 'knex'

/** Zones, the names that users own, everything else that a zone serves, and the history of addresses. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table zones (
      id bigint generated always as identity primary key,
      name text not null unique check (name = lower(name) and name not like '%.'),
      owner_id bigint references users on delete restrict, -- null: a provider zone
      offered boolean not null default true,
      -- When the configuration first named this zone. Null: it exists because it was imported or because a user made it.
      configured_at timestamptz,
      soa_origin text not null default 'system' check (soa_origin in ('system', 'import', 'user')),
      soa_mname text not null,
      soa_rname text not null,
      soa_refresh integer not null default 3600,
      soa_retry integer not null default 600,
      soa_expire integer not null default 1209600,
      soa_minimum integer not null default 60,
      soa_ttl integer not null default 3600,
      created_at timestamptz not null default now()
    );

    create table domains (
      id bigint generated always as identity primary key,
      user_id bigint not null references users on delete restrict,
      zone_id bigint not null references zones on delete restrict,
      base_id bigint references domains on delete cascade, -- the wildcard's base
      fqdn text not null unique check (fqdn = lower(fqdn) and fqdn not like '%.'),
      is_wildcard boolean not null default false check (is_wildcard = (base_id is not null)),
      rrtype text not null check (rrtype in ('A', 'AAAA')),
      record_ipv4 inet check (family(record_ipv4) = 4 and masklen(record_ipv4) = 32),
      record_ipv6 inet check (family(record_ipv6) = 6 and masklen(record_ipv6) = 128),
      -- Kept on the row, so that publishing a name reads no other table.
      ttl integer not null check (ttl between 1 and 604800),
      -- Reasons why a name is kept and not served ("withheld").
      locked boolean not null default false,
      paused boolean not null default false,
      over_limit boolean not null default false,
      owner_blocked boolean not null default false,
      is_active boolean not null generated always as (not (locked or paused or over_limit or owner_blocked)) stored,
      version integer not null default 1,
      last_update_at timestamptz,
      -- When the allowance of changes will be full again: each change moves it further ahead.
      allowance_full_at timestamptz,
      created_at timestamptz not null default now(),
      created_cc text
    ) with (fillfactor = 80); -- room for a new address on the same page: such an update touches no index
    create unique index domains_base_key on domains (base_id) where base_id is not null;
    create index domains_user on domains (user_id, id);
    create index domains_zone on domains (zone_id, id);
    create index domains_withheld on domains (zone_id) where not is_active;
    -- "Which names lie below this one?" is a prefix question on the name read backwards.
    create index domains_reversed_fqdn on domains (reverse(fqdn) text_pattern_ops);

    -- RRsets that are not a user's addresses: the zone's own name servers and glue, imported and user-made sets. RDATA in presentation format.
    create table records (
      id bigint generated always as identity primary key,
      zone_id bigint not null references zones on delete cascade,
      domain_id bigint references domains on delete cascade,
      owner text not null,
      type text not null,
      ttl integer not null check (ttl between 0 and 2147483647),
      rdata text[] not null check (cardinality(rdata) > 0),
      origin text not null check (origin in ('system', 'import', 'user')),
      unique (zone_id, owner, type)
    );
    create index records_domain on records (domain_id) where domain_id is not null;

    -- Deleted names stay reserved for their last owner.
    create table name_reservations (
      fqdn text primary key,
      user_id bigint not null references users on delete cascade,
      reserved_until timestamptz not null
    );
    create index name_reservations_until on name_reservations (reserved_until);

    -- Every change of a name: who, with what, from where, by which client, from which address to which.
    create table domain_events (
      id bigint generated always as identity,
      happened_at timestamptz not null default now(),
      domain_id bigint not null,
      user_id bigint not null,
      fqdn text not null,
      kind text not null check (kind in ('created', 'address', 'deleted', 'wildcard_created', 'withheld', 'restored')),
      actor text not null check (actor in ('session', 'api_key', 'password', 'administrator', 'system')),
      actor_id bigint,
      source_ip inet,
      client text,
      old_ipv4 inet,
      old_ipv6 inet,
      new_ipv4 inet,
      new_ipv6 inet
    ) partition by range (happened_at);
    create index domain_events_domain on domain_events (domain_id, id);
    create table domain_events_default partition of domain_events default;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table domain_events, name_reservations, records, domains, zones')
}
