/** The queries of a time by parts, and by one dimension. */
import type { QueryDimension, QuerySeries } from '@homing/openapi'
import { QUERY_RESOLUTIONS } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import { type Principal, reachOf } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import { query } from '../../database/sql.ts'
import { organisationsOf } from '../../models/organisations.ts'
import type { AskedRange } from '../../rules/part-range.ts'
import { requireAbility } from '../../rules/plans.ts'
import { labelOf, OTHER_VALUES } from '../../rules/query-labels.ts'
import { type SeriesRange, seriesRange } from '../../rules/query-ranges.ts'
import { addressMarkers } from './address-markers.ts'
import { reachedDomains } from './reached-domains.ts'

/** The feature, in the words of a refusal. */
const ANALYTICS = 'DNS analytics'
/** Values that are told apart; the others are one. */
const VALUES_LIMIT = 10

export interface AskedSeries extends AskedRange {
  readonly domain_id?: string | undefined
  readonly dimension?: QueryDimension | undefined
}

type QueryPart = QuerySeries['parts'][number]
type QueryValue = QuerySeries['values'][number]

interface SeriesRow {
  readonly at: Date
  readonly value: string
  readonly queries: number
}

// The smallest values are added up here, because a domain can have hundreds of networks.
const seriesSql = (resolution: SeriesRange['resolution']) => `
  with rows as materialized (
    select at, value, sum(queries) as queries from queries_${resolution}
    where domain_id = any (?::bigint[]) and dimension = ? and at >= ? and at < ? group by at, value
  ), top as (
    select value from rows where value <> '${OTHER_VALUES}'
    group by value order by sum(queries) desc, value limit ${VALUES_LIMIT}
  )
  select at, case when value in (select value from top) then value else '${OTHER_VALUES}' end as value,
         sum(queries)::float8 as queries
  from rows group by 1, 2`

function readRows(
  knex: Knex,
  ids: readonly string[],
  dimension: QueryDimension | undefined,
  { resolution, begins }: Pick<SeriesRange, 'resolution'> & { readonly begins: readonly Date[] },
): Promise<SeriesRow[]> {
  const [first, last] = [begins[0], begins.at(-1)]
  if (first === undefined || last === undefined) return Promise.resolve([])
  const end = new Date(last.getTime() + QUERY_RESOLUTIONS[resolution].seconds * 1_000)
  return query(knex, seriesSql(resolution), [ids, dimension ?? 'total', first, end])
}

/** The sum of each part. */
function sumsOf(begins: readonly Date[], rows: readonly SeriesRow[]): number[] {
  const sums = new Map<number, number>()
  for (const { at, queries } of rows) {
    sums.set(at.getTime(), (sums.get(at.getTime()) ?? 0) + queries)
  }
  return begins.map((begin) => sums.get(begin.getTime()) ?? 0)
}

const total = (queries: readonly number[]) => queries.reduce((sum, each) => sum + each, 0)

/** The values with their sums, the largest first; the sum of the others is last. */
async function valuesOf(
  knex: Knex,
  dimension: QueryDimension,
  rows: readonly SeriesRow[],
): Promise<QueryValue[]> {
  const sums = new Map<string, number>()
  for (const { value, queries } of rows) sums.set(value, (sums.get(value) ?? 0) + queries)
  const isOther = (value: string) => Number(value === OTHER_VALUES)
  const sorted = [...sums].sort(
    ([one, queries], [other, more]) =>
      isOther(one) - isOther(other) || more - queries || (one < other ? -1 : 1),
  )
  const asns = dimension === 'network' ? sorted.map(([value]) => value) : []
  const organisations = await organisationsOf(
    knex,
    asns.filter((value) => value !== OTHER_VALUES),
  )
  return sorted.map(([value, queries]) => ({
    value,
    label: labelOf(dimension, value, organisations),
    queries,
  }))
}

function partsOf(
  { begins, resolution }: SeriesRange,
  rows: readonly SeriesRow[],
  values: readonly QueryValue[],
  now: Date,
): QueryPart[] {
  const widthMs = QUERY_RESOLUTIONS[resolution].seconds * 1_000
  const byPart = new Map(
    rows.map(({ at, value, queries }) => [`${at.getTime()} ${value}`, queries]),
  )
  const sums = sumsOf(begins, rows)
  return begins.map((from, n) => {
    const to = new Date(from.getTime() + widthMs)
    return {
      from: from.toISOString(),
      to: to.toISOString(),
      queries: sums[n] ?? 0,
      is_partial: to > now,
      values: values.map(({ value }) => byPart.get(`${from.getTime()} ${value}`) ?? 0),
    }
  })
}

/**
 * The series of the caller's domains, or of one of them.
 *
 * @throws Refusal `plan-required`, `not-found`, `validation-failed` for a range that cannot be shown
 */
export async function readSeries(
  { knex, now }: Pick<Services, 'knex' | 'now'>,
  principal: Principal,
  asked: AskedSeries,
): Promise<QuerySeries> {
  requireAbility(principal.account, 'analytics', ANALYTICS)
  const present = now()
  const range = seriesRange(asked, present)
  const { resolution, previous = [] } = range
  const { dimension } = asked
  const domains = await reachedDomains(knex, reachOf(principal), asked.domain_id)
  const ids = domains.map(({ id }) => id)
  const [rows, earlier, markers] = await Promise.all([
    readRows(knex, ids, dimension, range),
    readRows(knex, ids, undefined, { resolution, begins: previous }),
    addressMarkers(knex, domains, range),
  ])
  const values = dimension === undefined ? [] : await valuesOf(knex, dimension, rows)
  const hasEarlier = earlier.length > 0
  return {
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    resolution,
    domain_id: asked.domain_id ?? null,
    dimension: dimension ?? null,
    total: total(rows.map(({ queries }) => queries)),
    previous_total: hasEarlier ? total(earlier.map(({ queries }) => queries)) : null,
    values,
    parts: partsOf(range, rows, values, present),
    previous: hasEarlier ? sumsOf(previous, earlier) : [],
    markers,
  }
}
