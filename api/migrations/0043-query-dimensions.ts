import type { Knex } from 'knex'

const VALUES = {
  type: 'A AAAA HTTPS TXT NS SOA MX SRV CAA DS PTR SVCB DNSKEY ANY other',
  rcode: 'NOERROR NODATA NXDOMAIN other',
  transport: 'udp tcp',
  family: 'ipv4 ipv6',
}
const COUNTERS = Object.entries(VALUES).flatMap(([dimension, values]) =>
  values.split(' ').map((value) => [dimension, value] as const),
)

const FACETS = `
  -- Missing names count for their closest encloser, and for the zone if that is its apex.
  alter table query_counts drop constraint query_counts_check;
  alter table query_counts add constraint query_counts_check
    check (case kind when 'name' then name is not null when 'other' then name is null else true end);

  -- What the counters of a name count, in their order; COUNTERS in dnsd is the same.
  create view query_facet_values (place, dimension, value) as values
    ${COUNTERS.map(([dimension, value], index) => `(${index + 1}, '${dimension}', '${value}')`).join(', ')};

  -- The same queries by type, outcome, transport and family, without the networks of clients: one row for each name, because
  -- rows for each value took five times as long to write. Each dimension adds up to the queries in query_counts. A null name
  -- has the queries of the zone that have no name there.
  create table query_facets (
    counted_at timestamptz not null,
    zone text not null,
    name text,
    -- For each of query_facet_values, in that order.
    queries bigint[] not null check (cardinality(queries) = ${COUNTERS.length} and 0 <= all (queries))
  );

  -- By hour, like the other counts of domains.
  create table domain_query_facets (
    hour timestamptz not null,
    domain_id bigint not null,
    dimension text not null,
    value text not null,
    queries bigint not null,
    primary key (domain_id, hour, dimension, value)
  ) partition by range (hour);
  create table domain_query_facets_default partition of domain_query_facets default;`

const LIVE = `
  -- Who watches the queries for a name, and until when. The API writes it.
  create table live_watches (
    watcher uuid not null,
    name text not null,
    until timestamptz not null,
    primary key (watcher, name)
  );
  create index on live_watches (until);
  create view live_watch as select distinct name from live_watches where until > now();

  -- Queries for watched names, for two minutes. Not logged: a crash may empty it.
  create unlogged table live_queries (
    at timestamptz not null,
    zone text not null,
    name text not null,
    qname text not null,
    type text not null,
    rcode text not null,
    transport text not null check (transport in ('udp', 'tcp')),
    network cidr not null check (masklen(network) <= case family(network) when 4 then 24 else 48 end),
    -- The row stands for so many queries.
    sample integer not null check (sample > 0),
    dnsd text not null
  );
  create index on live_queries (at);
  create index on live_queries (name, at);`

const GRANTS = `
  do $$ begin
    if exists (select from pg_roles where rolname = 'homing_dnsd') then
      grant insert on query_facets, live_queries to homing_dnsd;
      grant select on live_watch to homing_dnsd;
    else
      raise warning 'Without the role homing_dnsd, let a superuser make it and run: grant insert on query_facets, live_queries to homing_dnsd; grant select on live_watch to homing_dnsd;';
    end if;
  end $$;`

/** Queries by type, outcome, transport and family, and the queries for names that somebody watches. */
export async function up(knex: Knex): Promise<void> {
  await knex.transaction(async (trx) => {
    for (const step of [FACETS, LIVE, GRANTS]) await trx.raw(step)
  })
}

/** Rights go with the tables. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table live_queries;
    drop view live_watch;
    drop table live_watches, domain_query_facets, query_facets;
    drop view query_facet_values;
    update query_counts set name = null where kind <> 'name';
    alter table query_counts drop constraint query_counts_check;
    alter table query_counts add constraint query_counts_check check ((name is null) = (kind <> 'name'))`)
}
