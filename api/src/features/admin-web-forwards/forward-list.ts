/** The administrators' list of web forwards, of all accounts. */
import {
  type ADMIN_FORWARD_STATUS,
  type ADMIN_FORWARD_SORT,
  type AdminWebForward,
} from '@homing/openapi'
import type { Knex } from 'knex'
import type { AnyQueryBuilder } from 'objection'
import {
  type AliasedColumn,
  byWord,
  type ColumnName,
  containing,
  filterBy,
  inPageOrder,
  type ListForm,
  oneOf,
  readList,
  sameText,
} from '../../models/list.ts'
import type { Domain } from '../../models/domain.ts'
import { forwardBody, type ShownForward, shownForwards } from '../../models/shown-forward.ts'
import { WebForward } from '../../models/web-forward.ts'
import { type ListQuery, parseListQuery } from '../../plugins/list-query.ts'
import { notFound } from '../../rules/errors.ts'

type SortField = (typeof ADMIN_FORWARD_SORT)[number]
type Status = (typeof ADMIN_FORWARD_STATUS)[number]
type SortColumn = ColumnName<typeof WebForward> | AliasedColumn<'domain', typeof Domain>

const STATUS: Readonly<Record<Status, (list: AnyQueryBuilder) => void>> = {
  active: (list) =>
    void list.where('web_forwards.is_active', true).whereNull('web_forwards.disabled_at'),
  paused: (list) => void list.where('web_forwards.is_active', false),
  disabled: (list) => void list.whereNotNull('web_forwards.disabled_at'),
  fallback: (list) => void list.whereNotNull('web_forwards.fallback'),
}

/** Forwards with this text in the domain or in the target. */
function matching(list: AnyQueryBuilder, text: string): void {
  const domain = WebForward.relatedQuery('domain').where(
    'domain.fqdn',
    'like',
    containing(text.toLowerCase()),
  )
  void list.where(
    (either) =>
      void either.whereExists(domain).orWhere('web_forwards.target_url', 'ilike', containing(text)),
  )
}

const LIST = {
  sort: {
    id: 'web_forwards.id',
    fqdn: 'domain.fqdn',
    target_url: 'web_forwards.target_url',
    checked_at: 'web_forwards.checked_at',
    created_at: 'web_forwards.created_at',
  } satisfies Record<SortField, SortColumn>,
  filter: {
    q: filterBy('text', matching),
    id: oneOf('web_forwards.id'),
    user_id: oneOf('web_forwards.user_id'),
    domain_id: oneOf('web_forwards.domain_id'),
    forwarding_type: sameText('web_forwards.forwarding_type'),
    status: byWord('status', STATUS),
    blocked_target_id: oneOf('web_forwards.blocked_target_id'),
  },
  joins: { fqdn: (list) => void list.joinRelated('domain') },
  keys: ['web_forwards.id', 'domain.fqdn'],
  pageSize: 25,
  pageLimit: 100,
} as const satisfies ListForm<SortColumn>

export interface AdminForwardRow extends ShownForward {
  readonly username: string
  /** The user name of the administrator. */
  readonly disabler: string | null
  readonly blocked_target_id: string | null
}

const forAdministrators = (knex: Knex) =>
  shownForwards(knex)
    .joinRelated('owner')
    .leftJoin('users as disabler', 'disabler.id', 'web_forwards.disabled_by')
    .select('owner.username', 'disabler.username as disabler', 'web_forwards.blocked_target_id')

export interface ForwardPage {
  readonly forwards: readonly AdminForwardRow[]
  readonly offset: number
  readonly total: number
}

/**
 * One page of the web forwards of all accounts. The page is found first, and joined with domains and owners afterwards: each
 * forward has both, so they change no count.
 *
 * @throws Refusal `validation-failed` for a query that cannot be read
 */
export async function listAllForwards(knex: Knex, query: ListQuery): Promise<ForwardPage> {
  const request = parseListQuery(query, LIST)
  const forwards = WebForward.query(knex).select('web_forwards.id')
  const { rows, total } = await readList<{ readonly id: string }>(forwards, LIST, request)
  const ids = rows.map(({ id }) => id)
  const found = await forAdministrators(knex)
    .whereIn('web_forwards.id', ids)
    .toKnexQuery<AdminForwardRow>()
  return {
    forwards: inPageOrder(ids, found, ({ id }) => id),
    offset: request.offset,
    total,
  }
}

/**
 * One web forward of any account.
 *
 * @throws Refusal `not-found`
 */
export async function findAnyForward(knex: Knex, id: string): Promise<AdminForwardRow> {
  const [row] = await forAdministrators(knex)
    .where('web_forwards.id', id)
    .toKnexQuery<AdminForwardRow>()
  if (row === undefined) throw notFound('web forward')
  return row
}

/** A forward as JSON. */
export function adminForwardBody(row: AdminForwardRow): AdminWebForward {
  return {
    ...forwardBody(row),
    user_id: row.user_id,
    username: row.username,
    is_disabled: row.disabled_at !== null,
    disabled_at: row.disabled_at?.toISOString() ?? null,
    disabled_by: row.disabler,
    blocked_target_id: row.blocked_target_id,
  }
}
