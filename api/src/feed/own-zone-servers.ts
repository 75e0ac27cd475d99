/*
 * The name servers of own zones: the SOA, the NS set and the glue, which follow from the claims of the domain.
 *
 * A proved zone has the name servers that its owner chose. A zone that nobody has proved has those of all its claims, so
 * that a registry which tests the zone before it delegates the domain finds what each claimant entered.
 */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { isLive, type ZoneClaimRow } from '../models/zone-claim.ts'
import { Zone } from '../models/zone.ts'
import { type NameServer, replaceSystemSets, wantedSets } from './name-servers.ts'

/** The labels of vanity name servers. Nobody can register them directly below an own zone. */
const VANITY_LABELS = ['ns1', 'ns2'] as const

/** The host names of the vanity name servers in a domain. */
export const vanityHosts = (name: string): string[] =>
  VANITY_LABELS.map((label) => `${label}.${name}`)

/** The host names of the vanity name servers in a domain, with the addresses of the service's first two name servers. */
export function vanityServers(name: string, service: readonly NameServer[]): NameServer[] {
  return VANITY_LABELS.map((label, n) => {
    const server = service[n] ?? service[0]
    if (server === undefined) throw new TypeError('NAMESERVERS: at least one name server is needed')
    return { ...server, hostname: `${label}.${name}` }
  })
}

/** What decides the name servers of a claim. */
export interface ServerChoice extends Pick<ZoneClaimRow, 'name' | 'is_vanity'> {
  /** The domain whose vanity name servers the claim uses. Null: none. */
  readonly vanity_name: string | null
}

/** The name servers to which the parent zone must delegate. */
export function serversOf(
  { name, is_vanity, vanity_name }: ServerChoice,
  service: readonly NameServer[],
): readonly NameServer[] {
  if (is_vanity) return vanityServers(name, service)
  return vanity_name === null ? service : vanityServers(vanity_name, service)
}

/** The name servers of a zone with these claims, each once. */
export function serversOfAll(
  claims: readonly ServerChoice[],
  service: readonly NameServer[],
): readonly NameServer[] {
  const servers = claims.flatMap((claim) => serversOf(claim, service))
  if (servers.length === 0) return service
  return [...new Map(servers.map((server) => [server.hostname, server])).values()]
}

/** The domain of the account's vanity name servers, for claims that use them. @param claim the alias of the claim */
export const vanityNameOf = (claim: string): string => `
  (select v.name from zone_claims v
   where ${claim}.uses_vanity and v.user_id = ${claim}.user_id and v.is_vanity and ${isLive('v')})`

const CHOICES = `
  select c.name, c.is_vanity, ${vanityNameOf('c')} as vanity_name
  from zone_claims c
  where c.name = ? and ${isLive('c')} and c.user_id = coalesce(?::bigint, c.user_id)
  order by c.claimed_at, c.id`

type OwnZone = Pick<Zone, 'id' | 'name' | 'owner_id'>

/** The name servers of an own zone, as its claims want them. */
export async function zoneServers(
  db: Knex,
  { name, owner_id }: Pick<OwnZone, 'name' | 'owner_id'>,
  service: readonly NameServer[],
): Promise<readonly NameServer[]> {
  return serversOfAll(await query<ServerChoice>(db, CHOICES, [name, owner_id]), service)
}

/**
 * Makes the SOA, the NS set and the glue of an own zone what its claims want. The caller holds its name.
 *
 * @returns the owner names that changed
 */
export async function settleServers(
  trx: Knex.Transaction,
  { id, name, owner_id }: OwnZone,
  service: readonly NameServer[],
): Promise<string[]> {
  const nameservers = await zoneServers(trx, { name, owner_id }, service)
  const changed = await replaceSystemSets(trx, id, wantedSets(name, { zones: [name], nameservers }))
  const mname = nameservers[0]?.hostname ?? ''
  const soa = await Zone.query(trx)
    .findById(id)
    .patch({ soa_mname: mname })
    .whereNot('soa_mname', mname)
  return soa > 0 ? [...new Set([name, ...changed])] : changed
}
