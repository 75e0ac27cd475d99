/** The list of an account's keys. */
import type { Knex } from 'knex'
import { requireAbility } from '../../domain/plans.ts'
import {
  containing,
  type ListQuery,
  type ListRequest,
  parseListQuery,
} from '../../plugins/list-query.ts'
import type { CallerAccount } from '../../principal.ts'
import { type Condition, selectPage } from '../../sql.ts'
import { API_KEYS, type ApiKeyRow } from './api-key-row.ts'

const RULES = {
  sort: ['id', 'name', 'created_at', 'last_used_at'],
  filter: { q: 'text', id: 'ids' },
} as const

/** What a field is sorted by. */
const COLUMNS = {
  id: 'k.id',
  name: 'lower(k.name)',
  created_at: 'k.created_at',
  last_used_at: 'k.last_used_at',
} as const satisfies Record<(typeof RULES.sort)[number], string>

export interface ApiKeyPage {
  readonly keys: readonly ApiKeyRow[]
  readonly offset: number
  readonly total: number
}

type Filter = ListRequest<typeof RULES.filter, keyof typeof COLUMNS>['filter']

function conditionsOf(filter: Filter): Condition[] {
  const conditions: Condition[] = []
  if (filter.q !== undefined) {
    const part = containing(filter.q)
    conditions.push(['k.name ilike ? or k.prefix like ?', part, part])
  }
  if (filter.id !== undefined) conditions.push(['k.id = any (?::bigint[])', filter.id])
  return conditions
}

/**
 * The account's keys: all of them, or the range that is asked for.
 *
 * @throws Refusal `plan-required`, and `validation-failed` for a query that cannot be read
 */
export async function listApiKeys(
  knex: Knex,
  account: CallerAccount,
  query: ListQuery,
): Promise<ApiKeyPage> {
  requireAbility(account, 'api_keys', 'API keys')
  const { sort, offset, limit, filter } = parseListQuery(query, RULES)
  const orderBy = `${COLUMNS[sort.field]} ${sort.order} nulls last, k.id`
  const conditions: Condition[] = [
    ['k.user_id = ? and k.replaced_by is null and k.policy_id is null', account.id],
    ...conditionsOf(filter),
  ]
  const page = { orderBy, offset, limit }
  const { rows, total } = await selectPage<ApiKeyRow>(knex, API_KEYS, conditions, page)
  return { keys: rows, offset, total }
}
