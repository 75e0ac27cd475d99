/** Zones (table `zones`). */
import type { Knex } from 'knex'
import { query } from '../sql.ts'
import { bigint, boolean, integer, nullable, text, textOf, timestamptz } from './columns.ts'
import { belongsTo, table } from './table.ts'
import { User } from './user.ts'

/** Zones that the service answers for. Times of the SOA record are seconds. */
export class Zone extends table('zones', {
  id: bigint,
  name: text,
  /** Null: a provider zone. */
  owner_id: nullable(bigint),
  /** Whether people can register names in it. */
  offered: boolean,
  /** When `ZONES` first named it. Null: it was imported, or a user made it. */
  configured_at: nullable(timestamptz),
  soa_origin: textOf<'system' | 'import' | 'user'>(),
  soa_mname: text,
  soa_rname: text,
  soa_refresh: integer,
  soa_retry: integer,
  soa_expire: integer,
  soa_minimum: integer,
  soa_ttl: integer,
  created_at: timestamptz,
}) {
  declare owner?: User
  static override readonly relationMappings = { owner: belongsTo(User, 'zones.owner_id') }
}

export interface OfferedZone {
  readonly id: string
  readonly name: string
}

/** The provider's zones in which people register names, by name. */
export async function offeredZones(knex: Knex): Promise<OfferedZone[]> {
  return query(knex, 'select id, name from zones where offered and owner_id is null order by name')
}
