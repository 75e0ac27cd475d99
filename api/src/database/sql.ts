/**
 * Statements that are written as SQL: text with a `?` for each value, and rows that have a type.
 *
 * Rows of one table are read and written by its model (`models/`). SQL is for sets: statements over many rows, locks
 * and what the builder would only hide. docs/decisions/0006 lists them.
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
