/** Runs SQL text and gives its rows their type. */
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

/** Ids in ascending order, each once: the order in which rows are locked. */
export function ascendingIds(ids: Iterable<string>): string[] {
  const order = (a: string, b: string) => a.length - b.length || (a < b ? -1 : 1)
  return [...new Set(ids)].toSorted(order)
}
