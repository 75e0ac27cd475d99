/** The administrators' list of blocked targets. */
import type { BLOCKED_TARGET_SORT, BlockedTarget as BlockedTargetBody } from '@homing/openapi'
import type { Knex } from 'knex'
import { raw } from 'objection'
import { BlockedTarget, type BlockedTargetRow } from '../../models/blocked-target.ts'
import {
  type ColumnName,
  containing,
  filterBy,
  type ListForm,
  oneOf,
  readList,
  sameText,
} from '../../models/list.ts'
import { type ListQuery, parseListQuery } from '../../plugins/list-query.ts'
import { Refusal } from '../../rules/errors.ts'

type SortField = (typeof BLOCKED_TARGET_SORT)[number]
type BlockedTargetColumn = ColumnName<typeof BlockedTarget>

const LIST = {
  sort: {
    id: 'blocked_targets.id',
    host: 'blocked_targets.host',
    blocked_at: 'blocked_targets.blocked_at',
    forwards: raw('forwards'),
  } satisfies Record<SortField, BlockedTargetColumn | ReturnType<typeof raw>>,
  filter: {
    q: filterBy(
      'text',
      (list, part) =>
        void list.whereRaw('blocked_targets.host || blocked_targets.path ilike ?', [
          containing(part),
        ]),
    ),
    id: oneOf('blocked_targets.id'),
    scope: sameText('blocked_targets.scope'),
  },
  keys: ['blocked_targets.id'],
  pageSize: 25,
  pageLimit: 100,
} as const satisfies ListForm<BlockedTargetColumn>

export interface BlockedTargetShown extends Omit<BlockedTargetRow, 'blocked_by'> {
  /** The user name of the administrator. */
  readonly administrator: string | null
  readonly forwards: number
}

const STOPPED = raw(
  `(select count(*)::int from web_forwards f where f.blocked_target_id = blocked_targets.id) as forwards`,
)

const shown = (knex: Knex) =>
  BlockedTarget.query(knex)
    .leftJoinRelated('administrator')
    .select('blocked_targets.*', 'administrator.username as administrator', STOPPED)

export interface BlockedTargetPage {
  readonly targets: readonly BlockedTargetShown[]
  readonly offset: number
  readonly total: number
}

/**
 * One page of the blocked targets.
 *
 * @throws Refusal `validation-failed` for a query that cannot be read
 */
export async function listBlockedTargets(knex: Knex, query: ListQuery): Promise<BlockedTargetPage> {
  const request = parseListQuery(query, LIST)
  const { rows, total } = await readList<BlockedTargetShown>(shown(knex), LIST, request)
  return { targets: rows, offset: request.offset, total }
}

/** @throws Refusal `not-found` when it was deleted meanwhile */
export async function findBlockedTarget(knex: Knex, id: string): Promise<BlockedTargetShown> {
  const [row] = await shown(knex).where('blocked_targets.id', id).toKnexQuery<BlockedTargetShown>()
  if (row !== undefined) return row
  throw new Refusal('not-found', 'The blocked target was deleted in the meantime.')
}

/** A blocked target as JSON. */
export const blockedTargetBody = (row: BlockedTargetShown): BlockedTargetBody => ({
  id: row.id,
  host: row.host,
  scope: row.scope,
  path: row.path,
  reason: row.reason,
  forwards: row.forwards,
  blocked_at: row.blocked_at.toISOString(),
  blocked_by: row.administrator,
})
