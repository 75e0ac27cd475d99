import type { Knex } from 'knex'

/** How often names are queried: the counts of the DNS daemons, and the figures that users see. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- What daemons wrote, by the ids they gave it: a batch that is tried again is refused. Kept for longer than they try.
    create table query_count_batches (
      id uuid primary key,
      received_at timestamptz not null default now()
    );

    -- Counts as they come, about a minute each. Networks of clients say where people are: rows are here until they are
    -- rolled up, which takes minutes, and nothing else reads them.
    create table query_counts (
      counted_at timestamptz not null,
      zone text not null,
      -- A name that exists, names that do not, and names that a daemon had no room to tell apart.
      kind text not null check (kind in ('name', 'nxdomain', 'other')),
      name text check ((name is null) = (kind <> 'name')),
      network cidr,
      queries bigint not null check (queries > 0)
    );

    -- By hour. No foreign keys: checking them would lock the rows of domains, which is what updates wait for.
    create table domain_queries (
      hour timestamptz not null,
      domain_id bigint not null,
      queries bigint not null,
      primary key (domain_id, hour)
    ) partition by range (hour);
    create table domain_queries_default partition of domain_queries default;

    create table domain_query_countries (
      hour timestamptz not null,
      domain_id bigint not null,
      country text not null check (country ~ '^[A-Z]{2}$'), -- ZZ: not known
      queries bigint not null,
      primary key (domain_id, hour, country)
    ) partition by range (hour);
    create table domain_query_countries_default partition of domain_query_countries default;

    create table domain_query_networks (
      hour timestamptz not null,
      domain_id bigint not null,
      asn bigint not null check (asn between 0 and 4294967295), -- 0: not known, or one of many small ones
      queries bigint not null,
      primary key (domain_id, hour, asn)
    ) partition by range (hour);
    create table domain_query_networks_default partition of domain_query_networks default;

    create table zone_queries (
      hour timestamptz not null,
      zone_id bigint not null,
      kind text not null check (kind in ('name', 'nxdomain', 'other')),
      queries bigint not null,
      primary key (zone_id, hour, kind)
    ) partition by range (hour);
    create table zone_queries_default partition of zone_queries default;

    -- Who runs an autonomous system, for those that were seen.
    create table autonomous_systems (
      asn bigint primary key,
      organisation text not null
    );

    -- Daemons write counts and nothing else; not even what they wrote can they read.
    do $$ begin
      if exists (select from pg_roles where rolname = 'homing_dnsd') then
        grant insert on query_count_batches, query_counts to homing_dnsd;
      else
        raise warning 'Without the role homing_dnsd, let a superuser make it and run: grant insert on query_count_batches, query_counts to homing_dnsd;';
      end if;
    end $$`)
}

/** Rights go with the tables. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table autonomous_systems, zone_queries, domain_query_networks, domain_query_countries, domain_queries,
      query_counts, query_count_batches`)
}
