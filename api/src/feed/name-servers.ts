/**
 * The records of a zone that NAMESERVERS defines: its NS set, and the addresses (glue) of name servers inside
 * it.
 */
import type { Knex } from 'knex'
import { isIPv4, isIPv6 } from 'node:net'
import { query } from '../database/sql.ts'

/** TTL of apex NS records and glue, in seconds. */
export const NAME_SERVER_TTL_SECONDS = 3600

export interface NameServer {
  /** Absolute name, lower case, without the final dot. */
  readonly hostname: string
  readonly ipv4: string
  readonly ipv6?: string | undefined
}

export interface ZoneConfiguration {
  /** Apexes, lower case, without the final dot. */
  readonly zones: readonly string[]
  /** The first one is the SOA's MNAME. */
  readonly nameservers: readonly NameServer[]
}

/** An RRset as stored in `records`. RDATA is text in presentation format. */
export interface SystemSet {
  readonly owner: string
  readonly type: string
  readonly rdata: readonly string[]
}

/** The host name of a configured name server is a user's domain or is below one. Their addresses would mix. */
export class NameServerTaken extends Error {
  constructor(hostname: string, fqdn: string) {
    const taken =
      hostname === fqdn ? `is a user's domain` : `is below ${fqdn}, which is a user's domain`
    super(`NAMESERVERS: ${hostname} ${taken}; choose another host name, or delete the domain`)
    this.name = 'NameServerTaken'
  }
}

/** The configured zone that answers for a name: the longest one at or above it. */
export function zoneOf(name: string, zones: readonly string[]): string | undefined {
  return zones
    .filter((zone) => name === zone || name.endsWith(`.${zone}`))
    .toSorted((a, b) => b.length - a.length)[0]
}

/** @throws TypeError for an invalid address */
export function wantedSets(zone: string, configuration: ZoneConfiguration): SystemSet[] {
  const { zones, nameservers } = configuration
  const sets: SystemSet[] = [
    { owner: zone, type: 'NS', rdata: nameservers.map(({ hostname }) => `${hostname}.`) },
  ]
  for (const { hostname, ipv4, ipv6 } of nameservers) {
    if (zoneOf(hostname, zones) !== zone) continue
    if (!isIPv4(ipv4)) throw new TypeError(`${hostname}: ${ipv4} is not an IPv4 address`)
    sets.push({ owner: hostname, type: 'A', rdata: [ipv4] })
    if (ipv6 === undefined) continue
    if (!isIPv6(ipv6)) throw new TypeError(`${hostname}: ${ipv6} is not an IPv6 address`)
    sets.push({ owner: hostname, type: 'AAAA', rdata: [ipv6] })
  }
  return sets
}

/** Changes the system records of a zone to `wanted`; returns the owners that changed. */
export async function replaceSystemSets(
  trx: Knex.Transaction,
  zoneId: string,
  wanted: readonly SystemSet[],
): Promise<string[]> {
  const sets = JSON.stringify(wanted)
  const rows = await query<{ owner: string }>(
    trx,
    `with wanted as (
       select * from jsonb_to_recordset(?::jsonb) as w(owner text, type text, rdata text[])
     ), gone as (
       delete from records r where zone_id = ? and origin = 'system'
         and not exists (select from wanted w where w.owner = r.owner and w.type = r.type)
       returning owner
     ), written as (
       insert into records as r (zone_id, owner, type, ttl, rdata, origin)
       select ?, owner, type, ${NAME_SERVER_TTL_SECONDS}, rdata, 'system' from wanted
       on conflict (zone_id, owner, type) do update set ttl = excluded.ttl, rdata = excluded.rdata
         where r.origin = 'system' and (r.ttl, r.rdata) is distinct from (excluded.ttl, excluded.rdata)
       returning owner
     )
     select owner from gone union select owner from written`,
    [sets, zoneId, zoneId],
  )
  return rows.map(({ owner }) => owner)
}

/** A host name and all names between it and the zone. */
function namesFrom(hostname: string, zone: string): string[] {
  const labels = hostname.split('.')
  const count = labels.length - zone.split('.').length
  return labels.slice(0, count).map((_, n) => labels.slice(n).join('.'))
}

/** @throws NameServerTaken */
export async function requireFreeHostnames(
  trx: Knex.Transaction,
  zone: string,
  sets: readonly SystemSet[],
): Promise<void> {
  const hostnames = sets.filter(({ type }) => type !== 'NS').map(({ owner }) => owner)
  const [taken] = await query<{ fqdn: string }>(
    trx,
    `select fqdn from domains where fqdn = any (?::text[]) order by fqdn limit 1`,
    [hostnames.flatMap((hostname) => namesFrom(hostname, zone))],
  )
  if (taken === undefined) return
  const { fqdn } = taken
  const isAtOrBelow = (hostname: string) => hostname === fqdn || hostname.endsWith(`.${fqdn}`)
  throw new NameServerTaken(hostnames.find(isAtOrBelow) ?? fqdn, fqdn)
}

/** The imported RRsets that take the place of `wanted` ones and differ from them. */
export async function importedInstead(
  trx: Knex.Transaction,
  zoneId: string,
  wanted: readonly SystemSet[],
): Promise<SystemSet[]> {
  const imported = await query<SystemSet>(
    trx,
    `select owner, type, rdata from records
     where zone_id = ? and origin <> 'system' and owner = any (?::text[])`,
    [zoneId, wanted.map(({ owner }) => owner)],
  )
  const text = (set: SystemSet) => `${set.owner} ${set.type} ${set.rdata.toSorted().join(' ')}`
  const same = new Set(wanted.map(text))
  const places = new Set(wanted.map(({ owner, type }) => `${owner} ${type}`))
  return imported.filter((set) => places.has(`${set.owner} ${set.type}`) && !same.has(text(set)))
}
