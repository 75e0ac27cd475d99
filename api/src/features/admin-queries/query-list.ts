/** The administrators' list of the queries of the whole service, by zone, country, network or type. */
import {
  ADMIN_QUERY_DAYS,
  ADMIN_QUERY_GROUPS,
  type ADMIN_QUERY_SORT,
  type AdminQueryGroup,
  type QueriesOfService,
} from '@homing/openapi'
import type { Knex } from 'knex'
import { type Raw, raw } from 'objection'
import { containing, filterBy, type ListForm, oneOf, readList, wordOf } from '../../models/list.ts'
import { organisationsOf } from '../../models/organisations.ts'
import { ZoneQueries } from '../../models/zone-queries.ts'
import { type ListQuery, parseListQuery } from '../../plugins/list-query.ts'
import { labelOf } from '../../rules/query-labels.ts'

const DAY_MS = 86_400_000
const USUAL_DAYS = '7'

/** The column that each row of the list is for. */
const KEYS: Readonly<Record<AdminQueryGroup, string>> = {
  zone: 'zone.name',
  country: 'zone_queries_1d.value',
  network: 'zone_queries_1d.value',
  type: 'zone_queries_1d.value',
}

/** These filters decide which rows are added up, before the list is read. */
const chosenBefore = filterBy('text', () => undefined)

const formOf = (key: string) =>
  ({
    sort: {
      queries: raw('sum(zone_queries_1d.queries)'),
      value: key,
    } satisfies Record<(typeof ADMIN_QUERY_SORT)[number], string | Raw>,
    newestFirst: true,
    filter: {
      by: chosenBefore,
      days: chosenBefore,
      zone_id: oneOf('zone_queries_1d.zone_id'),
      q: filterBy('text', (list, text) => void list.where(key, 'ilike', containing(text))),
      id: filterBy('text', (list, value) => void list.where(key, value)),
    },
    keys: [key],
    pageSize: 25,
    pageLimit: 100,
  }) as const satisfies ListForm

interface SumRow {
  readonly value: string
  readonly queries: number
  readonly share: number
}

const COUNTS = raw(
  `sum(zone_queries_1d.queries)::float8 as queries,
   round(100 * sum(zone_queries_1d.queries) / sum(sum(zone_queries_1d.queries)) over (), 2)::float8 as share`,
)

export interface QueriesPage {
  readonly queries: readonly QueriesOfService[]
  readonly offset: number
  readonly total: number
}

/** The group and the first day that a call asks for. @throws Refusal `validation-failed` */
function chosenBy(query: ListQuery, now: Date) {
  const { filter } = parseListQuery(query, formOf(KEYS.zone))
  const by = wordOf('by', ADMIN_QUERY_GROUPS, filter.by ?? 'zone')
  const days = Number(wordOf('days', ADMIN_QUERY_DAYS, filter.days ?? USUAL_DAYS))
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  return { by, from: new Date(today - (days - 1) * DAY_MS) }
}

/**
 * One page of the queries of all accounts.
 *
 * @throws Refusal `validation-failed` for a query that cannot be read
 */
export async function listAllQueries(
  knex: Knex,
  query: ListQuery,
  now: Date,
): Promise<QueriesPage> {
  const { by, from } = chosenBy(query, now)
  const key = KEYS[by]
  const form = formOf(key)
  const request = parseListQuery(query, form)
  const sums = ZoneQueries.query(knex)
    .join('zones as zone', 'zone.id', 'zone_queries_1d.zone_id')
    .where('zone_queries_1d.dimension', by === 'zone' ? 'total' : by)
    .where('zone_queries_1d.at', '>=', from)
    .groupBy(key)
    .select(`${key} as value`, COUNTS)
  const { rows, total } = await readList<SumRow>(sums, form, request)
  const asns = by === 'network' ? rows.map(({ value }) => value) : []
  const organisations = await organisationsOf(knex, asns)
  return {
    queries: rows.map(({ value, queries, share }) => ({
      id: value,
      value,
      label: by === 'zone' ? value : labelOf(by, value, organisations),
      queries,
      share,
    })),
    offset: request.offset,
    total,
  }
}
