/** The list of an account's domains. */
import type { Domain as DomainBody } from '@homing/openapi'
import type { Knex } from 'knex'
import { raw } from 'objection'
import type { Reach } from '../../rules/key-scope.ts'
import { Domain, domainBody, idsInScope, type OwnedDomain } from '../../models/domain.ts'
import {
  type AliasedColumn,
  type ColumnName,
  filterBy,
  isTrue,
  type ListForm,
  type ListRequest,
  oneOf,
  type PageOfRows,
  readFrequentList,
  readList,
  sameText,
} from '../../models/list.ts'
import type { Zone } from '../../models/zone.ts'
import { type ListQuery, parseListQuery } from '../../plugins/list-query.ts'
import type { Services } from '../../compose.ts'
import { SharedRead } from '../../database/shared-read.ts'
import {
  ofType,
  withAddress,
  withMonitor,
  withNote,
  withStatus,
  withTag,
} from './domain-filters.ts'

const LIST = {
  sort: {
    id: 'domains.id',
    fqdn: 'domains.fqdn',
    zone: 'zone.name',
    record_ip: raw(
      `case domains.rrtype when 'A' then domains.record_ipv4 else domains.record_ipv6 end`,
    ),
    last_update_at: 'domains.last_update_at',
    created_at: 'domains.created_at',
  },
  filter: {
    q: filterBy('text', (list, text) => void list.modify('matching', text)),
    id: oneOf('domains.id'),
    zone: filterBy('text', (list, zone) => void list.where('zone.name', zone.toLowerCase())),
    rrtype: sameText('domains.rrtype'),
    type: filterBy('text', ofType),
    ip: filterBy('text', withAddress),
    tag: filterBy('text', withTag),
    note: filterBy('text', withNote),
    status: filterBy('text', withStatus),
    monitor: filterBy('text', withMonitor),
    paused: isTrue('domains.paused'),
    is_active: isTrue('domains.is_active'),
    is_wildcard: isTrue('domains.is_wildcard'),
  },
  keys: ['domains.id', 'domains.fqdn'],
} as const satisfies ListForm<ColumnName<typeof Domain> | AliasedColumn<'zone', typeof Zone>>

export interface DomainPage {
  readonly domains: DomainBody[]
  readonly offset: number
  readonly total: number
}

const underWay = new WeakMap<Knex, SharedRead<DomainPage>>()

/**
 * The account's domains with wildcards: all of them, or the requested range. Concurrent calls of one account
 * share one query.
 *
 * @throws Refusal `validation-failed` for a query that cannot be read
 */
export async function listDomains(
  { knex }: Services,
  reach: Reach,
  query: ListQuery,
): Promise<DomainPage> {
  const request = parseListQuery(query, LIST)
  const shared = underWay.get(knex) ?? new SharedRead<DomainPage>()
  underWay.set(knex, shared)
  return shared.ask(JSON.stringify([reach, request]), async () => {
    const { rows, total } = await readDomains(knex, reach, request)
    return { domains: rows.map(domainBody), offset: request.offset, total }
  })
}

async function readDomains(
  knex: Knex,
  { userId, scope }: Reach,
  request: ListRequest<typeof LIST>,
): Promise<PageOfRows<OwnedDomain>> {
  const build = () => Domain.query(knex).modify('shown').modify('ownedBy', userId)
  // The usual request of screens and scripts. With filters there are too many variants for prepared statements.
  if (scope === undefined && Object.keys(request.filter).length === 0) {
    const list = { name: 'domains', build, values: [userId] }
    return readFrequentList<OwnedDomain>(knex, list, LIST, request)
  }
  const list = build()
  if (scope !== undefined && scope.domains !== null) {
    list.whereIn('domains.id', await idsInScope(knex, userId, scope))
  }
  return readList<OwnedDomain>(list, LIST, request)
}
