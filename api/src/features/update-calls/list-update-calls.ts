/** Lists the update calls of a domain for its owner. */
import { raw } from 'objection'
import { notFound } from '../../rules/errors.ts'
import { CALLS_KEPT_DAYS } from '../../rules/update-calls.ts'
import type { Reach } from '../../rules/key-scope.ts'
import { findOwnedDomain } from '../../models/domain.ts'
import { type ColumnName, isTrue, type ListForm, readList } from '../../models/list.ts'
import { columnsOf, type Row } from '../../models/table.ts'
import { UpdateCall } from '../../models/update-call.ts'
import { type ListQuery, parseListQuery } from '../../plugins/list-query.ts'
import type { Services } from '../../compose.ts'

const LIST = {
  sort: { last_at: ['update_calls.last_at', 'update_calls.number'] },
  newestFirst: true,
  filter: { is_refused: isTrue('update_calls.is_refused') },
  // Two calls with the same number are in different ring buffers.
  keys: ['update_calls.is_refused'],
  pageLimit: 100,
} as const satisfies ListForm<ColumnName<typeof UpdateCall>>

const DAY_MS = 86_400_000

const SHOWN = [
  'first_at',
  'last_at',
  'times',
  'is_refused',
  'source_ip',
  'client',
  'dialect',
  'path',
  'said',
  'answer',
  'hint',
] as const

export type UpdateCallRow = Pick<Row<typeof UpdateCall>, (typeof SHOWN)[number]> & {
  readonly id: string
}

// The two ring buffers of a domain count separately: an even id is a call of the owner, an odd id a refused call.
const ID = raw('update_calls.number * 2 + update_calls.is_refused::int as id')

export interface UpdateCallPage {
  readonly calls: readonly UpdateCallRow[]
  readonly offset: number
  readonly total: number
}

/**
 * The calls of one of the account's domains, newest first by default.
 *
 * @throws Refusal `not-found`, `validation-failed` for a query that cannot be read
 */
export async function listUpdateCalls(
  { knex, now }: Services,
  reach: Reach,
  domainId: string,
  query: ListQuery,
): Promise<UpdateCallPage> {
  const request = parseListQuery(query, LIST)
  const owned = await findOwnedDomain(knex, reach, { id: domainId })
  if (owned === undefined) throw notFound('domain')
  const calls = UpdateCall.query(knex)
    .join('domains', 'domains.id', 'update_calls.domain_id')
    .where({ 'domains.id': domainId, 'domains.user_id': reach.userId })
    .where('update_calls.last_at', '>', new Date(now().getTime() - CALLS_KEPT_DAYS * DAY_MS))
    .select(ID, columnsOf(UpdateCall, SHOWN))
  const { rows, total } = await readList<UpdateCallRow>(calls, LIST, request)
  return { calls: rows, offset: request.offset, total }
}
