import type { Knex } from 'knex'

/** The widths of the parts: QUERY_RESOLUTIONS of the contract. */
const RESOLUTIONS = ['5m', '1h', '1d'] as const

/** One table for each width: all dimensions have the same shape, so one statement reads or adds any of them. */
const totals = (resolution: string) => `
  create table queries_${resolution} (
    -- The begin of the part, in UTC.
    at timestamptz not null,
    domain_id bigint not null,
    dimension text not null
      check (dimension in ('total', 'type', 'rcode', 'transport', 'family', 'country', 'network')),
    -- A country is ISO 3166-1 (ZZ: not known), a network the number of its autonomous system (0: not known, or one of many
    -- small ones).
    value text not null check ((value = '') = (dimension = 'total')),
    queries bigint not null check (queries > 0),
    primary key (domain_id, dimension, at, value)
  ) partition by range (at);
  create table queries_${resolution}_default partition of queries_${resolution} default;`

const ZONES = `
  -- The same for whole zones by day, with the queries for names that belong to no domain. \`kind\` is that of query_counts.
  create table zone_queries_1d (
    at timestamptz not null,
    zone_id bigint not null,
    dimension text not null
      check (dimension in ('total', 'kind', 'type', 'rcode', 'transport', 'family', 'country', 'network')),
    value text not null check ((value = '') = (dimension = 'total')),
    queries bigint not null check (queries > 0),
    primary key (zone_id, dimension, at, value)
  ) partition by range (at);
  create table zone_queries_1d_default partition of zone_queries_1d default;`

const STATE = `
  -- Until when queries are in the totals: one row, after the first roll-up.
  create table query_roll_up (
    is_single boolean primary key default true check (is_single),
    counted_until timestamptz not null
  );

  -- Readers of the live view continue after the last transaction that they saw, because rows of concurrent transactions do
  -- not appear in the order of their times.
  alter table live_queries add column written_by xid8 not null default pg_current_xact_id();
  create index on live_queries (written_by);`

/** The former tables with their dimension and the column of its value. */
const FORMER = [
  ['domain_queries', `'total'`, `''`],
  ['domain_query_countries', `'country'`, 'country'],
  ['domain_query_networks', `'network'`, 'asn::text'],
  ['domain_query_facets', 'dimension', 'value'],
] as const

const copied = FORMER.flatMap(([table, dimension, value]) => [
  `insert into queries_1h (at, domain_id, dimension, value, queries)
   select hour, domain_id, ${dimension}, ${value}, queries from ${table}
   where queries > 0 and hour >= now() - interval '35 days'`,
  `insert into queries_1d (at, domain_id, dimension, value, queries)
   select date_trunc('day', hour, 'UTC'), domain_id, ${dimension}, ${value}, sum(queries) from ${table}
   where queries > 0 group by 1, 2, 3, 4`,
])

const COPIED_ZONES = `
  insert into zone_queries_1d (at, zone_id, dimension, value, queries)
  select date_trunc('day', hour, 'UTC'), zone_id, 'kind', kind, sum(queries) from zone_queries
  where queries > 0 group by 1, 2, 3, 4
  union all
  select date_trunc('day', hour, 'UTC'), zone_id, 'total', '', sum(queries) from zone_queries
  where queries > 0 group by 1, 2`

/** Queries by five minutes, hour and day, in place of those by hour only. */
export async function up(knex: Knex): Promise<void> {
  await knex.transaction(async (trx) => {
    for (const resolution of RESOLUTIONS) await trx.raw(totals(resolution))
    await trx.raw(ZONES)
    for (const copy of [...copied, COPIED_ZONES]) await trx.raw(copy)
    await trx.raw(
      'drop table domain_queries, domain_query_countries, domain_query_networks, domain_query_facets, zone_queries',
    )
    await trx.raw(STATE)
  })
}

/** A former table by hour. @param columns with the constraint of the value, if any */
const byHour = (table: string, id: string, columns: string, key: string) => `
  create table ${table} (
    hour timestamptz not null,
    ${id} bigint not null,
    ${columns}
    queries bigint not null,
    primary key (${key})
  ) partition by range (hour);
  create table ${table}_default partition of ${table} default;`

const FORMER_TABLES = [
  byHour('domain_queries', 'domain_id', '', 'domain_id, hour'),
  byHour(
    'domain_query_countries',
    'domain_id',
    `country text not null check (country ~ '^[A-Z]{2}$'),`,
    'domain_id, hour, country',
  ),
  byHour(
    'domain_query_networks',
    'domain_id',
    'asn bigint not null check (asn between 0 and 4294967295),',
    'domain_id, hour, asn',
  ),
  byHour(
    'domain_query_facets',
    'domain_id',
    'dimension text not null, value text not null,',
    'domain_id, hour, dimension, value',
  ),
  byHour(
    'zone_queries',
    'zone_id',
    `kind text not null check (kind in ('name', 'nxdomain', 'other')),`,
    'zone_id, hour, kind',
  ),
]

// The hours of the last 35 days; older ones were added up by day.
const RETURNED = [
  `insert into domain_queries select at, domain_id, queries from queries_1h where dimension = 'total'`,
  `insert into domain_query_countries select at, domain_id, value, queries from queries_1h where dimension = 'country'`,
  `insert into domain_query_networks select at, domain_id, value::bigint, queries from queries_1h where dimension = 'network'`,
  `insert into domain_query_facets select at, domain_id, dimension, value, queries from queries_1h
   where dimension in ('type', 'rcode', 'transport', 'family')`,
  `insert into zone_queries select at, zone_id, value, queries from zone_queries_1d where dimension = 'kind'`,
]

/** Totals by five minutes are lost, and those by day that are older than the hours. */
export async function down(knex: Knex): Promise<void> {
  await knex.transaction(async (trx) => {
    for (const statement of [...FORMER_TABLES, ...RETURNED]) await trx.raw(statement)
    await trx.raw(`
      alter table live_queries drop column written_by;
      drop table query_roll_up, zone_queries_1d, queries_1d, queries_1h, queries_5m`)
  })
}
