/** The administrators' list of own zones and claims, of all accounts. */
import { type ADMIN_ZONE_SORT, type AdminOwnZone, OWN_ZONE_STATES } from '@homing/openapi'
import type { Knex } from 'knex'
import type { AnyQueryBuilder } from 'objection'
import { raw } from 'objection'
import { containing, filterBy, type ListForm, oneOf, oneWord, readList } from '../../models/list.ts'
import { type ListQuery, parseListQuery } from '../../plugins/list-query.ts'
import { type ShownZone, shownZones, type ZoneConfig, zoneBody } from './shown-zones.ts'

type SortField = (typeof ADMIN_ZONE_SORT)[number]

/** Claims with this text in the domain or in the user name. */
function matching(list: AnyQueryBuilder, text: string): void {
  const part = containing(text)
  void list.where(
    (either) =>
      void either.where('zone_claims.name', 'ilike', part).orWhere('owner.username', 'ilike', part),
  )
}

/** As the field `is_vanity`: the zone of vanity name servers, and zones that use them. */
function withVanity(list: AnyQueryBuilder, wanted: boolean): void {
  void list.whereRaw('(zone_claims.is_vanity or zone_claims.uses_vanity) = ?', [wanted])
}

const LIST = {
  sort: {
    id: 'zone_claims.id',
    zone: 'zone_claims.name',
    claimed_at: 'zone_claims.claimed_at',
    active_at: 'zone_claims.active_at',
    records: raw('records'),
    domains: raw('domains'),
  } satisfies Record<SortField, unknown>,
  filter: {
    q: filterBy('text', matching),
    id: oneOf('zone_claims.id'),
    state: oneWord('state', 'zone_claims.state', OWN_ZONE_STATES),
    user_id: oneOf('zone_claims.user_id'),
    is_vanity: filterBy('boolean', withVanity),
  },
  keys: ['zone_claims.id'],
  pageSize: 25,
  pageLimit: 100,
} as const satisfies ListForm

type AdminZoneRow = ShownZone & { readonly username: string }

export interface ZonePage {
  readonly zones: readonly AdminZoneRow[]
  readonly offset: number
  readonly total: number
}

/**
 * One page of the own zones and claims of all accounts.
 *
 * @throws Refusal `validation-failed` for a query that cannot be read
 */
export async function listAllZones(knex: Knex, query: ListQuery): Promise<ZonePage> {
  const request = parseListQuery(query, LIST)
  const list = shownZones(knex).joinRelated('owner').select('owner.username')
  const { rows, total } = await readList<AdminZoneRow>(list, LIST, request)
  return { zones: rows, offset: request.offset, total }
}

/** A claim as JSON, for administrators. */
export const adminZoneBody = (row: AdminZoneRow, config: ZoneConfig): AdminOwnZone => ({
  ...zoneBody(row, config),
  user_id: row.user_id,
  username: row.username,
  claim_count: row.claim_count,
})
