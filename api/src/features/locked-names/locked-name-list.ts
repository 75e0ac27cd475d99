/** The administrators' list of locked names. */
import { LOCKED_NAME_SORT, type LockedName } from '@homing/openapi'
import type { Knex } from 'knex'
import {
  containing,
  type ListQuery,
  type ListRequest,
  parseListQuery,
} from '../../plugins/list-query.ts'
import { type Condition, selectPage, type Source } from '../../sql.ts'

const RULES = {
  sort: LOCKED_NAME_SORT,
  filter: { q: 'text', id: 'ids', user_id: 'ids', has_domain: 'boolean' },
  pageSize: 25,
  pageLimit: 100,
} as const

interface LockedNameRow extends Omit<LockedName, 'locked_at'> {
  readonly locked_at: Date
}

const LOCKED_NAMES: Source = {
  columns: `
    l.id, l.fqdn, l.locked_at, a.username as locked_by, l.user_id, u.username, d.id as domain_id`,
  from: `
    locked_names l left join users a on a.id = l.locked_by left join users u on u.id = l.user_id
    left join domains d on d.fqdn = l.fqdn`,
}

type SortField = (typeof LOCKED_NAME_SORT)[number]
type Filter = ListRequest<typeof RULES.filter, SortField>['filter']

function conditionsOf(filter: Filter): Condition[] {
  const conditions: Condition[] = []
  if (filter.q !== undefined) conditions.push(['l.fqdn like ?', containing(filter.q.toLowerCase())])
  if (filter.id !== undefined) conditions.push(['l.id = any (?::bigint[])', filter.id])
  if (filter.user_id !== undefined)
    conditions.push(['l.user_id = any (?::bigint[])', filter.user_id])
  if (filter.has_domain !== undefined)
    conditions.push(['(d.id is not null) = ?', filter.has_domain])
  return conditions
}

export interface LockedNamePage {
  readonly names: readonly LockedName[]
  readonly offset: number
  readonly total: number
}

/**
 * One page of the locked names.
 *
 * @throws Refusal `validation-failed` for a query that cannot be read
 */
export async function listLockedNames(knex: Knex, query: ListQuery): Promise<LockedNamePage> {
  const { sort, offset, limit, filter } = parseListQuery(query, RULES)
  const page = { orderBy: `l.${sort.field} ${sort.order}, l.id`, offset, limit }
  const { rows, total } = await selectPage<LockedNameRow>(
    knex,
    LOCKED_NAMES,
    conditionsOf(filter),
    page,
  )
  const names = rows.map((row) => ({ ...row, locked_at: row.locked_at.toISOString() }))
  return { names, offset, total }
}
