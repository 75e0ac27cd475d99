/** The list of an account's domains. */
import type { Domain as DomainBody } from '@homing/openapi'
import type { Knex } from 'knex'
import type { Reach } from '../../domain/key-scope.ts'
import {
  containing,
  type ListQuery,
  type ListRequest,
  parseListQuery,
} from '../../plugins/list-query.ts'
import { pageOfOwnedDomains } from '../../models/domain.ts'
import type { Services } from '../../services.ts'
import { SharedRead } from '../../shared-read.ts'
import type { Condition } from '../../sql.ts'
import { domainBody } from './domain-body.ts'

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
  readonly domains: DomainBody[]
  readonly offset: number
  readonly total: number
}

type DomainRequest = ListRequest<typeof RULES.filter, keyof typeof COLUMNS>
type Filter = DomainRequest['filter']

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

const underWay = new WeakMap<Knex, SharedRead<DomainPage>>()

/**
 * The account's domains, wildcards too: all of them, or the range that is asked for. Several windows and scripts
 * of one account that ask at the same time share one reading.
 *
 * @throws Refusal `validation-failed` for a query that cannot be read
 */
export async function listDomains(
  { knex }: Services,
  reach: Reach,
  query: ListQuery,
): Promise<DomainPage> {
  const request = parseListQuery(query, RULES)
  const shared = underWay.get(knex) ?? new SharedRead<DomainPage>()
  underWay.set(knex, shared)
  return shared.ask(JSON.stringify([reach, request]), () => readDomains(knex, reach, request))
}

async function readDomains(
  knex: Knex,
  reach: Reach,
  { sort, offset, limit, filter }: DomainRequest,
): Promise<DomainPage> {
  const orderBy = `${COLUMNS[sort.field]} ${sort.order} nulls last, d.id`
  const conditions = conditionsOf(filter)
  // The list as screens and scripts ask for it; other conditions come in too many forms to be kept prepared.
  const isUsual = conditions.length === 0 && reach.scope === undefined
  const name = isUsual ? `domains by ${orderBy}` : undefined
  const { rows, total } = await pageOfOwnedDomains(knex, reach, conditions, {
    orderBy,
    offset,
    limit,
    name,
  })
  return { domains: rows.map(domainBody), offset, total }
}
