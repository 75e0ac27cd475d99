/** RRsets other than the addresses of domains (table `records`): those of users, of the service and of imported zones. */
import type { DnsRecord as RecordBody } from '@homing/openapi'
import type { Knex } from 'knex'
import { raw } from 'objection'
import { bigint, integer, nullable, text, textArray, textOf, timestamptz } from './columns.ts'
import { Domain } from './domain.ts'
import { containing } from './list.ts'
import { belongsTo, columnsOf, ownedBy, type Row, table, type TableQuery } from './table.ts'
import { User } from './user.ts'
import { Zone } from './zone.ts'

export class ZoneRecord extends table('records', {
  id: bigint,
  zone_id: bigint,
  /** The nearest domain at or above the owner of a user's record. Null: the record belongs to the zone itself. */
  domain_id: nullable(bigint),
  /** Lower case, no final dot. */
  owner: text,
  type: text,
  /** Seconds. */
  ttl: integer,
  /** RDATA in the form of a zone file. */
  rdata: textArray,
  origin: textOf<'system' | 'import' | 'user'>(),
  /** The account whose record it is. Null: the service's own, or imported by the operator. */
  user_id: nullable(bigint),
  created_at: timestamptz,
  version: integer,
}) {
  declare account?: User
  declare zone?: Zone
  declare domain?: Domain
  static override readonly relationMappings = () => ({
    account: belongsTo(User, 'records.user_id'),
    zone: belongsTo(Zone, 'records.zone_id'),
    domain: belongsTo(Domain, 'records.domain_id'),
  })

  static override readonly modifiers = {
    ownedBy,

    /** Selects plain rows of `ShownRecord`. Conditions can use the tables `records`, `zone` and `domain`. */
    shown(query: TableQuery<ZoneRecord>): void {
      query
        .innerJoinRelated('zone')
        .leftJoinRelated('domain')
        .select(columnsOf(ZoneRecord, SHOWN), 'zone.name as zone', 'domain.fqdn as fqdn', IS_SERVED)
    },

    /** Records at and below a name. */
    within(query: TableQuery<ZoneRecord>, fqdn: string): void {
      query.whereRaw(isWithin('records.owner', '?'), [fqdn, fqdn, fqdn])
    },

    /** Records with this text in their owner name or in a value. */
    matching(query: TableQuery<ZoneRecord>, part: string): void {
      const pattern = containing(part.toLowerCase())
      query.where((either) => {
        either
          .where('records.owner', 'like', pattern)
          .orWhereRaw(
            'exists (select from unnest(records.rdata) as value where lower(value) like ?)',
            pattern,
          )
      })
    },
  }
}

/** A plain row of `records`. */
export type RecordRow = Row<typeof ZoneRecord>

const SHOWN = [
  'id',
  'zone_id',
  'domain_id',
  'user_id',
  'owner',
  'type',
  'ttl',
  'rdata',
  'created_at',
  'version',
] as const

const IS_SERVED = raw('zone.is_served and coalesce(domain.is_active, true) as is_served')

// '.' and '/' are neighbours in ASCII: every name from "moc.elpmaxe." up to "moc.elpmaxe/" lies below example.com.
export const isBelow = (owner: string, name: string) =>
  `(reverse(${owner}) ~>=~ (reverse(${name}) || '.') and reverse(${owner}) ~<~ (reverse(${name}) || '/'))`

export const isWithin = (owner: string, name: string) =>
  `(${owner} = ${name} or ${isBelow(owner, name)})`

/** A record with its zone and its domain. */
export type ShownRecord = Pick<RecordRow, (typeof SHOWN)[number]> & {
  readonly zone: string
  /** The domain at or above the owner. */
  readonly fqdn: string | null
  readonly is_served: boolean
}

/** Plain rows of `ShownRecord`. */
export const shownRecords = (db: Knex) => ZoneRecord.query(db).modify('shown')

/** A record as JSON. */
export function recordBody(row: ShownRecord): RecordBody {
  return {
    id: row.id,
    domain_id: row.domain_id,
    zone: row.zone,
    owner: row.owner,
    type: row.type,
    ttl: row.ttl,
    values: [...row.rdata],
    is_served: row.is_served,
    created_at: row.created_at.toISOString(),
    version: row.version,
  }
}
