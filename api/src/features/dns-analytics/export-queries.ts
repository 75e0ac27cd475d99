/** The queries of a time as a file, written while it is read: one statement for some thousands of rows of a domain. */
import { csvLine, type ExportedQueries } from '@homing/openapi'
import type { Knex } from 'knex'
import { type Principal, reachOf } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import { query } from '../../database/sql.ts'
import { requireAbility } from '../../rules/plans.ts'
import { type SeriesRange, seriesRange } from '../../rules/query-ranges.ts'
import { type ReachedDomain, reachedDomains } from './reached-domains.ts'
import type { AskedSeries } from './series.ts'

const PAGE_ROWS = 2_000
/** The dimension of rows that tell no queries apart. */
const TOTAL = 'total'
const COLUMNS = ['from', 'domain', 'dimension', 'value', 'queries'] as const

interface ExportRow {
  readonly at: Date
  readonly value: string
  readonly queries: number
}

const pageSql = (resolution: SeriesRange['resolution']) => `
  select at, value, queries::float8 as queries from queries_${resolution}
  where domain_id = ? and dimension = ? and at < ? and (at, value) > (?, ?)
  order by at, value limit ${PAGE_ROWS}`

interface Export {
  readonly knex: Knex
  readonly domains: readonly ReachedDomain[]
  readonly range: SeriesRange
  readonly dimension: string
}

async function* pages({
  knex,
  domains,
  range,
  dimension,
}: Export): AsyncGenerator<ExportedQueries[]> {
  const sql = pageSql(range.resolution)
  for (const { id, fqdn } of domains) {
    // Before the first row: the part before the range has no row after it.
    let last: Pick<ExportRow, 'at' | 'value'> | undefined = {
      at: new Date(range.from.getTime() - 1),
      value: '',
    }
    while (last !== undefined) {
      const { at, value }: Pick<ExportRow, 'at' | 'value'> = last
      const rows: ExportRow[] = await query(knex, sql, [id, dimension, range.to, at, value])
      yield rows.map((row) => ({
        from: row.at.toISOString(),
        domain: fqdn,
        dimension,
        value: row.value,
        queries: row.queries,
      }))
      last = rows.length < PAGE_ROWS ? undefined : rows.at(-1)
    }
  }
}

/** The text of the CSV file (RFC 4180). */
async function* csvOf(what: Export): AsyncGenerator<string> {
  yield csvLine(COLUMNS)
  for await (const page of pages(what)) {
    yield page.map((row) => csvLine(COLUMNS.map((name) => String(row[name])))).join('')
  }
}

/** The text of the JSON file: an array of rows. */
async function* jsonOf(what: Export): AsyncGenerator<string> {
  let separator = '['
  for await (const page of pages(what)) {
    if (page.length === 0) continue
    yield `${separator}\n${page.map((row) => JSON.stringify(row)).join(',\n')}`
    separator = ','
  }
  yield separator === '[' ? '[]\n' : '\n]\n'
}

/**
 * The text of an export.
 *
 * @throws Refusal `plan-required`, `not-found`, `validation-failed` for a range that cannot be shown
 */
export async function exportQueries(
  { knex, now }: Pick<Services, 'knex' | 'now'>,
  principal: Principal,
  { format, ...asked }: AskedSeries & { readonly format?: 'csv' | 'json' | undefined },
): Promise<AsyncGenerator<string>> {
  requireAbility(principal.account, 'data_export', 'Exports of DNS queries')
  const range = seriesRange(asked, now())
  const domains = await reachedDomains(knex, reachOf(principal), asked.domain_id)
  const what = { knex, domains, range, dimension: asked.dimension ?? TOTAL }
  return format === 'csv' ? csvOf(what) : jsonOf(what)
}
