/**
 * Statements written as SQL: text with a `?` for each value, and typed rows.
 *
 * Models (`models/`) read and write the rows of single tables. SQL is for sets: statements over many rows, locks and
 * whatever a query builder would only obscure. docs/decisions/0006 lists them.
 */
import type { Knex } from 'knex'

/** Allowed values for a `?`; lists become PostgreSQL arrays. */
export type SqlValue = string | number | boolean | Date | null | readonly SqlValue[]

/**
 * Runs one statement. With a `name`, PostgreSQL parses it once for each connection and keeps it
 * prepared: for statements that run thousands of times a second. A name must always have the same
 * text.
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

/** The columns of a list such as `id, name`, each with the alias of its table. */
export const qualified = (columns: string, alias: string): string =>
  columns.replaceAll(/\b([a-z])/g, `${alias}.$1`)
