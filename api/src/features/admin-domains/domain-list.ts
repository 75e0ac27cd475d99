/** The administrators' list of domains, of all accounts. */
import {
  ADMIN_DOMAIN_SORT,
  ADMIN_DOMAIN_STATUS,
  type AdminDomain,
  WITHHELD_REASONS,
} from '@homing/openapi'
import type { Knex } from 'knex'
import { invalid, Refusal } from '../../domain/errors.ts'
import { domainFields, OWNED_DOMAINS, type OwnedDomain } from '../../models/domain.ts'
import {
  containing,
  type ListQuery,
  type ListRequest,
  parseListQuery,
} from '../../plugins/list-query.ts'
import { type Condition, select, selectPage, type Source } from '../../sql.ts'

type SortField = (typeof ADMIN_DOMAIN_SORT)[number]
type Status = (typeof ADMIN_DOMAIN_STATUS)[number]

const RULES = {
  sort: ADMIN_DOMAIN_SORT,
  filter: {
    q: 'text',
    id: 'ids',
    user_id: 'ids',
    zone: 'text',
    rrtype: 'text',
    status: 'text',
    is_wildcard: 'boolean',
  },
  pageSize: 25,
  pageLimit: 100,
} as const

/** What each status means for a row. */
const STATUS: Readonly<Record<Status, string>> = {
  active: 'd.is_active',
  withheld: 'not d.is_active',
  locked: 'd.locked',
  paused: 'd.paused',
  over_limit: 'd.over_limit',
  owner_blocked: 'd.owner_blocked',
}

/** A domain with what administrators see of it. */
export interface DomainRow extends OwnedDomain {
  readonly locked: boolean
  readonly paused: boolean
  readonly over_limit: boolean
  readonly owner_blocked: boolean
}

/**
 * By what a page of domains is found before it is shown. What a list is narrowed and sorted by is the
 * domain's own, so nothing is joined; a name and an id tell all rows apart and are found in their index alone.
 */
const BY_ID = {
  source: { columns: 'd.id as key', from: 'domains d' },
  shown: 'd.id = any (?::bigint[])',
}
const BY_NAME = {
  source: { columns: 'd.fqdn as key', from: 'domains d' },
  shown: 'd.fqdn = any (?::text[])',
}

const SHOWN: Source = {
  ...OWNED_DOMAINS,
  columns: `${OWNED_DOMAINS.columns}, d.locked, d.paused, d.over_limit, d.owner_blocked`,
}

type Filter = ListRequest<typeof RULES.filter, SortField>['filter']

function statusCondition(status: string): Condition {
  const known = ADMIN_DOMAIN_STATUS.find((name) => name === status)
  if (known !== undefined) return [STATUS[known]]
  throw invalid({
    field: 'filter.status',
    message: `filter.status cannot be read. Expected one of: ${ADMIN_DOMAIN_STATUS.join(', ')}.`,
  })
}

function conditionsOf(filter: Filter): Condition[] {
  const conditions: Condition[] = []
  if (filter.q !== undefined) {
    const part = containing(filter.q.toLowerCase())
    const matches = 'd.fqdn like ? or host(d.record_ipv4) like ? or host(d.record_ipv6) like ?'
    conditions.push([matches, part, part, part])
  }
  if (filter.id !== undefined) conditions.push(['d.id = any (?::bigint[])', filter.id])
  if (filter.user_id !== undefined)
    conditions.push(['d.user_id = any (?::bigint[])', filter.user_id])
  if (filter.zone !== undefined) {
    conditions.push([
      'd.zone_id = (select id from zones where name = ?)',
      filter.zone.toLowerCase(),
    ])
  }
  if (filter.rrtype !== undefined) conditions.push(['d.rrtype = ?', filter.rrtype])
  if (filter.status !== undefined) conditions.push(statusCondition(filter.status))
  if (filter.is_wildcard !== undefined) conditions.push(['d.is_wildcard = ?', filter.is_wildcard])
  return conditions
}

/** The `?user_id=` of a list's URL says the same as the filter. */
export type DomainListQuery = ListQuery & { readonly user_id?: string }

export interface DomainPage {
  readonly domains: readonly DomainRow[]
  readonly offset: number
  readonly total: number
}

/**
 * One page of the domains of all accounts.
 *
 * The page is found first and shown afterwards, so that the rows that a late page skips
 * cost neither joins nor sub-queries.
 *
 * @throws Refusal `validation-failed` for a query that cannot be read
 */
export async function listAllDomains(knex: Knex, query: DomainListQuery): Promise<DomainPage> {
  const { sort, offset, limit, filter } = parseListQuery(query, RULES)
  const conditions = conditionsOf(filter)
  if (query.user_id !== undefined) conditions.push(['d.user_id = ?', query.user_id])
  const key = sort.field === 'fqdn' ? 'fqdn' : 'id'
  const { source, shown } = key === 'fqdn' ? BY_NAME : BY_ID
  const column = `d.${sort.field} ${sort.order}`
  const orderBy = sort.field === key ? column : `${column} nulls last, d.id`
  const page = { orderBy, offset, limit }
  const { rows, total } = await selectPage<{ key: string }>(knex, source, conditions, page)
  const keys = rows.map((row) => row.key)
  const found = await select<DomainRow>(knex, SHOWN, [[shown, keys]])
  const byKey = new Map(found.map((row) => [row[key], row]))
  return { domains: keys.flatMap((each) => byKey.get(each) ?? []), offset, total }
}

/**
 * One domain, whoever owns it.
 *
 * @throws Refusal `not-found`
 */
export async function findAnyDomain(knex: Knex, id: string): Promise<DomainRow> {
  const [row] = await select<DomainRow>(knex, SHOWN, [['d.id = ?', id]])
  if (row) return row
  throw new Refusal('not-found', 'There is no domain with this id.')
}

/** A domain as JSON. */
export function adminDomainBody(row: DomainRow): AdminDomain {
  return {
    ...domainFields(row),
    withheld_by: WITHHELD_REASONS.filter((reason) => row[reason]),
    base_id: row.base_id,
  }
}
