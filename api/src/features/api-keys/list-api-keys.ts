/** The list of an account's keys. */
import type { Knex } from 'knex'
import { type AnyQueryBuilder, raw } from 'objection'
import { requireAbility } from '../../rules/plans.ts'
import type { ApiKey } from '../../models/api-key.ts'
import {
  type ColumnName,
  containing,
  filterBy,
  type ListForm,
  oneOf,
  readList,
} from '../../models/list.ts'
import { type ListQuery, parseListQuery } from '../../plugins/list-query.ts'
import type { CallerAccount } from '../../caller/principal.ts'
import type { ApiKeyRow } from './api-key-row.ts'
import { ownKeys } from './find-key.ts'

function matching(list: AnyQueryBuilder, text: string): void {
  const part = containing(text)
  list.where((either) => {
    either.where('api_keys.name', 'ilike', part).orWhere('api_keys.prefix', 'like', part)
  })
}

const LIST = {
  sort: {
    id: 'api_keys.id',
    name: raw('lower(api_keys.name)'),
    created_at: 'api_keys.created_at',
    last_used_at: 'api_keys.last_used_at',
  },
  filter: { q: filterBy('text', matching), id: oneOf('api_keys.id') },
  keys: ['api_keys.id'],
} as const satisfies ListForm<ColumnName<typeof ApiKey>>

export interface ApiKeyPage {
  readonly keys: readonly ApiKeyRow[]
  readonly offset: number
  readonly total: number
}

/**
 * The account's keys: all of them, or the requested range.
 *
 * @throws Refusal `plan-required`, and `validation-failed` for a query that cannot be read
 */
export async function listApiKeys(
  knex: Knex,
  account: CallerAccount,
  query: ListQuery,
): Promise<ApiKeyPage> {
  requireAbility(account, 'api_keys', 'API keys')
  const request = parseListQuery(query, LIST)
  const { rows, total } = await readList<ApiKeyRow>(ownKeys(knex, account.id), LIST, request)
  return { keys: rows, offset: request.offset, total }
}
