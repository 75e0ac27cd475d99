/** What the name servers of a domain's zone should answer, and which these are. */
import type { Knex } from 'knex'
import { soaSerial } from '@homing/dnsd/names'
import { query } from '../../database/sql.ts'
import type { NameServer } from '../../feed/name-servers.ts'
import { zoneServers } from '../../feed/own-zone-servers.ts'
import type { OwnedDomain } from '../../models/domain.ts'
import type { Expected, ZoneServer } from '../../propagation/types.ts'

interface ZoneState {
  readonly owner_id: string | null
  readonly is_own: boolean
  readonly is_served: boolean
  readonly serial: string
  /** The RRsets of the domain's name; null: the name does not exist in DNS. */
  readonly rrsets: readonly { readonly type: string; readonly rdata: readonly string[] }[] | null
  /** The names of the name servers, with a final dot. */
  readonly ns: readonly string[] | null
}

// One statement, so that serial and addresses are of the same version of the zone.
const STATE = `
  select z.owner_id, z.is_own, z.is_served, s.serial,
         (select o.rrsets from owner_states(z.id, array[?::text]) o) as rrsets,
         (select r.rdata from records r where r.zone_id = z.id and r.owner = z.name and r.type = 'NS') as ns
  from zones z join zone_serials s on s.zone_id = z.id
  where z.id = ?`

export interface CheckTarget {
  readonly expected: Expected
  readonly servers: readonly ZoneServer[]
  /** False: the name servers refuse the zone, and should. */
  readonly isServed: boolean
}

const addressesIn = (rrsets: ZoneState['rrsets']): string[] =>
  ['A', 'AAAA'].flatMap((type) => rrsets?.find((set) => set.type === type)?.rdata ?? [])

/** Each address of each name server that the zone's NS records name. */
function serversIn(ns: readonly string[], known: readonly NameServer[]): ZoneServer[] {
  return ns.flatMap((text): ZoneServer[] => {
    const hostname = text.toLowerCase().replace(/\.$/, '')
    const server = known.find((each) => each.hostname === hostname)
    if (server === undefined) return [{ hostname, address: null }]
    const addresses = [server.ipv4, ...(server.ipv6 ? [server.ipv6] : [])]
    return addresses.map((address) => ({ hostname, address }))
  })
}

/** @returns undefined when the zone was deleted meanwhile */
export async function readExpected(
  db: Knex,
  { fqdn, zone, zone_id }: OwnedDomain,
  nameservers: readonly NameServer[],
): Promise<CheckTarget | undefined> {
  const [state] = await query<ZoneState>(db, STATE, [fqdn, zone_id])
  if (state === undefined) return undefined
  const { owner_id, is_own, is_served, serial, rrsets, ns } = state
  const known = is_own ? await zoneServers(db, { name: zone, owner_id }, nameservers) : nameservers
  return {
    expected: { zone, fqdn, serial: soaSerial(BigInt(serial)), addresses: addressesIn(rrsets) },
    servers: serversIn(ns ?? [], known),
    isServed: is_served,
  }
}
