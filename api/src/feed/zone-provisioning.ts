/*
 * The zones of the configuration.
 *
 * `ensureZones` changes the database to match ZONES and NAMESERVERS. It runs at every start and
 * every deployment, in any number of processes at once. It writes only what it owns: the zone's row
 * and serial, and the records of origin `system`, which are the NS set at the apex and the
 * addresses (glue) of the name servers inside the zone. It publishes all differences of a zone in
 * one change set, and writes nothing if nothing differs.
 *
 * An imported zone file takes precedence in its zone: an imported SOA or RRset stays, and if the
 * apex NS set is imported, the configured name servers and their glue are not added. `kept` lists
 * what stayed for that reason. Zones that are removed from the configuration stay as they are,
 * because users have names in them.
 */
import type { Knex } from 'knex'
import { raw } from 'objection'
import { lockAllPlaces, lockOwnZones } from './lock-order.ts'
import {
  importedInstead,
  replaceSystemSets,
  requireFreeHostnames,
  type SystemSet,
  wantedSets,
  type ZoneConfiguration,
} from './name-servers.ts'
import { insertZone, lockProvisioning } from './new-zone.ts'
import { publish } from './publish.ts'
import { Zone } from '../models/zone.ts'
import { query } from '../database/sql.ts'
import { endClaimsOf } from './own-zone-owner.ts'
import type { ZoneRow } from './rows.ts'
import { wantedVerifySets } from './verify-names.ts'

/** The result for a configured zone. */
export interface EnsuredZone {
  readonly zone: string
  readonly outcome: 'created' | 'updated' | 'unchanged'
  /** RRsets of an imported zone file that stay although NAMESERVERS differs. */
  readonly kept: readonly SystemSet[]
}

/** The configured zone already exists and belongs to a user. */
export class ZoneTaken extends Error {
  constructor(zone: string) {
    super(`ZONES: ${zone} is a user's own zone; take it out of ZONES or delete the user's zone`)
    this.name = 'ZoneTaken'
  }
}

interface ZoneState {
  readonly id: string
  readonly isNew: boolean
  readonly soaChanged: boolean
}

async function ensureZoneRow(
  trx: Knex.Transaction,
  name: string,
  mname: string,
): Promise<ZoneState> {
  await lockOwnZones(trx, [name])
  const claimed = await Zone.query(trx).findOne({ name, is_own: true })
  if (claimed !== undefined && claimed.owner_id !== null) throw new ZoneTaken(name)
  // Claims that nobody has proved do not keep the operator from the domain.
  if (claimed !== undefined) await endClaimsOf(trx, claimed)
  const found = await Zone.query(trx).findOne({ name })
  const id = found?.id ?? (await insertZone(trx, { name, offered: true, mname }))
  // Locked before the row is written, as in an import: in the other order the two could deadlock.
  await lockAllPlaces(trx, id)
  // Configured for the first time. After this, only administrators change `offered`.
  await Zone.query(trx)
    .findById(id)
    .patch({ configured_at: raw('now()'), offered: true })
    .whereNull('configured_at')
  const rname = `hostmaster.${name}`
  const changed = await Zone.query(trx)
    .findById(id)
    .patch({ soa_mname: mname, soa_rname: rname })
    .where('soa_origin', 'system')
    .where((either) => void either.whereNot('soa_mname', mname).orWhereNot('soa_rname', rname))
  const isNew = found === undefined
  return { id, isNew, soaChanged: isNew || changed > 0 }
}

/**
 * Whether the zone's apex NS set was imported. Such a zone keeps the name servers of its file,
 * including glue.
 */
async function hasImportedNameServers(
  trx: Knex.Transaction,
  { id, name }: Pick<ZoneRow, 'id' | 'name'>,
): Promise<boolean> {
  const [imported] = await query(
    trx,
    `select from records where zone_id = ? and owner = ? and type = 'NS' and origin <> 'system'`,
    [id, name],
  )
  return imported !== undefined
}

async function ensureZone(
  trx: Knex.Transaction,
  zone: string,
  configuration: ZoneConfiguration,
): Promise<EnsuredZone> {
  const mname = configuration.nameservers[0]?.hostname
  if (mname === undefined) throw new TypeError('NAMESERVERS: at least one name server is needed')
  const { id, isNew, soaChanged } = await ensureZoneRow(trx, zone, mname)
  const isImported = await hasImportedNameServers(trx, { id, name: zone })
  const configured = wantedSets(zone, configuration)
  const verify = await wantedVerifySets(trx, zone, configuration)
  const wanted = isImported ? verify : [...configured, ...verify]
  await requireFreeHostnames(trx, zone, wanted)
  const changed = await replaceSystemSets(trx, id, wanted)
  const owners = soaChanged ? [zone, ...changed] : changed
  await publish(trx, [{ zoneId: id, owners }])
  const outcome = isNew ? 'created' : owners.length > 0 ? 'updated' : 'unchanged'
  return { zone, outcome, kept: await importedInstead(trx, id, configured) }
}

/**
 * Creates and updates the provider zones of the configuration. Each zone is one transaction. Processes that
 * start at the same time wait for each other.
 *
 * @returns one result for each zone, in alphabetical order
 * @throws NameServerTaken when the host name of a name server is a user's domain or is below one; ZoneTaken for
 * a zone that belongs to a user; ZoneHidesDomain for a new zone in which users already have domains
 */
export async function ensureZones(
  knex: Knex,
  configuration: ZoneConfiguration,
): Promise<EnsuredZone[]> {
  const ensured: EnsuredZone[] = []
  for (const zone of [...new Set(configuration.zones)].toSorted()) {
    ensured.push(
      await knex.transaction(async (trx) => {
        await lockProvisioning(trx)
        return ensureZone(trx, zone, configuration)
      }),
    )
  }
  return ensured
}

/** Provider zones that are no longer configured, in alphabetical order. */
export async function formerZones(knex: Knex, zones: readonly string[]): Promise<string[]> {
  const rows = await Zone.query(knex)
    .select('name')
    .where('is_own', false)
    .whereNotNull('configured_at')
    .whereNotIn('name', zones)
    .orderBy('name')
  return rows.map(({ name }) => name)
}
