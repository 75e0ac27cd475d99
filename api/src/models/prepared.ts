/**
 * Frequent queries of models. Building and compiling a query takes a tenth of the time for reading a hundred rows,
 * and more than half of that for reading one row. So the text is compiled once, and PostgreSQL keeps it prepared.
 */
import type { Knex } from 'knex'
import type { AnyQueryBuilder } from 'objection'
import { query, type SqlValue } from '../database/sql.ts'

export interface FrequentQuery {
  /**
   * Identifies the text: queries that differ in more than their values must have different names.
   */
  readonly name: string
  /** Called once in the life of the process. */
  readonly build: () => AnyQueryBuilder
  /** The values that `build` puts into the query, in order. */
  readonly values: readonly SqlValue[]
}

const texts = new Map<string, string>()

/** The text of a query, with a `?` for each value. */
export function textOf({ name, build, values }: FrequentQuery): string {
  const known = texts.get(name)
  if (known !== undefined) return known
  const { sql, bindings } = build().toKnexQuery().toSQL()
  const isSame =
    bindings.length === values.length && bindings.every((each, n) => each === values[n])
  if (!isSame) throw new Error(`the values of the query ${name} do not match its text: ${sql}`)
  texts.set(name, sql)
  return sql
}

/** The rows of a query. */
export const readPrepared = async <Row>(executor: Knex, asked: FrequentQuery): Promise<Row[]> =>
  query<Row>(executor, textOf(asked), asked.values, asked.name)
