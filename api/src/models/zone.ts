/** Zones (table `zones`). */
import type { Knex } from 'knex'
import { bigint, boolean, integer, nullable, text, textOf, timestamptz } from './columns.ts'
import { belongsTo, type Row, table } from './table.ts'
import { User } from './user.ts'

/** Zones that the service answers for. Times of the SOA record are seconds. */
export class Zone extends table('zones', {
  id: bigint,
  name: text,
  /** Null: a provider zone, or a user's zone that nobody has proved. */
  owner_id: nullable(bigint),
  /** Whether it is a user's zone. */
  is_own: boolean,
  /** Whether dnsd serves it. */
  is_served: boolean,
  /** Whether users can register names in it. */
  offered: boolean,
  /** When `ZONES` first named it. Null: it was imported, or created by a user. */
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

export type OfferedZone = Pick<Row<typeof Zone>, 'id' | 'name'>

/** The provider's zones in which users can register names, sorted by name. */
export async function offeredZones(knex: Knex): Promise<OfferedZone[]> {
  return Zone.query(knex)
    .select('id', 'name')
    .where('offered', true)
    .where('is_own', false)
    .orderBy('name')
    .toKnexQuery<OfferedZone>()
}

/** The own zones of an account that DNS serves, sorted by name. */
export async function servedOwnZones(knex: Knex, userId: string): Promise<OfferedZone[]> {
  return Zone.query(knex)
    .select('id', 'name')
    .where('owner_id', userId)
    .where('is_served', true)
    .orderBy('name')
    .toKnexQuery<OfferedZone>()
}
