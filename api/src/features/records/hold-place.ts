/** What a change of records is about, in one statement: the place, what the plan says, and the records by their ids. */
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import {
  inUseOf,
  inUseQuery,
  type InUseRow,
  type NeededUse,
  type RecordsInUse,
  type UsingAccount,
} from '../../feed/record-terms.ts'
import {
  type FoundPlace,
  type PlaceKey,
  placeQuery,
  reachesPlace,
} from '../../models/record-place.ts'
import { isWithin, type RecordRow, ZoneRecord } from '../../models/record.ts'
import { everyColumnOf } from '../../models/table.ts'
import type { Reach } from '../../rules/key-scope.ts'
import { placeNotFound, requireActive } from './find-place.ts'

/** What is asked about a place. */
export interface AskedPlace {
  readonly reach: Reach
  readonly key: PlaceKey
  readonly account: UsingAccount
  readonly needed: NeededUse
  readonly recordIds: readonly string[]
}

export interface HeldPlace {
  readonly place: FoundPlace
  readonly inUse: RecordsInUse
  /** The account's records in the place, by their ids. */
  readonly records: ReadonlyMap<string, RecordRow>
}

type HeldRow = FoundPlace & InUseRow & (RecordRow | Readonly<Record<keyof RecordRow, null>>)

// A row for each record; without records one row, without an id.
const heldPlace = (place: string, inUse: string) => `
  select place.*, in_use.*, ${everyColumnOf(ZoneRecord, 'r')}
  from (${place}) as place cross join (${inUse}) as in_use
  left join lateral (
    select * from records
    where id = any (?::bigint[]) and user_id = place."userId" and zone_id = place."zoneId"
      and ${isWithin('owner', 'place.fqdn')}) as r on true`

const placeOf = (row: FoundPlace): FoundPlace => ({
  kind: row.kind,
  userId: row.userId,
  fqdn: row.fqdn,
  zoneId: row.zoneId,
  zone: row.zone,
  domainId: row.domainId,
  claimId: row.claimId,
  state: row.state,
  isOwnZone: row.isOwnZone,
  isServed: row.isServed,
})

/**
 * Reads what a change is about. The transaction holds the account and its plan: records and domains change only under
 * the lock of their account.
 *
 * @throws Refusal `not-found`, `zone-not-active`
 */
export async function holdPlace(
  trx: Knex.Transaction,
  { reach, key, account, needed, recordIds }: AskedPlace,
): Promise<HeldPlace> {
  const [ofPlace, ofUse] = [placeQuery(reach, key), inUseQuery(account, needed)]
  const rows = await query<HeldRow>(
    trx,
    heldPlace(ofPlace.sql, ofUse.sql),
    [...ofPlace.values, ...ofUse.values, recordIds],
    `held-${ofPlace.name}`,
  )
  const [first] = rows
  if (first === undefined || !reachesPlace(reach, first)) throw placeNotFound(key)
  const place = placeOf(first)
  requireActive(place)
  const records = new Map(rows.flatMap((row) => (row.id === null ? [] : [[row.id, row] as const])))
  return { place, inUse: inUseOf(first), records }
}
