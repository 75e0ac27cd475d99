/** Zones (table `zones`). */
import type { Knex } from 'knex'

export interface OfferedZone {
  readonly id: string
  readonly name: string
}

/** The provider's zones in which people register names, by name. */
export async function offeredZones(knex: Knex): Promise<OfferedZone[]> {
  return knex('zones')
    .select<OfferedZone[]>('id', 'name')
    .where({ offered: true })
    .whereNull('owner_id')
    .orderBy('name')
}
