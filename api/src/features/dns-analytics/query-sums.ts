/** Sums of the totals of queries. Each reads the rows of some domains and one dimension in a range of time, by an index. */
import type { QueryDimension } from '@homing/openapi'
import type { Knex } from 'knex'
import { query, type SqlValue } from '../../database/sql.ts'
import type { Piece } from '../../rules/query-ranges.ts'

type Dimension = QueryDimension | 'total'

interface Part {
  readonly text: string
  readonly values: readonly SqlValue[]
}

/** The rows of a piece, numbered with its window. */
const rowsOf = (
  ids: readonly string[],
  dimension: Dimension,
  window: number,
  { resolution, from, to }: Piece,
): Part => ({
  text: `select ${window} as n, domain_id, value, queries from queries_${resolution}
         where domain_id = any (?::bigint[]) and dimension = ? and at >= ? and at < ?`,
  values: [ids, dimension, from, to],
})

/**
 * The queries in several windows of time, in their order.
 *
 * @param windows each as the pieces that make it up
 */
export async function totalsIn(
  knex: Knex,
  ids: readonly string[],
  windows: readonly (readonly Piece[])[],
): Promise<number[]> {
  const parts = windows.flatMap((pieces, n) => pieces.map((each) => rowsOf(ids, 'total', n, each)))
  const rows = await query<{ n: number; queries: number }>(
    knex,
    `select n, sum(queries)::float8 as queries
     from (${parts.map(({ text }) => text).join(' union all ')}) as rows group by n`,
    parts.flatMap(({ values }) => values),
  )
  const sums = new Map(rows.map(({ n, queries }) => [n, queries]))
  return windows.map((_, n) => sums.get(n) ?? 0)
}

export interface Counted {
  readonly key: string
  readonly queries: number
}

/**
 * The keys with the most queries in a window, the largest first.
 *
 * @param by `value`: of the dimension; `domain_id`: domains, with the dimension `total`
 */
export async function topIn(
  knex: Knex,
  ids: readonly string[],
  pieces: readonly Piece[],
  { by, dimension, limit }: { by: 'value' | 'domain_id'; dimension: Dimension; limit: number },
): Promise<Counted[]> {
  const parts = pieces.map((each) => rowsOf(ids, dimension, 0, each))
  return query<Counted>(
    knex,
    `select ${by}::text as key, sum(queries)::float8 as queries
     from (${parts.map(({ text }) => text).join(' union all ')}) as rows
     group by ${by} order by 2 desc, ${by} limit ?`,
    [...parts.flatMap(({ values }) => values), limit],
  )
}

/** Until when queries are counted; null before the first roll-up. */
export async function countedUntil(knex: Knex): Promise<Date | null> {
  const [row] = await query<{ counted_until: Date }>(
    knex,
    'select counted_until from query_roll_up',
  )
  return row?.counted_until ?? null
}
