/*
 * Aggregates the query counts that the DNS daemons write into totals by five minutes, hour and day: of domains (in all, by
 * country and by autonomous system), and of zones by day.
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
import { closestDomains } from '../models/closest-domains.ts'
import {
  addDomainQueries,
  addZoneQueries,
  beginOf,
  type QueryFact,
  zoneIdsOf,
} from './add-queries.ts'
import { limitSystems, type Located } from './limit-systems.ts'

/** Rows per step. */
const ROWS = 5_000
/** Daemons retry a batch for at most a day. */
const BATCH_IDS_KEPT_HOURS = 48
/** Any number that no other lock uses. */
const ROLL_UP_LOCK = 7_204_613

/** Daemons write what they counted in the last ten seconds. */
const FLUSH_SECONDS = 10

interface CountRow {
  readonly at: string
  readonly zone: string
  readonly kind: string
  readonly name: string | null
  readonly network: string | null
  readonly queries: string
}

const TAKE = `
  with chosen as (select ctid from query_counts order by ctid limit ${ROWS}),
  taken as (
    delete from query_counts where ctid in (select ctid from chosen)
    returning counted_at, zone, kind, name, network, queries
  )
  select ${beginOf('counted_at', '5m')}::text as at, zone, kind, name, network::text, sum(queries)::text as queries
  from taken group by 1, 2, 3, 4, 5`

const RECORD_TIME = `
  insert into query_roll_up as r (counted_until) values (?)
  on conflict (is_single) do update set counted_until = greatest(r.counted_until, excluded.counted_until)`

/**
 * Rolls up all waiting counts. After that, totals are complete up to the start of the roll-up, except for counts that
 * daemons have not written yet.
 *
 * @param origins called only when there are counts to roll up
 * @returns the number of queries that were rolled up
 */
export async function rollUpQueries(
  knex: Knex,
  origins: () => Promise<NetworkOrigins>,
): Promise<number> {
  const [start] = await query<{ at: Date }>(
    knex,
    `select now() - interval '${FLUSH_SECONDS} s' as at`,
  )
  let total = 0
  let isOther = false
  while (!isOther && (await hasCounts(knex))) {
    const known = await origins()
    const step = await knex.transaction((trx) => rollUpSome(trx, known))
    // Another worker is running.
    isOther = step === undefined
    total += step ?? 0
  }
  if (!isOther && start !== undefined) await query(knex, RECORD_TIME, [start.at])
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
  const domainOf = await closestDomains(trx, rows)
  const zoneNames = rows.map(({ zone }) => zone)
  const zoneIds = await zoneIdsOf(trx, zoneNames)
  const found = rows.map((row) => ({
    row,
    origin: row.network === null ? UNKNOWN : origins.originOf(row.network),
  }))
  // Queries below a domain belong to its owner.
  const ofDomains = located(found, (row) => domainOf(row)?.id)
  const ofZones = located(found, ({ zone }) => zoneIds.get(zone))
  await addDomainQueries(trx, factsOf(await limitSystems(trx, 'domains', ofDomains)))
  await addZoneQueries(trx, [
    ...factsOf(await limitSystems(trx, 'zones', ofZones)),
    ...kindsOf(rows, zoneIds),
  ])
  await keepOrganisations(trx, [...ofDomains, ...ofZones])
  return rows.reduce((sum, { queries }) => sum + Number(queries), 0)
}

interface FoundRow {
  readonly row: CountRow
  readonly origin: NetworkOrigin
}

/** The rows of which there is a domain, or a zone. */
const located = (
  found: readonly FoundRow[],
  idOf: (row: CountRow) => string | undefined,
): Located[] =>
  found.flatMap(({ row, origin }) => {
    const id = idOf(row)
    return id === undefined ? [] : [{ at: row.at, id, origin, queries: Number(row.queries) }]
  })

const factsOf = (rows: readonly Located[]): QueryFact[] =>
  rows.flatMap(({ at, id, origin, queries }) => [
    { at, id, dimension: 'total', value: '', queries },
    { at, id, dimension: 'country', value: origin.country, queries },
    { at, id, dimension: 'network', value: String(origin.asn), queries },
  ])

const kindsOf = (rows: readonly CountRow[], zoneIds: ReadonlyMap<string, string>): QueryFact[] =>
  rows.flatMap(({ at, zone, kind, queries }) => {
    const id = zoneIds.get(zone)
    return id === undefined
      ? []
      : [{ at, id, dimension: 'kind', value: kind, queries: Number(queries) }]
  })

const KEEP_ORGANISATIONS = `
  insert into autonomous_systems as a (asn, organisation)
  select * from unnest(?::bigint[], ?::text[])
  on conflict (asn) do update set organisation = excluded.organisation
    where a.organisation <> excluded.organisation`

async function keepOrganisations(trx: Knex, rows: readonly Located[]): Promise<void> {
  const known = new Map<number, string>()
  for (const { origin } of rows) {
    if (origin.organisation !== '') known.set(origin.asn, origin.organisation)
  }
  const sorted = [...known].sort(([one], [other]) => one - other)
  await query(trx, KEEP_ORGANISATIONS, [sorted.map(([asn]) => asn), sorted.map(([, name]) => name)])
}
