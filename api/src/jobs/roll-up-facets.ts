/*
 * Aggregates the queries by type, outcome, transport and family, which the DNS daemons write, into totals of domains
 * by five minutes, hour and day, and of zones by day. It works like the roll-up of query counts, in steps of its own.
 */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { closestDomains } from '../models/closest-domains.ts'
import {
  addDomainQueries,
  addZoneQueries,
  beginOf,
  type QueryFact,
  zoneIdsOf,
} from './add-queries.ts'

/** Rows per step: names, each of which becomes four facts or more. */
const ROWS = 5_000
/** Any number that no other lock uses. */
const ROLL_UP_LOCK = 7_204_614

interface FacetRow {
  readonly at: string
  readonly zone: string
  readonly name: string | null
  readonly dimension: string
  readonly value: string
  readonly queries: string
}

const TAKE = `
  with chosen as (select ctid from query_facets order by ctid limit ${ROWS}),
  taken as (
    delete from query_facets where ctid in (select ctid from chosen)
    returning counted_at, zone, name, queries
  )
  select ${beginOf('counted_at', '5m')}::text as at, zone, name, dimension, value, sum(counted)::text as queries
  from taken cross join lateral unnest(queries) with ordinality as c(counted, place)
  join query_facet_values using (place)
  where counted > 0 group by 1, 2, 3, 4, 5`

/** Rolls up all waiting rows. Rows of names without a domain count for their zone only. */
export async function rollUpFacets(knex: Knex): Promise<void> {
  let isMore = true
  while (isMore) isMore = await knex.transaction(rollUpSome)
}

/** @returns whether there may be more rows */
async function rollUpSome(trx: Knex): Promise<boolean> {
  const [lock] = await query<{ ours: boolean }>(
    trx,
    'select pg_try_advisory_xact_lock(?) as ours',
    [ROLL_UP_LOCK],
  )
  // Another worker is running.
  if (lock?.ours !== true) return false
  const rows = await query<FacetRow>(trx, TAKE)
  if (rows.length === 0) return false
  const domainOf = await closestDomains(trx, rows)
  const zoneNames = rows.map(({ zone }) => zone)
  const zoneIds = await zoneIdsOf(trx, zoneNames)
  await addDomainQueries(
    trx,
    factsOf(rows, (row) => domainOf(row)?.id),
  )
  await addZoneQueries(
    trx,
    factsOf(rows, ({ zone }) => zoneIds.get(zone)),
  )
  return true
}

const factsOf = (
  rows: readonly FacetRow[],
  idOf: (row: FacetRow) => string | undefined,
): QueryFact[] =>
  rows.flatMap((row) => {
    const id = idOf(row)
    return id === undefined ? [] : [{ ...row, id, queries: Number(row.queries) }]
  })
