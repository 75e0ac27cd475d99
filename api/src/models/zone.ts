/** Zones (table `zones`). */
import type { Knex } from 'knex'
import { query } from '../sql.ts'

export interface OfferedZone {
  readonly id: string
  readonly name: string
}

/** The provider's zones in which people register names, by name. */
export async function offeredZones(knex: Knex): Promise<OfferedZone[]> {
  return query(knex, 'select id, name from zones where offered and owner_id is null order by name')
}
