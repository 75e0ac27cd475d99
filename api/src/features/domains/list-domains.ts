/** The list of an account's domains. */
import { containing, type ListQuery, parseListQuery } from '../../plugins/list-query.ts'
import { OwnedDomain } from '../../models/domain.ts'
import type { Services } from '../../services.ts'

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

/**
 * The account's domains, wildcards too: all of them, or the range that is asked for.
 *
 * @throws Refusal `validation-failed` for a query that cannot be read
 */
export async function listDomains(
  { knex }: Services,
  userId: string,
  query: ListQuery,
): Promise<DomainPage> {
  const { sort, offset, limit, filter } = parseListQuery(query, RULES)
  const matching = OwnedDomain.of(knex, userId)
  if (filter.q !== undefined) {
    const part = containing(filter.q.toLowerCase())
    void matching.whereRaw(
      '(d.fqdn like ? or host(d.record_ipv4) like ? or host(d.record_ipv6) like ?)',
      [part, part, part],
    )
  }
  if (filter.id !== undefined) void matching.whereIn('d.id', [...filter.id])
  if (filter.zone !== undefined) void matching.where('z.name', filter.zone.toLowerCase())
  if (filter.rrtype !== undefined) void matching.where('d.rrtype', filter.rrtype)
  if (filter.is_active !== undefined) void matching.where('d.is_active', filter.is_active)
  if (filter.is_wildcard !== undefined) void matching.where('d.is_wildcard', filter.is_wildcard)
  const total = await matching.clone().resultSize()
  // The id decides between equals, so that no page repeats what another showed.
  void matching.orderByRaw(`${COLUMNS[sort.field]} ${sort.order} nulls last, d.id`).offset(offset)
  if (limit !== undefined) void matching.limit(limit)
  return { domains: await matching, offset, total }
}
