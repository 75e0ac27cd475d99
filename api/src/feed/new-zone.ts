/** Creates the row of a provider zone, from the configuration or from a zone file. */
import type { Knex } from 'knex'
import { lockAllPlaces } from './lock-order.ts'
import { Zone } from '../models/zone.ts'
import { query } from '../database/sql.ts'

/** The new zone would answer for names that users have registered in the zone above it. */
export class ZoneHidesDomain extends Error {
  constructor(zone: string, fqdn: string) {
    super(
      `${zone} cannot become a zone of its own: it would hide ${fqdn}, a user's domain in the zone above it; delete that domain first, or choose another zone`,
    )
    this.name = 'ZoneHidesDomain'
  }
}

/**
 * Makes other transactions that create zones wait until this one ends. Processes that start at the
 * same time wait without a limit. All other locks and statements keep their time limits.
 */
export async function lockProvisioning(trx: Knex.Transaction): Promise<void> {
  await query(
    trx,
    `select set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true)`,
  )
  await query(trx, `select pg_advisory_xact_lock(hashtext('homing zone provisioning'))`)
  await query(trx, 'set local lock_timeout to default')
  await query(trx, 'set local statement_timeout to default')
}

/** `eu.homing.test` is in `homing.test` and `test`. */
function namesAbove(name: string): string[] {
  const labels = name.split('.')
  return labels.slice(1).map((_, n) => labels.slice(n + 1).join('.'))
}

// RFC 1034 §4.2.1: below a zone cut the parent zone is not authoritative, so dnsd answers from the new zone only.
async function requireHidesNoDomain(trx: Knex.Transaction, name: string): Promise<void> {
  const above = await Zone.query(trx)
    .select('id')
    .whereIn('name', namesAbove(name))
    .orderByRaw('length(name) desc')
    .first()
  if (above === undefined) return
  await lockAllPlaces(trx, above.id)
  const [hidden] = await query<{ fqdn: string }>(
    trx,
    `select fqdn from domains
     where zone_id = ? and (fqdn = ? or (reverse(fqdn) ~>=~ (reverse(?) || '.') and reverse(fqdn) ~<~ (reverse(?) || '/')))
     order by fqdn limit 1`,
    [above.id, name, name, name],
  )
  if (hidden !== undefined) throw new ZoneHidesDomain(name, hidden.fqdn)
}

/**
 * Creates the zone's row and serial. The caller holds `lockProvisioning`, so no other process creates the same
 * zone. The first serial comes from the clock and is higher than any serial of an earlier zone with this name.
 *
 * @throws ZoneHidesDomain
 */
export async function insertZone(
  trx: Knex.Transaction,
  zone: { name: string; offered: boolean; mname: string },
): Promise<string> {
  await requireHidesNoDomain(trx, zone.name)
  const { name, offered, mname } = zone
  const soa = { soa_mname: mname, soa_rname: `hostmaster.${name}` }
  const { id } = await Zone.query(trx).insert({ name, offered, ...soa })
  await insertSerial(trx, id)
  return id
}

/**
 * Gives a new zone its serial, which comes from the clock.
 *
 * @param above the serial of an earlier zone with the same name: it is exceeded
 */
export async function insertSerial(
  trx: Knex.Transaction,
  zoneId: string,
  above = '0',
): Promise<void> {
  await query(
    trx,
    `insert into zone_serials (zone_id, serial, feed_id, token, previous_token)
     select ?, greatest(extract(epoch from clock_timestamp())::bigint, ?::bigint + 1),
            coalesce((select feed_id from zone_serials limit 1), gen_random_uuid()),
            gen_random_uuid(), gen_random_uuid()`,
    [zoneId, above],
  )
}
