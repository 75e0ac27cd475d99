/** Limits the autonomous systems that the totals of a domain or a zone tell apart, because forged sources come from all. */
import type { Knex } from 'knex'
import { type NetworkOrigin, UNKNOWN_ORIGIN } from '../integrations/network-origins.ts'
import { query } from '../database/sql.ts'

/** Queries for a domain or a zone, by where they came from. */
export interface Located {
  readonly at: string
  /** Of the domain or the zone. */
  readonly id: string
  readonly origin: NetworkOrigin
  readonly queries: number
}

type Owners = 'domains' | 'zones'
type Systems = ReadonlyMap<string, ReadonlySet<number>>

/** The maximum number of systems that a step adds to a domain or a zone. */
const NEW_SYSTEMS: Readonly<Record<Owners, number>> = { domains: 20, zones: 100 }

// Since the day before, because a new day begins without any.
const knownIn = (table: string, id: string) => `
  select distinct ${id}::text as id, value::bigint::float8 as asn from ${table}
  where ${id} = any (?::bigint[]) and dimension = 'network'
    and at >= (select date_trunc('day', min(t), 'UTC') - interval '1 day' from unnest(?::timestamptz[]) as t)`

const KNOWN: Readonly<Record<Owners, string>> = {
  domains: knownIn('queries_1d', 'domain_id'),
  zones: knownIn('zone_queries_1d', 'zone_id'),
}

/** The systems that are in the totals of these domains or zones, since the day before the first of these times. */
async function knownSystems(
  trx: Knex,
  of: Owners,
  ids: readonly string[],
  times: readonly string[],
): Promise<Systems> {
  const rows = await query<{ id: string; asn: number }>(trx, KNOWN[of], [ids, times])
  const known = new Map<string, Set<number>>()
  for (const { id, asn } of rows) known.set(id, (known.get(id) ?? new Set()).add(asn))
  return known
}

/** The queries of each system, by domain or zone. */
function systemsOf(rows: readonly Located[]): Map<string, Map<number, number>> {
  const sums = new Map<string, Map<number, number>>()
  for (const { id, origin, queries } of rows) {
    const systems = sums.get(id) ?? new Map<number, number>()
    sums.set(id, systems)
    systems.set(origin.asn, (systems.get(origin.asn) ?? 0) + queries)
  }
  return sums
}

/** The systems to keep: those that are known, and the largest of the others. */
function keptOf(
  systems: ReadonlyMap<number, number>,
  known: ReadonlySet<number>,
  limit: number,
): ReadonlySet<number> {
  const added = [...systems]
    .filter(([asn]) => !known.has(asn))
    .sort(([, one], [, other]) => other - one)
    .slice(0, limit)
  return new Set([...known, ...added.map(([asn]) => asn)])
}

/** The same rows. Where a domain or a zone gets too many new systems, the smallest become unknown. */
export async function limitSystems(
  trx: Knex,
  of: Owners,
  rows: readonly Located[],
): Promise<readonly Located[]> {
  const limit = NEW_SYSTEMS[of]
  const crowded = [...systemsOf(rows)].filter(([, systems]) => systems.size > limit)
  if (crowded.length === 0) return rows
  const ids = crowded.map(([id]) => id)
  const known = await knownSystems(trx, of, ids, [...new Set(rows.map(({ at }) => at))])
  const kept = new Map(
    crowded.map(([id, systems]) => [id, keptOf(systems, known.get(id) ?? new Set(), limit)]),
  )
  return rows.map((row) =>
    kept.get(row.id)?.has(row.origin.asn) === false
      ? { ...row, origin: { ...row.origin, asn: UNKNOWN_ORIGIN.asn } }
      : row,
  )
}
