/*
 * Changes of NAMESERVERS for own zones: their NS sets and glue follow at the next provisioning. Owners of vanity name
 * servers must change the glue at their registrars, so they are told (`changed`).
 *
 * One statement finds the zones whose records differ, because nearly always none does.
 */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { isLive } from '../models/zone-claim.ts'
import { holdOwnZone, withZoneOwner } from './own-zone-owner.ts'
import { settleOwnZone } from './own-zones.ts'
import { type NameServer, wantedSets } from './name-servers.ts'
import { serversOf, vanityNameOf, vanityServers } from './own-zone-servers.ts'
import { publish } from './publish.ts'

interface PresentZone {
  readonly user_id: string
  readonly name: string
  readonly is_vanity: boolean
  readonly vanity_name: string | null
  readonly owner_id: string | null
  /** The system records of the zone: owner, type and RDATA in one text each. */
  readonly sets: readonly string[]
}

const PRESENT = `
  select c.user_id, c.name, c.is_vanity, ${vanityNameOf('c')} as vanity_name, z.owner_id,
         array(select r.owner || ' ' || r.type || ' ' || array_to_string(r.rdata, ' ')
               from records r where r.zone_id = z.id and r.origin = 'system') as sets
  from zone_claims c join zones z on z.name = c.name and z.is_own
  where ${isLive('c')} and c.user_id = coalesce(z.owner_id, c.user_id)
  order by c.id`

/** Whether the zone has all records that this claim wants; a neutral zone has those of other claims, too. */
function fits(zone: PresentZone, service: readonly NameServer[]): boolean {
  const wanted = wantedSets(zone.name, {
    zones: [zone.name],
    nameservers: serversOf(zone, service),
  })
  const present = new Set(zone.sets)
  // Of a neutral zone, the NS set is that of all claims; it changes only with host names, and then the glue does.
  const own = zone.owner_id === null ? wanted.filter(({ type }) => type !== 'NS') : wanted
  const hasAll = own.every(({ owner, type, rdata }) =>
    present.has(`${owner} ${type} ${rdata.join(' ')}`),
  )
  return hasAll && (zone.owner_id === null || present.size === wanted.length)
}

/** A claim whose owner must change the glue at the registrar. */
export interface ChangedGlue {
  readonly userId: string
  readonly zone: string
  readonly servers: readonly NameServer[]
}

/**
 * Makes all own zones fit NAMESERVERS, each in a transaction of its own.
 *
 * @param notify called in the transaction of each zone with vanity name servers whose addresses changed
 * @returns the number of zones that changed
 */
export async function settleAllServers(
  knex: Knex,
  service: readonly NameServer[],
  notify: (trx: Knex.Transaction, changed: ChangedGlue) => Promise<void>,
): Promise<number> {
  const zones = await query<PresentZone>(knex, PRESENT)
  const differing = zones.filter((zone) => !fits(zone, service))
  for (const { user_id: userId, name, is_vanity } of differing) {
    await withZoneOwner(knex, async (trx) => {
      await holdOwnZone(trx, userId, name)
      await publish(trx, await settleOwnZone(trx, name, service))
      if (is_vanity)
        await notify(trx, { userId, zone: name, servers: vanityServers(name, service) })
    })
  }
  return differing.length
}
