/*
 * The rows of own zones (`zones.is_own`).
 *
 * A zone exists while the domain has a live claim. Without an owner it is neutral: it has an SOA, NS and glue, for all
 * claimants. When the owner changes, the row is replaced by one with another id and a higher serial, so that dnsd loads
 * the zone as a whole and nothing of the former owner remains. A zone that ends is deleted, and dnsd stops answering.
 *
 * The caller holds the accounts that claim the zone and its name (`lockOwnZones`).
 */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { isLive } from '../models/zone-claim.ts'
import { Zone } from '../models/zone.ts'
import type { ZoneOwners } from './change-set.ts'
import type { NameServer } from './name-servers.ts'
import { insertSerial } from './new-zone.ts'
import { settleServers } from './own-zone-servers.ts'

export type OwnZoneRow = Pick<Zone, 'id' | 'name' | 'owner_id'>

/** The zone of a domain; undefined when nobody claims it. */
export async function findOwnZone(db: Knex, name: string): Promise<OwnZoneRow | undefined> {
  return Zone.query(db).select('id', 'name', 'owner_id').findOne({ name, is_own: true })
}

async function insertOwnZone(
  trx: Knex.Transaction,
  name: string,
  above?: string,
): Promise<OwnZoneRow> {
  // The name server is set with the others.
  const soa = { soa_mname: `ns1.${name}`, soa_rname: `hostmaster.${name}` }
  const { id } = await Zone.query(trx).insert({ name, is_own: true, offered: false, ...soa })
  await insertSerial(trx, id, above)
  return { id, name, owner_id: null }
}

/** The zone of a domain, which is created when it does not exist. */
export async function ensureOwnZone(trx: Knex.Transaction, name: string): Promise<OwnZoneRow> {
  return (await findOwnZone(trx, name)) ?? insertOwnZone(trx, name)
}

/** Deletes a zone that has no domains, with its records. dnsd stops answering for it. @returns its last serial */
export async function deleteOwnZone(trx: Knex.Transaction, { id }: OwnZoneRow): Promise<string> {
  const [last] = await query<{ serial: string }>(
    trx,
    'delete from zone_serials where zone_id = ? returning serial',
    [id],
  )
  await Zone.query(trx).deleteById(id)
  return last?.serial ?? '0'
}

/** Replaces a zone that has no domains by a neutral one. */
export async function replaceOwnZone(trx: Knex.Transaction, zone: OwnZoneRow): Promise<OwnZoneRow> {
  return insertOwnZone(trx, zone.name, await deleteOwnZone(trx, zone))
}

/**
 * Makes the zone of a domain fit its claims after one of them began, changed or ended: without live claims, the zone is
 * deleted.
 *
 * @returns what the caller publishes
 */
export async function settleOwnZone(
  trx: Knex.Transaction,
  name: string,
  service: readonly NameServer[],
): Promise<ZoneOwners[]> {
  const zone = await findOwnZone(trx, name)
  const [claim] = await query(
    trx,
    `select from zone_claims c where c.name = ? and ${isLive('c')} limit 1`,
    [name],
  )
  if (claim === undefined) {
    if (zone !== undefined) await deleteOwnZone(trx, zone)
    return []
  }
  const settled = zone ?? (await insertOwnZone(trx, name))
  return [{ zoneId: settled.id, owners: await settleServers(trx, settled, service) }]
}
