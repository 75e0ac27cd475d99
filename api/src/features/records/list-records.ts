/** The list of the records of a place. */
import type { DnsRecord } from '@homing/openapi'
import type { Knex } from 'knex'
import { query as run } from '../../database/sql.ts'
import type { FoundPlace, PlaceKey } from '../../models/record-place.ts'
import { recordBody, type ShownRecord, shownRecords, type ZoneRecord } from '../../models/record.ts'
import {
  type ColumnName,
  filterBy,
  type ListForm,
  oneOf,
  readFrequentList,
  readList,
} from '../../models/list.ts'
import { type ListQuery, parseListQuery } from '../../plugins/list-query.ts'
import type { Services } from '../../compose.ts'
import type { Reach } from '../../rules/key-scope.ts'
import { findPlace, holdsOwner } from './find-place.ts'

/** The stored form of an owner name that a caller filters by. */
const asStored = (owner: string) => owner.trim().toLowerCase().replace(/\.$/, '')

export const RECORD_FILTERS = {
  q: filterBy('text', (list, text) => void list.modify('matching', text)),
  id: oneOf('records.id'),
  type: filterBy('text', (list, type) => void list.where('records.type', type.toUpperCase())),
}

const LIST = {
  sort: {
    id: 'records.id',
    owner: ['records.owner', 'records.type'],
    type: ['records.type', 'records.owner'],
    ttl: 'records.ttl',
  },
  filter: {
    ...RECORD_FILTERS,
    owner: filterBy('text', (list, owner) => void list.where('records.owner', asStored(owner))),
  },
  keys: ['records.id'],
} as const satisfies ListForm<ColumnName<typeof ZoneRecord>>

export interface RecordPage {
  readonly records: DnsRecord[]
  readonly offset: number
  readonly total: number
}

/** The records of a place. */
const recordsOf = (db: Knex, { userId, zoneId, fqdn, kind }: FoundPlace) => {
  const list = shownRecords(db).modify('ownedBy', userId).where('records.zone_id', zoneId)
  return kind === 'zone' ? list : list.modify('within', fqdn)
}

/** The owner names in the scope of a key. A place has few names, so this uses the same rule as elsewhere. */
async function ownersInScope(db: Knex, reach: Reach, place: FoundPlace): Promise<string[]> {
  const rows = await run<{ owner: string; fqdn: string | null }>(
    db,
    `select distinct r.owner, d.fqdn from records r left join domains d on d.id = r.domain_id
     where r.user_id = ? and r.zone_id = ?`,
    [place.userId, place.zoneId],
  )
  return rows.flatMap(({ owner, fqdn }) => (holdsOwner(reach, place, owner, fqdn) ? [owner] : []))
}

/**
 * The records of a place: all of them, or the requested range.
 *
 * @throws Refusal `not-found`, `validation-failed` for a query that cannot be read
 */
export async function listRecords(
  { knex }: Services,
  reach: Reach,
  key: PlaceKey,
  asked: ListQuery,
): Promise<RecordPage> {
  const request = parseListQuery(asked, LIST)
  const place = await findPlace(knex, reach, key)
  const build = () => recordsOf(knex, place)
  const { offset } = request
  const isUsual = reach.scope === undefined && Object.keys(request.filter).length === 0
  if (isUsual) {
    const { userId, zoneId, fqdn, kind } = place
    const values = kind === 'zone' ? [userId, zoneId] : [userId, zoneId, fqdn, fqdn, fqdn]
    const list = { name: `records of a ${kind}`, build, values }
    const { rows, total } = await readFrequentList<ShownRecord>(knex, list, LIST, request)
    return { records: rows.map(recordBody), offset, total }
  }
  const list = build()
  if (reach.scope !== undefined && reach.scope.domains !== null) {
    list.whereIn('records.owner', await ownersInScope(knex, reach, place))
  }
  const { rows, total } = await readList<ShownRecord>(list, LIST, request)
  return { records: rows.map(recordBody), offset, total }
}
