/*
 * Aggregates the queries by type, outcome, transport and family, which the DNS daemons write, into hourly counts of
 * domains. It works like the roll-up of query counts, in steps of its own.
 */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { closestDomains } from './closest-domains.ts'

/** Rows per step. */
const ROWS = 20_000
/** Any number that no other lock uses. */
const ROLL_UP_LOCK = 7_204_614

interface FacetRow {
  readonly hour: string
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
    returning counted_at, zone, name, dimension, value, queries
  )
  select date_trunc('hour', counted_at, 'UTC')::text as hour, zone, name, dimension, value, sum(queries)::text as queries
  from taken group by 1, 2, 3, 4, 5`

// In the order of the keys, so that concurrent writers lock rows in the same order.
const ADD = `
  insert into domain_query_facets as t (hour, domain_id, dimension, value, queries)
  select hour, domain_id, dimension, value, sum(queries)
  from unnest(?::timestamptz[], ?::bigint[], ?::text[], ?::text[], ?::bigint[]) as c(hour, domain_id, dimension, value, queries)
  group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (domain_id, hour, dimension, value) do update set queries = t.queries + excluded.queries`

/** Rolls up all waiting rows. Rows of names without a domain are deleted. */
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
  const owned = rows.flatMap((row) => {
    const domainId = domainOf(row)
    return domainId === undefined ? [] : [{ ...row, domainId }]
  })
  await query(trx, ADD, [
    owned.map(({ hour }) => hour),
    owned.map(({ domainId }) => domainId),
    owned.map(({ dimension }) => dimension),
    owned.map(({ value }) => value),
    owned.map(({ queries }) => queries),
  ])
  return true
}
