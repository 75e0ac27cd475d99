/** The list of an account's domains. */
import type { Reach } from '../../domain/key-scope.ts'
import {
  containing,
  type ListQuery,
  type ListRequest,
  parseListQuery,
} from '../../plugins/list-query.ts'
import { type OwnedDomain, pageOfOwnedDomains } from '../../models/domain.ts'
import type { Services } from '../../services.ts'
import type { Condition } from '../../sql.ts'

const RULES = {
  sort: ['id', 'fqdn', 'zone', 'record_ip', 'last_update_at', 'created_at'],
  filter: {
    q: 'text',
    id: 'ids',
    zone: 'text',
    rrtype: 'text',
    is_active: 'boolean',
    is_wildcard: 'boolean',
  },
} as const

const ADDRESS = `case d.rrtype when 'A' then d.record_ipv4 else d.record_ipv6 end`

/** What a field is sorted by. */
const COLUMNS = {
  id: 'd.id',
  fqdn: 'd.fqdn',
  zone: 'z.name',
  record_ip: ADDRESS,
  last_update_at: 'd.last_update_at',
  created_at: 'd.created_at',
} as const satisfies Record<(typeof RULES.sort)[number], string>

export interface DomainPage {
  readonly domains: readonly OwnedDomain[]
  readonly offset: number
  readonly total: number
}

type Filter = ListRequest<typeof RULES.filter, keyof typeof COLUMNS>['filter']

function conditionsOf(filter: Filter): Condition[] {
  const conditions: Condition[] = []
  if (filter.q !== undefined) {
    const part = containing(filter.q.toLowerCase())
    const matches = 'd.fqdn like ? or host(d.record_ipv4) like ? or host(d.record_ipv6) like ?'
    conditions.push([matches, part, part, part])
  }
  if (filter.id !== undefined) conditions.push(['d.id = any (?::bigint[])', filter.id])
  if (filter.zone !== undefined) conditions.push(['z.name = ?', filter.zone.toLowerCase()])
  if (filter.rrtype !== undefined) conditions.push(['d.rrtype = ?', filter.rrtype])
  if (filter.is_active !== undefined) conditions.push(['d.is_active = ?', filter.is_active])
  if (filter.is_wildcard !== undefined) conditions.push(['d.is_wildcard = ?', filter.is_wildcard])
  return conditions
}

/**
 * The account's domains, wildcards too: all of them, or the range that is asked for.
 *
 * @throws Refusal `validation-failed` for a query that cannot be read
 */
export async function listDomains(
  { knex }: Services,
  reach: Reach,
  query: ListQuery,
): Promise<DomainPage> {
  const { sort, offset, limit, filter } = parseListQuery(query, RULES)
  const orderBy = `${COLUMNS[sort.field]} ${sort.order} nulls last, d.id`
  const page = { orderBy, offset, limit }
  const { rows, total } = await pageOfOwnedDomains(knex, reach, conditionsOf(filter), page)
  return { domains: rows, offset, total }
}
