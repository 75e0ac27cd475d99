/** The records of a place as a zone file (RFC 1035 §5), with the addresses of the domains. */
import { compareNames, nameFromText, ROOT_NAME, soaSerial } from '@homing/dnsd/names'
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import { soaToText } from '../../feed/zone-file/soa.ts'
import type { FoundPlace, PlaceKey } from '../../models/record-place.ts'
import { isWithin } from '../../models/record.ts'
import type { Row } from '../../models/table.ts'
import type { Zone } from '../../models/zone.ts'
import type { Reach } from '../../rules/key-scope.ts'
import { findPlace, holdsOwner } from './find-place.ts'

interface FileRow {
  readonly owner: string
  readonly type: string
  readonly ttl: number
  readonly rdata: readonly string[]
  /** The domain at or above the owner. */
  readonly fqdn: string | null
}

// Also what is withheld: the file is the owner's copy. The service's own records are in the file of a zone.
const ROWS = `
  with p as materialized (select ?::bigint as user_id, ?::bigint as zone_id, ?::text as fqdn, ?::boolean as is_zone)
  select r.owner, r.type, r.ttl, r.rdata, d.fqdn
  from p join records r on r.zone_id = p.zone_id and r.user_id = p.user_id
  left join domains d on d.id = r.domain_id
  where p.is_zone or ${isWithin('r.owner', 'p.fqdn')}
  union all
  select r.owner, r.type, r.ttl, r.rdata, null from p join records r on r.zone_id = p.zone_id and r.user_id is null
  where p.is_zone
  union all
  select d.fqdn, a.type, d.ttl, array[host(a.address)], d.fqdn
  from p join domains d on d.zone_id = p.zone_id and d.user_id = p.user_id
  cross join lateral (values ('A', d.record_ipv4), ('AAAA', d.record_ipv6)) as a(type, address)
  where a.address is not null and (p.is_zone or ${isWithin('d.fqdn', 'p.fqdn')})`

async function soaLine(db: Knex, { zoneId, zone }: FoundPlace): Promise<string> {
  const [row] = await query<Row<typeof Zone> & { readonly serial: string }>(
    db,
    'select z.*, s.serial from zones z join zone_serials s on s.zone_id = z.id where z.id = ?',
    [zoneId],
  )
  if (row === undefined) return ''
  return `${zone}. ${row.soa_ttl} IN SOA ${soaToText(row, soaSerial(BigInt(row.serial)))}\n`
}

/** In the canonical order (RFC 4034 §6.1), which begins with the place. */
function inOrder(rows: readonly FileRow[]): FileRow[] {
  const keyed = rows.map((row) => ({ row, name: nameFromText(row.owner, ROOT_NAME) }))
  const byType = (a: string, b: string) => (a < b ? -1 : 1)
  return keyed
    .toSorted((a, b) => compareNames(a.name, b.name) || byType(a.row.type, b.row.type))
    .map(({ row }) => row)
}

const linesOf = ({ owner, type, ttl, rdata }: FileRow) =>
  rdata.map((value) => `${owner}. ${ttl} IN ${type} ${value}\n`).join('')

/**
 * The zone file of a place.
 *
 * @throws Refusal `not-found`
 */
export async function exportRecords(db: Knex, reach: Reach, key: PlaceKey): Promise<string> {
  const place = await findPlace(db, reach, key)
  const { kind, userId, zoneId, fqdn } = place
  const isZone = kind === 'zone'
  const rows = await query<FileRow>(db, ROWS, [userId, zoneId, fqdn, isZone], 'export-records')
  const reached = rows.filter((row) => holdsOwner(reach, place, row.owner, row.fqdn))
  const head = `$ORIGIN ${fqdn}.\n${isZone ? await soaLine(db, place) : ''}`
  return head + inOrder(reached).map(linesOf).join('')
}
