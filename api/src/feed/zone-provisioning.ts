/*
 * The zones that the configuration names.
 *
 * `ensureZones` brings the database to what ZONES and NAMESERVERS say, at every start
 * and from any number of processes at once. It writes only what it owns: the zone's
 * row and serial, and the records of origin `system`, which are the NS set at the
 * apex and the addresses (glue) of those name servers that lie inside the zone. What
 * differs is changed and published in one change set; when nothing differs nothing
 * is written.
 *
 * A zone file that was imported speaks for its zone: an imported SOA or an imported
 * RRset stands, and where the apex NS set is imported the configured one, glue
 * included, is not added. Zones that leave the configuration stay as they are:
 * people have names in them.
 */
import type { Knex } from 'knex'
import { isIPv4, isIPv6 } from 'node:net'
import { lockAllPlaces } from './lock-order.ts'
import { publish } from './publish.ts'
import { query } from '../sql.ts'
import type { ZoneRow } from './rows.ts'

/** TTL of apex NS records and glue, in seconds. */
const NAME_SERVER_TTL_SECONDS = 3600

export interface NameServer {
  /** Absolute name, lower case, without the final dot. */
  readonly hostname: string
  readonly ipv4: string
  readonly ipv6?: string | undefined
}

export interface ZoneConfiguration {
  /** Origins, lower case, without the final dot. */
  readonly zones: readonly string[]
  /** The first one is the SOA's MNAME. */
  readonly nameservers: readonly NameServer[]
}

/** An RRset as `records` holds it. RDATA is text in presentation format. */
interface SystemSet {
  readonly owner: string
  readonly type: string
  readonly rdata: readonly string[]
}

/** A configured name server has the name of a user's domain, whose addresses would mix with its own. */
export class NameServerTaken extends Error {
  constructor(owner: string) {
    super(`NAMESERVERS: ${owner} is a user's domain; choose another host name or delete the domain`)
    this.name = 'NameServerTaken'
  }
}

/** A configured zone exists already and is a user's own. */
export class ZoneTaken extends Error {
  constructor(zone: string) {
    super(`ZONES: ${zone} is a user's own zone; take it out of ZONES or delete the user's`)
    this.name = 'ZoneTaken'
  }
}

/** The configured zone that answers for a name: the longest one at or above it. */
export function zoneOf(name: string, zones: readonly string[]): string | undefined {
  return zones
    .filter((zone) => name === zone || name.endsWith(`.${zone}`))
    .toSorted((a, b) => b.length - a.length)[0]
}

function wantedSets(zone: string, configuration: ZoneConfiguration): SystemSet[] {
  const { zones, nameservers } = configuration
  const sets: SystemSet[] = [
    { owner: zone, type: 'NS', rdata: nameservers.map(({ hostname }) => `${hostname}.`) },
  ]
  for (const { hostname, ipv4, ipv6 } of nameservers) {
    if (zoneOf(hostname, zones) !== zone) continue
    if (!isIPv4(ipv4)) throw new TypeError(`${hostname}: ${ipv4} is no IPv4 address`)
    sets.push({ owner: hostname, type: 'A', rdata: [ipv4] })
    if (ipv6 === undefined) continue
    if (!isIPv6(ipv6)) throw new TypeError(`${hostname}: ${ipv6} is no IPv6 address`)
    sets.push({ owner: hostname, type: 'AAAA', rdata: [ipv6] })
  }
  return sets
}

/**
 * Makes the zone's row and serial. The caller holds `lockProvisioning`, which keeps others from making the same zone.
 * A first serial from the clock is above any that an earlier zone of this name reached.
 */
export async function insertZone(
  trx: Knex.Transaction,
  zone: { name: string; offered: boolean; mname: string },
): Promise<string> {
  const [row] = await query<{ id: string }>(
    trx,
    `insert into zones (name, offered, soa_mname, soa_rname) values (?, ?, ?, ?) returning id`,
    [zone.name, zone.offered, zone.mname, `hostmaster.${zone.name}`],
  )
  if (row === undefined) throw new Error(`zone ${zone.name} was not inserted`)
  await query(
    trx,
    `insert into zone_serials (zone_id, serial, feed_id, token, previous_token)
     select ?, extract(epoch from clock_timestamp())::bigint,
            coalesce((select feed_id from zone_serials limit 1), gen_random_uuid()),
            gen_random_uuid(), gen_random_uuid()`,
    [row.id],
  )
  return row.id
}

async function ensureZoneRow(
  trx: Knex.Transaction,
  name: string,
  mname: string,
): Promise<{ id: string; soaChanged: boolean }> {
  const [found] = await query<Pick<ZoneRow, 'id' | 'owner_id'>>(
    trx,
    `select id, owner_id from zones where name = ?`,
    [name],
  )
  if (found !== undefined && found.owner_id !== null) throw new ZoneTaken(name)
  const id = found?.id ?? (await insertZone(trx, { name, offered: true, mname }))
  // Before the row is written, as in an import: two that took them in turn would deadlock.
  await lockAllPlaces(trx, id)
  // Named for the first time: from here on `offered` belongs to the administrators.
  await query(
    trx,
    `update zones set configured_at = now(), offered = true where id = ? and configured_at is null`,
    [id],
  )
  const changed = await query(
    trx,
    `update zones set soa_mname = ?, soa_rname = ?
     where id = ? and soa_origin = 'system' and (soa_mname, soa_rname) is distinct from (?, ?) returning id`,
    [mname, `hostmaster.${name}`, id, mname, `hostmaster.${name}`],
  )
  return { id, soaChanged: found === undefined || changed.length > 0 }
}

/** Brings the system records of a zone to `wanted`; gives the owners that changed. */
async function replaceSystemSets(
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

async function requireFreeNames(trx: Knex.Transaction, sets: readonly SystemSet[]): Promise<void> {
  const [taken] = await query<{ fqdn: string }>(
    trx,
    `select fqdn from domains where fqdn = any (?::text[]) order by fqdn limit 1`,
    [sets.map(({ owner }) => owner)],
  )
  if (taken !== undefined) throw new NameServerTaken(taken.fqdn)
}

async function ensureZone(
  trx: Knex.Transaction,
  zone: string,
  configuration: ZoneConfiguration,
): Promise<void> {
  const mname = configuration.nameservers[0]?.hostname
  if (mname === undefined) throw new TypeError('NAMESERVERS: at least one name server is needed')
  const { id, soaChanged } = await ensureZoneRow(trx, zone, mname)
  const [imported] = await query(
    trx,
    `select from records where zone_id = ? and owner = ? and type = 'NS' and origin <> 'system'`,
    [id, zone],
  )
  const wanted = imported === undefined ? wantedSets(zone, configuration) : []
  await requireFreeNames(trx, wanted)
  const changed = await replaceSystemSets(trx, id, wanted)
  const owners = soaChanged ? [zone, ...changed] : changed
  await publish(trx, [{ zoneId: id, owners }])
}

/**
 * Keeps everybody else from making zones until the transaction ends. Those who start
 * together stand in line for as long as it takes; locks that writers share, and
 * statements, keep their limits.
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

/**
 * Makes and updates the provider zones of the configuration. Each zone is one
 * transaction; several processes that start at once wait for each other.
 *
 * @throws NameServerTaken when a name server inside a zone has a user's domain for a name,
 * ZoneTaken for a zone that a user made
 */
export async function ensureZones(knex: Knex, configuration: ZoneConfiguration): Promise<void> {
  for (const zone of [...new Set(configuration.zones)].toSorted()) {
    await knex.transaction(async (trx) => {
      await lockProvisioning(trx)
      await ensureZone(trx, zone, configuration)
    })
  }
}
