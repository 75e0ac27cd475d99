/** Own zones in which records changed that belong to no domain. Changes at and below a domain are events of the domain. */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { namesAtOrAbove } from '../rules/names.ts'
import type { ChangedOwners } from './changes.ts'

/** An own zone of an account that follows. */
export interface ZoneRow {
  readonly id: string
  readonly user_id: string
  readonly zone: string
  readonly zone_id: string
}

const ZONES = `
  select c.id, c.user_id, z.name as zone, z.id as zone_id
  from zones z join zone_claims c on c.name = z.name and c.user_id = z.owner_id and c.state in ('active', 'withheld')
  where z.id = any (?::bigint[]) and z.owner_id = any (?::bigint[])`

const DOMAINS = `
  select fqdn from domains where zone_id = any (?::bigint[]) and fqdn = any (?::text[]) and not is_wildcard`

const isIn = (owner: string, { zone }: ZoneRow) => owner === zone || owner.endsWith(`.${zone}`)

/**
 * The own zones of the accounts with such changes.
 *
 * @param zoneIds the zones that moved
 */
export async function readChangedZones(
  knex: Knex,
  zoneIds: readonly string[],
  { owners, gone }: ChangedOwners,
  accountIds: readonly string[],
): Promise<ZoneRow[]> {
  const zones = await query<ZoneRow>(knex, ZONES, [zoneIds, accountIds], 'live-own-zones')
  const within = owners.filter((owner) => zones.some((zone) => isIn(owner, zone)))
  if (within.length === 0) return []
  const names = [...new Set(within.flatMap(namesAtOrAbove))]
  const values = [zones.map(({ zone_id }) => zone_id), names]
  const domains = await query<{ fqdn: string }>(knex, DOMAINS, values, 'live-zone-domains')
  const taken = new Set([...gone, ...domains.map(({ fqdn }) => fqdn)])
  const free = within.filter((owner) => !namesAtOrAbove(owner).some((name) => taken.has(name)))
  return zones.filter((zone) => free.some((owner) => isIn(owner, zone)))
}
