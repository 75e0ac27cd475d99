/** Adds rolled-up queries to the totals by five minutes, hour and day. */
import { QUERY_RESOLUTIONS } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'

/** Queries of a domain, or of a zone, by one value of one dimension. */
export interface QueryFact {
  /** The begin of the five minutes, as text. */
  readonly at: string
  /** Of the domain or the zone. */
  readonly id: string
  readonly dimension: string
  /** Empty for `total`. */
  readonly value: string
  readonly queries: number
}

/** The begin of the part that contains a time, in UTC: whole multiples of the width since 2000. */
export const beginOf = (time: string, resolution: keyof typeof QUERY_RESOLUTIONS) =>
  `date_bin('${QUERY_RESOLUTIONS[resolution].seconds} s', ${time}, '2000-01-01T00:00:00Z')`

// In the order of the keys, so that concurrent writers lock rows in the same order.
const addTo = (table: string, id: string, resolution: keyof typeof QUERY_RESOLUTIONS) => `
  insert into ${table} as t (at, ${id}, dimension, value, queries)
  select ${beginOf('c.at', resolution)}, c.id, c.dimension, c.value, sum(c.queries)
  from unnest(?::timestamptz[], ?::bigint[], ?::text[], ?::text[], ?::bigint[]) as c(at, id, dimension, value, queries)
  group by 1, 2, 3, 4 order by 2, 3, 1, 4
  on conflict (${id}, dimension, at, value) do update set queries = t.queries + excluded.queries`

const DOMAINS = [
  addTo('queries_5m', 'domain_id', '5m'),
  addTo('queries_1h', 'domain_id', '1h'),
  addTo('queries_1d', 'domain_id', '1d'),
]
const ZONES = [addTo('zone_queries_1d', 'zone_id', '1d')]

async function add(
  trx: Knex,
  statements: readonly string[],
  facts: readonly QueryFact[],
): Promise<void> {
  if (facts.length === 0) return
  const columns = [
    facts.map(({ at }) => at),
    facts.map(({ id }) => id),
    facts.map(({ dimension }) => dimension),
    facts.map(({ value }) => value),
    facts.map(({ queries }) => queries),
  ]
  for (const statement of statements) await query(trx, statement, columns)
}

/** Adds queries of domains, for each resolution. */
export const addDomainQueries = async (trx: Knex, facts: readonly QueryFact[]): Promise<void> =>
  add(trx, DOMAINS, facts)

/** Adds queries of zones by day. */
export const addZoneQueries = async (trx: Knex, facts: readonly QueryFact[]): Promise<void> =>
  add(trx, ZONES, facts)

/** The ids of zones by name. */
export async function zoneIdsOf(
  trx: Knex,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const sql = 'select name, id::text from zones where name = any (?)'
  const rows = await query<{ name: string; id: string }>(trx, sql, [[...new Set(names)]])
  return new Map(rows.map(({ name, id }) => [name, id]))
}
