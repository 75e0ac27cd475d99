/*
 * Aggregates the query counts that the DNS daemons write into hourly counts: of domains (total, by country and by
 * autonomous system) and of zones.
 *
 * A step deletes some rows and adds their counts in one transaction, so each is counted exactly once. The querying
 * network is not kept. Only one worker runs at a time, because two would wait for each other's rows.
 */
import type { Knex } from 'knex'
import {
  type NetworkOrigin,
  type NetworkOrigins,
  UNKNOWN_ORIGIN as UNKNOWN,
} from '../integrations/network-origins.ts'
import { query } from '../database/sql.ts'
import { closestDomains } from './closest-domains.ts'

/** Rows per step. */
const ROWS = 5_000
/**
 * Maximum number of autonomous systems that a step distinguishes per domain, because forged sources
 * can come from all of them.
 */
const SYSTEMS_A_DOMAIN = 100
/** Daemons retry a batch for at most a day. */
const BATCH_IDS_KEPT_HOURS = 48
/** Any number that no other lock uses. */
const ROLL_UP_LOCK = 7_204_613

interface CountRow {
  readonly hour: string
  readonly zone: string
  readonly kind: string
  readonly name: string | null
  readonly network: string | null
  readonly queries: string
}

/** Queries for a domain, by where they came from. */
interface Fact {
  readonly hour: string
  readonly domainId: string
  readonly origin: NetworkOrigin
  readonly queries: number
}

const TAKE = `
  with chosen as (select ctid from query_counts order by ctid limit ${ROWS}),
  taken as (
    delete from query_counts where ctid in (select ctid from chosen)
    returning counted_at, zone, kind, name, network, queries
  )
  select date_trunc('hour', counted_at, 'UTC')::text as hour, zone, kind, name, network::text, sum(queries)::text as queries
  from taken group by 1, 2, 3, 4, 5`

/**
 * Rolls up all waiting counts.
 *
 * @param origins called only when there are counts to roll up
 * @returns the number of queries that were rolled up
 */
export async function rollUpQueries(
  knex: Knex,
  origins: () => Promise<NetworkOrigins>,
): Promise<number> {
  let total = 0
  while (await hasCounts(knex)) {
    const known = await origins()
    const step = await knex.transaction((trx) => rollUpSome(trx, known))
    // Another worker is running.
    if (step === undefined) break
    total += step
  }
  await query(
    knex,
    `delete from query_count_batches where received_at < now() - interval '${BATCH_IDS_KEPT_HOURS} hours'`,
  )
  return total
}

async function hasCounts(knex: Knex): Promise<boolean> {
  return (await query(knex, 'select from query_counts limit 1')).length > 0
}

async function rollUpSome(trx: Knex, origins: NetworkOrigins): Promise<number | undefined> {
  const [lock] = await query<{ ours: boolean }>(
    trx,
    'select pg_try_advisory_xact_lock(?) as ours',
    [ROLL_UP_LOCK],
  )
  if (lock?.ours !== true) return undefined
  const rows = await query<CountRow>(trx, TAKE)
  await addZones(trx, rows)
  const facts = factsOf(rows, await closestDomains(trx, rows), origins)
  await addFacts(trx, withoutSmallSystems(facts))
  await keepOrganisations(trx, facts)
  return rows.reduce((sum, { queries }) => sum + Number(queries), 0)
}

/** Queries below a domain belong to its owner, so they count for the closest domain. */
function factsOf(
  rows: readonly CountRow[],
  domainOf: (row: CountRow) => string | undefined,
  origins: NetworkOrigins,
): Fact[] {
  const facts: Fact[] = []
  for (const row of rows) {
    const { hour, network, queries } = row
    const domainId = domainOf(row)
    if (domainId === undefined) continue
    const origin = network === null ? UNKNOWN : origins.originOf(network)
    facts.push({ hour, domainId, origin, queries: Number(queries) })
  }
  return facts
}

/** The same facts, with the systems that sent the fewest queries combined where one domain has too many. */
function withoutSmallSystems(facts: readonly Fact[]): Fact[] {
  const sums = new Map<string, Map<number, number>>()
  for (const { domainId, origin, queries } of facts) {
    const systems = sums.get(domainId) ?? new Map<number, number>()
    sums.set(domainId, systems)
    systems.set(origin.asn, (systems.get(origin.asn) ?? 0) + queries)
  }
  const kept = new Map<string, Set<number>>()
  for (const [domainId, systems] of sums) {
    const largest = [...systems]
      .sort(([, one], [, other]) => other - one)
      .slice(0, SYSTEMS_A_DOMAIN)
    kept.set(domainId, new Set(largest.map(([asn]) => asn)))
  }
  return facts.map((fact) =>
    kept.get(fact.domainId)?.has(fact.origin.asn) === true
      ? fact
      : { ...fact, origin: { ...fact.origin, asn: UNKNOWN.asn } },
  )
}

// In the order of their keys, so that concurrent writers lock rows in the same order.
const ADD_ZONES = `
  insert into zone_queries as z (hour, zone_id, kind, queries)
  select c.hour, zones.id, c.kind, sum(c.queries)
  from unnest(?::timestamptz[], ?::text[], ?::text[], ?::bigint[]) as c(hour, zone, kind, queries)
  join zones on zones.name = c.zone
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (zone_id, hour, kind) do update set queries = z.queries + excluded.queries`

async function addZones(trx: Knex, rows: readonly CountRow[]): Promise<void> {
  await query(trx, ADD_ZONES, [
    rows.map(({ hour }) => hour),
    rows.map(({ zone }) => zone),
    rows.map(({ kind }) => kind),
    rows.map(({ queries }) => queries),
  ])
}

/** Adds counts to a table by a column of their origin, or without one. */
const addTo = (table: string, column: 'country' | 'asn' | undefined) => {
  const by = column === undefined ? '' : `, ${column}`
  return `
  insert into ${table} as t (hour, domain_id${by}, queries)
  select hour, domain_id${by}, sum(queries)
  from unnest(?::timestamptz[], ?::bigint[], ?::text[], ?::bigint[], ?::bigint[]) as c(hour, domain_id, country, asn, queries)
  group by hour, domain_id${by} order by hour, domain_id${by}
  on conflict (domain_id, hour${by}) do update set queries = t.queries + excluded.queries`
}

const ADDITIONS = [
  addTo('domain_queries', undefined),
  addTo('domain_query_countries', 'country'),
  addTo('domain_query_networks', 'asn'),
]

async function addFacts(trx: Knex, facts: readonly Fact[]): Promise<void> {
  const columns = [
    facts.map(({ hour }) => hour),
    facts.map(({ domainId }) => domainId),
    facts.map(({ origin }) => origin.country),
    facts.map(({ origin }) => origin.asn),
    facts.map(({ queries }) => queries),
  ]
  for (const addition of ADDITIONS) await query(trx, addition, columns)
}

const KEEP_ORGANISATIONS = `
  insert into autonomous_systems as a (asn, organisation)
  select * from unnest(?::bigint[], ?::text[])
  on conflict (asn) do update set organisation = excluded.organisation
    where a.organisation <> excluded.organisation`

async function keepOrganisations(trx: Knex, facts: readonly Fact[]): Promise<void> {
  const known = new Map<number, string>()
  for (const { origin } of facts) {
    if (origin.organisation !== '') known.set(origin.asn, origin.organisation)
  }
  const sorted = [...known].sort(([one], [other]) => one - other)
  await query(trx, KEEP_ORGANISATIONS, [sorted.map(([asn]) => asn), sorted.map(([, name]) => name)])
}
