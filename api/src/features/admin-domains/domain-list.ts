/** The administrators' list of domains, of all accounts. */
import {
  type ADMIN_DOMAIN_SORT,
  type ADMIN_DOMAIN_STATUS,
  type AdminDomain,
  WITHHELD_REASONS,
} from '@homing/openapi'
import type { Knex } from 'knex'
import type { AnyQueryBuilder } from 'objection'
import { Refusal } from '../../rules/errors.ts'
import { Domain, domainFields, type OwnedDomain } from '../../models/domain.ts'
import {
  byWord,
  type ColumnName,
  filterBy,
  inPageOrder,
  isTrue,
  type ListForm,
  oneOf,
  readList,
  sameText,
} from '../../models/list.ts'
import { columnsOf, type Row } from '../../models/table.ts'
import { type ListQuery, parseListQuery } from '../../plugins/list-query.ts'

type SortField = (typeof ADMIN_DOMAIN_SORT)[number]
type Status = (typeof ADMIN_DOMAIN_STATUS)[number]
type DomainColumn = ColumnName<typeof Domain>

const where = (column: DomainColumn, value: boolean) => (list: AnyQueryBuilder) =>
  void list.where(column, value)

/** The condition of each status. */
const STATUS: Readonly<Record<Status, (list: AnyQueryBuilder) => void>> = {
  active: where('domains.is_active', true),
  withheld: where('domains.is_active', false),
  locked: where('domains.locked', true),
  paused: where('domains.paused', true),
  over_limit: where('domains.over_limit', true),
  owner_blocked: where('domains.owner_blocked', true),
}

function inZone(list: AnyQueryBuilder, name: string): void {
  list.whereRaw('domains.zone_id = (select id from zones where name = ?)', name.toLowerCase())
}

/** Only columns of the domain itself can be filtered and sorted by, so that finding a page needs no join. */
const LIST = {
  sort: {
    id: 'domains.id',
    fqdn: 'domains.fqdn',
    rrtype: 'domains.rrtype',
    ttl: 'domains.ttl',
    is_active: 'domains.is_active',
    last_update_at: 'domains.last_update_at',
    created_at: 'domains.created_at',
  } satisfies Record<SortField, DomainColumn>,
  filter: {
    q: filterBy('text', (list, text) => void list.modify('matching', text)),
    id: oneOf('domains.id'),
    user_id: oneOf('domains.user_id'),
    zone: filterBy('text', inZone),
    rrtype: sameText('domains.rrtype'),
    status: byWord('status', STATUS),
    is_wildcard: isTrue('domains.is_wildcard'),
  },
  keys: ['domains.id', 'domains.fqdn'],
  pageSize: 25,
  pageLimit: 100,
} as const satisfies ListForm<DomainColumn>

const WITHHELD_COLUMNS = ['locked', 'paused', 'over_limit', 'owner_blocked'] as const

/** A domain, with the columns that administrators see. */
export type DomainRow = OwnedDomain & Pick<Row<typeof Domain>, (typeof WITHHELD_COLUMNS)[number]>

const shownDomains = (knex: Knex) =>
  Domain.query(knex).modify('shown').select(columnsOf(Domain, WITHHELD_COLUMNS))

/** `?user_id=` in the URL of a list is equivalent to the filter. */
export type DomainListQuery = ListQuery & { readonly user_id?: string }

export interface DomainPage {
  readonly domains: readonly DomainRow[]
  readonly offset: number
  readonly total: number
}

/**
 * One page of the domains of all accounts.
 *
 * The page is found first and its columns are read afterwards, so that rows that a late page skips cost
 * neither joins nor sub-queries. A page sorted by name is found by name, because the index on names alone is
 * sufficient.
 *
 * @throws Refusal `validation-failed` for a query that cannot be read
 */
export async function listAllDomains(knex: Knex, query: DomainListQuery): Promise<DomainPage> {
  const request = parseListQuery(query, LIST)
  const key = request.sort.field === 'fqdn' ? 'fqdn' : 'id'
  const domains = Domain.query(knex).select(`domains.${key} as key`)
  if (query.user_id !== undefined) domains.modify('ownedBy', query.user_id)
  const { rows, total } = await readList<{ readonly key: string }>(domains, LIST, request)
  const keys = rows.map((row) => row.key)
  const found = await shownDomains(knex).whereIn(`domains.${key}`, keys).toKnexQuery<DomainRow>()
  const shown = inPageOrder(keys, found, (row) => row[key])
  return { domains: shown, offset: request.offset, total }
}

/**
 * One domain of any account.
 *
 * @throws Refusal `not-found`
 */
export async function findAnyDomain(knex: Knex, id: string): Promise<DomainRow> {
  const [row] = await shownDomains(knex).where('domains.id', id).toKnexQuery<DomainRow>()
  if (row) return row
  throw new Refusal('not-found', 'A domain with this id does not exist.')
}

/** A domain as JSON. */
export function adminDomainBody(row: DomainRow): AdminDomain {
  return {
    ...domainFields(row),
    withheld_by: WITHHELD_REASONS.filter((reason) => row[reason]),
    base_id: row.base_id,
  }
}
