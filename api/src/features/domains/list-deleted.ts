/** The account's deleted domains that can be restored. */
import type { RestorableDomain } from '@homing/openapi'
import { raw } from 'objection'
import { type Reach, scopeHolds } from '../../rules/key-scope.ts'
import { RESERVATION_DAYS } from '../../rules/name-reservations.ts'
import { DeletedDomain } from '../../models/deleted-domain.ts'
import {
  type ColumnName,
  containing,
  filterBy,
  type ListForm,
  oneOf,
  readList,
} from '../../models/list.ts'
import { columnsOf } from '../../models/table.ts'
import { type ListQuery, parseListQuery } from '../../plugins/list-query.ts'
import type { Services } from '../../compose.ts'
import { type DeletedRow, restorableSince } from './restore-domain.ts'

const LIST = {
  sort: {
    deleted_at: 'deleted_domains.deleted_at',
    fqdn: 'deleted_domains.fqdn',
    id: 'deleted_domains.id',
  },
  newestFirst: true,
  filter: {
    q: filterBy('text', (list, text) => {
      list.where('deleted_domains.fqdn', 'like', containing(text.toLowerCase()))
    }),
    id: oneOf('deleted_domains.id'),
  },
  keys: ['deleted_domains.id'],
} as const satisfies ListForm<ColumnName<typeof DeletedDomain>>

// The records of a domain can be many, and only their number is shown. Of forward and monitor, only that there is one.
const { records: _records, forward: _forward, monitor: _monitor, ...SHOWN } = DeletedDomain.columns
const NAMES = Object.keys(SHOWN) as (keyof typeof SHOWN)[]

type ListedRow = Omit<DeletedRow, 'records' | 'forward' | 'monitor'> & {
  readonly has_wildcard: boolean
  readonly has_web_forward: boolean
  readonly has_monitor: boolean
  readonly record_count: number
}

const HAS_WILDCARD = raw(
  'exists (select from deleted_domains w where w.base_id = deleted_domains.id) as has_wildcard',
)

const HAS_WEB_FORWARD = raw('deleted_domains.forward is not null as has_web_forward')
const HAS_MONITOR = raw('deleted_domains.monitor is not null as has_monitor')

const RECORD_COUNT = raw('coalesce(jsonb_array_length(deleted_domains.records), 0) as record_count')

const DAY_MS = 86_400_000

function deletedBody(row: ListedRow): RestorableDomain {
  const { id, fqdn, zone, record_ipv4, record_ipv6, paused, note, tags, has_wildcard } = row
  const until = new Date(row.deleted_at.getTime() + RESERVATION_DAYS * DAY_MS)
  return {
    id,
    fqdn,
    zone,
    record_ipv4,
    record_ipv6,
    paused,
    note,
    tags: [...tags],
    has_wildcard,
    has_update_token: row.token_digest !== null,
    records: row.record_count,
    has_web_forward: row.has_web_forward,
    has_monitor: row.has_monitor,
    created_at: row.created_at.toISOString(),
    deleted_at: row.deleted_at.toISOString(),
    restorable_until: until.toISOString(),
  }
}

export interface DeletedPage {
  readonly domains: readonly RestorableDomain[]
  readonly offset: number
  readonly total: number
}

/**
 * The domains that the account deleted and can restore, the last deleted first.
 *
 * @throws Refusal `validation-failed` for a query that cannot be read
 */
export async function listDeleted(
  { knex, now }: Services,
  { userId, scope }: Reach,
  query: ListQuery,
): Promise<DeletedPage> {
  const request = parseListQuery(query, LIST)
  const restorable = () =>
    DeletedDomain.query(knex)
      .modify('ownedBy', userId)
      .whereNull('deleted_domains.base_id')
      .where('deleted_domains.deleted_at', '>', restorableSince(now()))
  const list = restorable()
    .joinRelated('zone')
    .select(
      columnsOf(DeletedDomain, NAMES),
      'zone.name as zone',
      HAS_WILDCARD,
      RECORD_COUNT,
      HAS_WEB_FORWARD,
      HAS_MONITOR,
    )
  if (scope !== undefined && scope.domains !== null) {
    const all = await restorable().select('deleted_domains.id', 'deleted_domains.fqdn')
    const held = all.filter(({ fqdn }) => scopeHolds(scope, fqdn))
    list.whereIn(
      'deleted_domains.id',
      held.map(({ id }) => id),
    )
  }
  const { rows, total } = await readList<ListedRow>(list, LIST, request)
  return { domains: rows.map(deletedBody), offset: request.offset, total }
}
