/** The administrators' list of locked names. */
import type { LOCKED_NAME_SORT, LockedName as LockedNameBody } from '@homing/openapi'
import type { Knex } from 'knex'
import {
  type ColumnName,
  containing,
  filterBy,
  type ListForm,
  oneOf,
  readList,
} from '../../models/list.ts'
import { LockedName } from '../../models/locked-name.ts'
import { type ListQuery, parseListQuery } from '../../plugins/list-query.ts'

type SortField = (typeof LOCKED_NAME_SORT)[number]
type LockedNameColumn = ColumnName<typeof LockedName>

const LIST = {
  sort: {
    id: 'locked_names.id',
    fqdn: 'locked_names.fqdn',
    locked_at: 'locked_names.locked_at',
  } satisfies Record<SortField, LockedNameColumn>,
  filter: {
    q: filterBy(
      'text',
      (list, part) => void list.where('locked_names.fqdn', 'like', containing(part.toLowerCase())),
    ),
    id: oneOf('locked_names.id'),
    user_id: oneOf('locked_names.user_id'),
    has_domain: filterBy(
      'boolean',
      (list, has) => void (has ? list.whereNotNull('d.id') : list.whereNull('d.id')),
    ),
  },
  keys: ['locked_names.id', 'locked_names.fqdn'],
  pageSize: 25,
  pageLimit: 100,
} as const satisfies ListForm<LockedNameColumn>

interface LockedNameRow extends Omit<LockedNameBody, 'locked_at'> {
  readonly locked_at: Date
}

export interface LockedNamePage {
  readonly names: readonly LockedNameBody[]
  readonly offset: number
  readonly total: number
}

/**
 * One page of the locked names.
 *
 * @throws Refusal `validation-failed` for a query that cannot be read
 */
export async function listLockedNames(knex: Knex, query: ListQuery): Promise<LockedNamePage> {
  const request = parseListQuery(query, LIST)
  const list = LockedName.query(knex)
    .leftJoinRelated('administrator')
    .leftJoinRelated('account')
    .leftJoin('domains as d', 'd.fqdn', 'locked_names.fqdn')
    .select(
      'locked_names.id',
      'locked_names.fqdn',
      'locked_names.locked_at',
      'administrator.username as locked_by',
      'locked_names.user_id',
      'account.username',
      'd.id as domain_id',
    )
  const { rows, total } = await readList<LockedNameRow>(list, LIST, request)
  const names = rows.map((row) => ({ ...row, locked_at: row.locked_at.toISOString() }))
  return { names, offset: request.offset, total }
}
