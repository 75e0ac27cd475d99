/*
 * Imports a master file (RFC 1035 §5) into a provider zone.
 *
 *   file ─► staged ─► checked ─► difference ─► batches of ≤ 500 names through the feed
 *
 * The file defines the zone's content, apart from users' domains: records of an earlier file or of
 * the configuration that are not in the file are removed. Its SOA record sets the zone's parameters
 * (not the serial, which only the feed changes). Its NS set at the apex replaces the configured
 * name servers and their addresses. A file without them leaves these unchanged. A zone always keeps
 * name servers: if they came from an earlier file, the next file must name them too. A zone that
 * does not exist is created, hidden from users until ZONES names it.
 *
 * Everything is checked before anything is written. If the import is interrupted later, each name
 * is in its old or its new state; the next run of the same import finishes it.
 */
import type { Knex } from 'knex'
import { SCRIPT_LIMITS } from '../../database/connection-limits.ts'
import { connect } from '../../database/connect.ts'
import { Zone } from '../../models/zone.ts'
import { query } from '../../database/sql.ts'
import { insertZone, lockProvisioning, ZoneHidesDomain } from '../new-zone.ts'
import { applyDifference, computeDifference } from './apply-difference.ts'
import { checkRecords } from './check-records.ts'
import { ProblemList, ZoneNotImportable } from './problems.ts'
import { type StagedFile, stageRecords } from './stage-records.ts'
import { zoneNameFrom } from './zone-name.ts'

export interface ImportOptions {
  readonly databaseUrl: string
  /** The zone's name as an operator writes it. */
  readonly zone: string
  readonly source: AsyncIterable<Uint8Array>
  /** Called and awaited after each batch's commit. */
  readonly onBatch?: (done: number, batches: number) => unknown
}

export interface ImportReport {
  readonly zone: string
  readonly created: boolean
  /** Records in the file, without its SOA. */
  readonly records: number
  /** Owner names that changed. */
  readonly changedNames: number
  readonly batches: number
  /** Repeated records in the file. */
  readonly duplicates: number
}

async function findZone(knex: Knex, name: string): Promise<Zone | undefined> {
  const zone = await Zone.query(knex).findOne({ name })
  if (zone !== undefined && zone.is_own) {
    throw new ZoneNotImportable(`${name} is a user's own zone`)
  }
  return zone
}

/** Allows one import of a zone at a time, for the life of this connection. */
async function requireAlone(knex: Knex, name: string): Promise<void> {
  const [lock] = await query<{ ours: boolean }>(
    knex,
    `select pg_try_advisory_lock(hashtextextended('import ' || ?, 0)) as ours`,
    [name],
  )
  if (lock?.ours !== true) throw new ZoneNotImportable(`another import of ${name} is in progress`)
}

/**
 * @throws ZoneNotImportable when neither the file nor the configuration names the zone's name
 * servers
 */
async function requireNameServers(knex: Knex, name: string, zoneId: string): Promise<void> {
  const [known] = await query(
    knex,
    `select from staged where owner = ? and type = 'NS'
     union all
     select from records where zone_id = ? and owner = ? and type = 'NS' and origin = 'system' limit 1`,
    [name, zoneId, name],
  )
  if (known !== undefined) return
  throw new ZoneNotImportable(
    `the file must contain NS records for ${name}: all NS records of the zone come from an earlier file`,
  )
}

/**
 * @throws ZoneNotImportable when the file lacks an SOA or NS record, another process created the zone meanwhile, or it would hide users'
 * domains
 */
async function createZone(knex: Knex, name: string, file: StagedFile): Promise<string> {
  const [ns] = await query(knex, `select from staged where owner = ? and type = 'NS' limit 1`, [
    name,
  ])
  if (file.soa === undefined || ns === undefined) {
    throw new ZoneNotImportable(
      `the zone ${name} does not exist yet: to create it, the file must contain an SOA record and NS records for ${name}`,
    )
  }
  const { mname } = file.soa
  return knex.transaction(async (trx) => {
    await lockProvisioning(trx)
    if ((await findZone(trx, name)) !== undefined) {
      throw new ZoneNotImportable(`another process has just created ${name}; import it again`)
    }
    return insertZone(trx, { name, offered: false, mname }).catch((error: unknown) => {
      throw error instanceof ZoneHidesDomain ? new ZoneNotImportable(error.message) : error
    })
  })
}

async function importOn(knex: Knex, options: ImportOptions): Promise<ImportReport> {
  const name = zoneNameFrom(options.zone)
  await requireAlone(knex, name)
  const found = await findZone(knex, name)
  const problems = new ProblemList()
  const file = await stageRecords(knex, name, options.source, problems)
  await checkRecords(knex, { id: found?.id ?? null, name }, problems)
  problems.requireNone()
  if (found !== undefined) await requireNameServers(knex, name, found.id)
  const zone = { id: found?.id ?? (await createZone(knex, name, file)), name }
  const difference = await computeDifference(knex, zone)
  await applyDifference(knex, zone, difference, file.soa, (done) =>
    options.onBatch?.(done, difference.batches),
  )
  return {
    zone: name,
    created: found === undefined,
    records: file.records,
    changedNames: difference.names,
    batches: difference.batches,
    duplicates: difference.duplicates,
  }
}

/**
 * Imports a master file. Safe to repeat, also after an interruption.
 *
 * @throws ZoneFileRefused with each error and its line, ZoneNotImportable, NameRegisteredMeanwhile,
 * NameError for the zone's name
 */
export async function importZone(options: ImportOptions): Promise<ImportReport> {
  // One connection: the temporary tables and the import's own lock belong to it.
  const knex = connect({
    url: options.databaseUrl,
    limits: SCRIPT_LIMITS,
    maxConnections: 1,
    applicationName: 'homing-zone-import',
  })
  try {
    return await importOn(knex, options)
  } finally {
    await knex.destroy()
  }
}
