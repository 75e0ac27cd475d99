/*
 * Changes of NAMESERVERS for own zones: their NS sets and glue follow at the next provisioning. Owners of vanity name
 * servers must change the glue at their registrars, so they are told.
 *
 * One statement reads what is there, because nearly always nothing differs.
 */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { isLive } from '../models/zone-claim.ts'
import { holdOwnZone, withZoneOwner } from './own-zone-owner.ts'
import { settleOwnZone } from './own-zones.ts'
import { type NameServer, type SystemSet, wantedSets } from './name-servers.ts'
import { serversOf, serversOfAll, vanityNameOf } from './own-zone-servers.ts'
import { publish } from './publish.ts'

interface PresentClaim {
  readonly user_id: string
  readonly name: string
  readonly is_vanity: boolean
  readonly vanity_name: string | null
  /** The zone's records that follow from its claims. */
  readonly sets: readonly SystemSet[]
}

// Of a proved zone, only the claim of its owner decides.
const PRESENT = `
  select c.user_id, c.name, c.is_vanity, ${vanityNameOf('c')} as vanity_name,
         (select coalesce(json_agg(json_build_object('owner', r.owner, 'type', r.type, 'rdata', r.rdata)), '[]')
          from records r where r.zone_id = z.id and r.origin = 'system') as sets
  from zone_claims c join zones z on z.name = c.name and z.is_own
  where ${isLive('c')} and c.user_id = coalesce(z.owner_id, c.user_id)
  order by c.name, c.claimed_at, c.id`

/** The sets in one form, in one order. */
const formOf = (sets: readonly SystemSet[]): string =>
  sets
    .map(({ owner, type, rdata }) => `${owner} ${type} ${rdata.toSorted().join(' ')}`)
    .toSorted()
    .join('\n')

function fits(claims: readonly PresentClaim[], service: readonly NameServer[]): boolean {
  const [first] = claims
  if (first === undefined) return true
  const { name, sets } = first
  const nameservers = serversOfAll(claims, service)
  return formOf(sets) === formOf(wantedSets(name, { zones: [name], nameservers }))
}

/** A claim whose owner must change the glue at the registrar. */
export interface ChangedGlue {
  readonly userId: string
  readonly zone: string
  readonly servers: readonly NameServer[]
}

/** Whether the zone has glue for vanity name servers already: otherwise there is nothing to change. */
const hasGlue = ({ sets, name }: PresentClaim): boolean =>
  sets.some(({ owner, type }) => type !== 'NS' && owner === `ns1.${name}`)

/**
 * Makes all own zones fit NAMESERVERS, each in a transaction of its own.
 *
 * @param notify called in the transaction of each zone, for each claim with vanity name servers
 * @returns the number of zones that changed
 */
export async function settleAllServers(
  knex: Knex,
  service: readonly NameServer[],
  notify: (trx: Knex.Transaction, changed: ChangedGlue) => Promise<void>,
): Promise<number> {
  const byZone = Map.groupBy(await query<PresentClaim>(knex, PRESENT), ({ name }) => name)
  let changed = 0
  for (const [name, claims] of byZone) {
    const [first] = claims
    if (first === undefined || fits(claims, service)) continue
    const told = claims.filter((claim) => claim.is_vanity && hasGlue(claim))
    await withZoneOwner(knex, async (trx) => {
      await holdOwnZone(trx, first.user_id, name)
      await publish(trx, await settleOwnZone(trx, name, service))
      for (const claim of told) {
        const servers = serversOf(claim, service)
        await notify(trx, { userId: claim.user_id, zone: name, servers })
      }
    })
    changed += 1
  }
  return changed
}
