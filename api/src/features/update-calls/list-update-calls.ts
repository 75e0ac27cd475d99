/** What update clients sent for a domain, for its owner. */
import { notFound } from '../../domain/errors.ts'
import { CALLS_KEPT_DAYS } from '../../domain/update-calls.ts'
import type { Reach } from '../../domain/key-scope.ts'
import { findOwnedDomain } from '../../models/domain.ts'
import { type ListQuery, parseListQuery } from '../../plugins/list-query.ts'
import type { Services } from '../../services.ts'
import { type Condition, selectPage } from '../../sql.ts'

const RULES = {
  sort: ['last_at'],
  filter: { is_refused: 'boolean' },
  pageLimit: 100,
} as const

const DAY_MS = 86_400_000

export interface UpdateCallRow {
  readonly id: string
  readonly first_at: Date
  readonly last_at: Date
  readonly times: number
  readonly is_refused: boolean
  readonly source_ip: string | null
  readonly client: string | null
  readonly dialect: string
  readonly path: string
  readonly said: string
  readonly answer: string
  readonly hint: string | null
}

// The two rings of a domain count apart: an even number is one of the owner's, an odd one a refused call.
const SOURCE = {
  columns: `c.number * 2 + c.is_refused::int as id, c.first_at, c.last_at, c.times, c.is_refused,
            host(c.source_ip) as source_ip, c.client, c.dialect, c.path, c.said, c.answer, c.hint`,
  from: 'update_calls c join domains d on d.id = c.domain_id',
}

export interface UpdateCallPage {
  readonly calls: readonly UpdateCallRow[]
  readonly offset: number
  readonly total: number
}

/**
 * The calls of one of the account's domains, the newest first unless asked otherwise.
 *
 * @throws Refusal `not-found`, `validation-failed` for a query that cannot be read
 */
export async function listUpdateCalls(
  { knex, now }: Services,
  reach: Reach,
  domainId: string,
  query: ListQuery,
): Promise<UpdateCallPage> {
  const { sort, offset, limit, filter } = parseListQuery(query, RULES)
  const owned = await findOwnedDomain(knex, reach, ['d.id = ?', domainId])
  if (owned === undefined) throw notFound('domain')
  const order = query.sort === undefined ? 'desc' : sort.order
  const conditions: Condition[] = [
    ['d.id = ? and d.user_id = ?', domainId, reach.userId],
    ['c.last_at > ?', new Date(now().getTime() - CALLS_KEPT_DAYS * DAY_MS)],
  ]
  if (filter.is_refused !== undefined) conditions.push(['c.is_refused = ?', filter.is_refused])
  const { rows, total } = await selectPage<UpdateCallRow>(knex, SOURCE, conditions, {
    orderBy: `c.last_at ${order}, c.number ${order}, c.is_refused`,
    offset,
    limit,
  })
  return { calls: rows, offset, total }
}
