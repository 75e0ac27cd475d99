/*
 * The host names `<token>.verify.<first zone>`, which claimants set as a third name server at the registrar to prove that
 * they own a domain. Registries refuse a name server without an address, so a wildcard gives each of them the addresses of
 * the service's name servers. It exists since the first claim.
 */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { wildcardOf } from '../rules/names.ts'
import { VERIFY_LABEL } from '../rules/ownership.ts'
import type { ZoneOwners } from './change-set.ts'
import { NAME_SERVER_TTL_SECONDS, type SystemSet, type ZoneConfiguration } from './name-servers.ts'

/** The RRsets of the wildcard; none in other zones than the first one. */
function verifySets(zone: string, { zones, nameservers }: ZoneConfiguration): SystemSet[] {
  if (zone !== zones[0]) return []
  const owner = wildcardOf(`${VERIFY_LABEL}.${zone}`)
  const servers = nameservers.slice(0, 2)
  const ipv6 = servers.flatMap((server) => server.ipv6 ?? [])
  const ipv4 = { owner, type: 'A', rdata: [...new Set(servers.map((server) => server.ipv4))] }
  return ipv6.length === 0 ? [ipv4] : [ipv4, { owner, type: 'AAAA', rdata: [...new Set(ipv6)] }]
}

const TAKEN = `
  select from domains d
  where d.fqdn = ? or (reverse(d.fqdn) ~>=~ (reverse(?) || '.') and reverse(d.fqdn) ~<~ (reverse(?) || '/')) limit 1`

/**
 * Whether the service can have the names: domains that were registered below them before the label was reserved keep
 * theirs.
 */
async function areFree(db: Knex, zone: string): Promise<boolean> {
  const name = `${VERIFY_LABEL}.${zone}`
  const taken = await query(db, TAKEN, [name, name, name])
  return taken.length === 0
}

/** The RRsets that the zone has because domains are claimed. */
export async function wantedVerifySets(
  trx: Knex.Transaction,
  zone: string,
  configuration: ZoneConfiguration,
): Promise<SystemSet[]> {
  const sets = verifySets(zone, configuration)
  if (sets.length === 0) return []
  const claims = await query(trx, 'select from zone_claims limit 1')
  return claims.length > 0 && (await areFree(trx, zone)) ? sets : []
}

/** Adds the names with the first claim. @returns what the caller publishes */
export async function addVerifyNames(
  trx: Knex.Transaction,
  configuration: ZoneConfiguration,
): Promise<ZoneOwners[]> {
  const [zone = ''] = configuration.zones
  const sets = verifySets(zone, configuration)
  const [missing] = await query<{ zone_id: string }>(
    trx,
    `select z.id as zone_id from zones z where z.name = ?
       and not exists (select from records r where r.zone_id = z.id and r.owner = ?)`,
    [zone, sets[0]?.owner ?? ''],
  )
  if (missing === undefined || !(await areFree(trx, zone))) return []
  const added = await query<{ owner: string }>(
    trx,
    `insert into records (zone_id, owner, type, ttl, rdata, origin)
     select ?, owner, type, ${NAME_SERVER_TTL_SECONDS}, rdata, 'system'
     from jsonb_to_recordset(?::jsonb) as s(owner text, type text, rdata text[])
     on conflict do nothing returning owner`,
    [missing.zone_id, JSON.stringify(sets)],
  )
  return added.length === 0
    ? []
    : [{ zoneId: missing.zone_id, owners: added.map(({ owner }) => owner) }]
}
