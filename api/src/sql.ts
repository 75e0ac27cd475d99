/**
 * The one way to run SQL: text with a `?` for each value, and rows that have a type.
 *
 * Statements are written out, so what PostgreSQL does can be read, explained and
 * measured as it stands. Only what a list is narrowed by is put together, from
 * conditions: their text is ours, and whatever a caller says is a value.
 */
import type { Knex } from 'knex'

/** What may stand for a `?`; lists become PostgreSQL arrays. */
export type SqlValue = string | number | boolean | Date | null | readonly SqlValue[]

/**
 * Runs one statement. With a `name` PostgreSQL parses it once per connection and
 * keeps it prepared: for statements that run thousands of times a second. A name
 * always stands for the same text.
 */
export async function query<Row>(
  executor: Knex,
  sql: string,
  bindings: readonly SqlValue[] = [],
  name?: string,
): Promise<Row[]> {
  const statement = executor.raw(sql, bindings as readonly Knex.RawBinding[])
  const answer: { rows: Row[] } = await (name === undefined
    ? statement
    : statement.options({ name }))
  return answer.rows
}

/** What is selected, and from which tables. */
export interface Source {
  readonly columns: string
  readonly from: string
}

/** A condition and the values of its `?`. */
export type Condition = readonly [sql: string, ...values: SqlValue[]]

/** A part of what matches: `limit` rows from `offset` on, all when undefined. */
export interface Page {
  /** Must tell all rows apart, so that no page repeats what another showed. */
  readonly orderBy: string
  readonly offset: number
  readonly limit: number | undefined
  /** Keeps the statement prepared, as `query` does with a name. */
  readonly name?: string | undefined
}

export interface PageOfRows<Row> {
  readonly rows: readonly Row[]
  /** Rows that match, on all pages. */
  readonly total: number
}

function where(conditions: readonly Condition[]): string {
  return conditions.length === 0
    ? ''
    : `where ${conditions.map(([sql]) => `(${sql})`).join(' and ')}`
}

const valuesOf = (conditions: readonly Condition[]) => conditions.flatMap(([, ...values]) => values)

/** The rows that meet all conditions. */
export async function select<Row>(
  executor: Knex,
  { columns, from }: Source,
  conditions: readonly Condition[],
): Promise<Row[]> {
  return query<Row>(
    executor,
    `select ${columns} from ${from} ${where(conditions)}`,
    valuesOf(conditions),
  )
}

/** One page of the rows that meet all conditions, and how many meet them. */
export async function selectPage<Row>(
  executor: Knex,
  { columns, from }: Source,
  conditions: readonly Condition[],
  { orderBy, offset, limit, name }: Page,
): Promise<PageOfRows<Row>> {
  const values = valuesOf(conditions)
  const matching = `from ${from} ${where(conditions)}`
  const isWhole = offset === 0 && limit === undefined
  const total = isWhole ? undefined : await count(executor, matching, values)
  const rows = await query<Row>(
    executor,
    `select ${columns} ${matching} order by ${orderBy} offset ? limit ?`,
    [...values, offset, limit ?? null],
    name,
  )
  return { rows, total: total ?? rows.length }
}

async function count(
  executor: Knex,
  matching: string,
  values: readonly SqlValue[],
): Promise<number> {
  const [counted] = await query<{ total: number }>(
    executor,
    `select count(*)::int as total ${matching}`,
    values,
  )
  return counted?.total ?? 0
}
