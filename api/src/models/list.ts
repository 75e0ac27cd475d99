/**
 * Lists: turns a caller's request into a query of a model. `plugins/list-query.ts` reads the request. A `ListForm`
 * defines the sort fields and filters of a list; this module reads one page of it.
 *
 * Rows are plain objects: a hundred model instances cost several times as much, and a list only displays rows.
 * Matching rows are counted only when the caller asks for a page.
 */
import type { Knex } from 'knex'
import type { AnyQueryBuilder, Raw } from 'objection'
import { query } from '../database/sql.ts'
import { invalid } from '../rules/errors.ts'
import type { Columns } from './columns.ts'
import { type FrequentQuery, textOf } from './prepared.ts'
import type { Table } from './table.ts'

interface FilterValues {
  readonly text: string
  readonly boolean: boolean
  readonly ids: readonly string[]
}
export type FilterKind = keyof FilterValues

/** A filter of a list: the kind of value that a caller gives, and the resulting condition. */
export interface Filter<Kind extends FilterKind = FilterKind> {
  readonly kind: Kind
  narrow(list: AnyQueryBuilder, value: FilterValues[Kind]): void
}

export const filterBy = <Kind extends FilterKind>(
  kind: Kind,
  narrow: (list: AnyQueryBuilder, value: FilterValues[Kind]) => void,
): Filter<Kind> => ({ kind, narrow })

/** Rows with exactly this text. */
export const sameText = (column: string) =>
  filterBy('text', (list, value) => void list.where(column, value))

/** Rows in which the column is true, or false. */
export const isTrue = (column: string) =>
  filterBy('boolean', (list, value) => void list.where(column, value))

/** Rows with one of these ids. */
export const oneOf = (column: string) =>
  filterBy('ids', (list, ids) => void list.whereIn(column, ids))

/**
 * The word of a closed list that the value of a filter is.
 *
 * @param name of the filter
 * @throws Refusal `validation-failed` for another value
 */
export function wordOf<Word extends string>(
  name: string,
  words: readonly Word[],
  value: string,
): Word {
  const known = words.find((word) => word === value)
  if (known !== undefined) return known
  const field = `filter.${name}`
  throw invalid({ field, message: `${field} is invalid. Expected one of: ${words.join(', ')}.` })
}

/** Rows whose column has one of some words. @throws Refusal as `wordOf` */
export const oneWord = (name: string, column: string, words: readonly string[]) =>
  filterBy('text', (list, value) => void list.where(column, wordOf(name, words, value)))

/** Rows that meet the condition of a word. @throws Refusal as `wordOf` */
export const byWord = <Word extends string>(
  name: string,
  conditions: Readonly<Record<Word, (list: AnyQueryBuilder) => void>>,
): Filter<'text'> =>
  filterBy('text', (list, value) => {
    const words = Object.keys(conditions) as Word[]
    conditions[wordOf(name, words, value)](list)
  })

/** A LIKE pattern for rows that contain a text; `%` and `_` are escaped. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

/** Names of a model's columns in a query that gives the table an alias. */
export type AliasedColumn<
  Alias extends string,
  T extends { readonly columns: Columns },
> = `${Alias}.${keyof T['columns'] & string}`

/** Names of a model's columns, qualified with the table. */
export type ColumnName<T extends { readonly tableName: string; readonly columns: Columns }> =
  AliasedColumn<T['tableName'], T>

/** The sort fields and filters of a list. */
export interface ListForm<SortColumn extends string = string> {
  /** The first field is the default order, ascending unless `newestFirst`. */
  readonly sort: Readonly<Record<string, SortColumn | Raw | readonly SortColumn[]>>
  /** The default order is descending. */
  readonly newestFirst?: true
  readonly filter: Readonly<Record<string, Filter>>
  /**
   * Joins what a sort field needs, after the rows were counted. Each row must keep exactly one row of the other table, or
   * the left join at most one.
   */
  readonly joins?: Readonly<Record<string, (list: AnyQueryBuilder) => void>>
  /**
   * Columns that identify a row. The first one is appended to any other order, so that no row appears on two
   * pages.
   */
  readonly keys: readonly [SortColumn, ...SortColumn[]]
  /** Number of rows when the request has no range; all when absent. */
  readonly pageSize?: number
  /** Maximum number of rows in a range. */
  readonly pageLimit?: number
}

/** A caller's request for a list. */
export interface ListRequest<Form extends ListForm> {
  readonly sort: { readonly field: keyof Form['sort'] & string; readonly order: 'asc' | 'desc' }
  readonly offset: number
  /** Undefined: all rows. */
  readonly limit: number | undefined
  readonly filter: {
    readonly [Name in keyof Form['filter']]?: FilterValues[Form['filter'][Name]['kind']]
  }
}

export interface PageOfRows<Row> {
  readonly rows: readonly Row[]
  /** Matching rows on all pages. */
  readonly total: number
}

type Request = Pick<ListRequest<ListForm>, 'sort' | 'offset' | 'limit'>

const isWhole = ({ offset, limit }: Request) => offset === 0 && limit === undefined

/** Rows without a value come last. Columns that are never null omit this, so that one index serves both directions. */
function placeOfNulls(list: AnyQueryBuilder, column: string | Raw): string {
  const { tableName, columns } = list.modelClass() as typeof Table
  const [table, name = ''] = typeof column === 'string' ? column.split('.') : []
  return table === tableName && columns[name]?.isNullable === false ? '' : ' nulls last'
}

function inOrder(
  list: AnyQueryBuilder,
  { sort, keys }: ListForm,
  { field, order }: Request['sort'],
): AnyQueryBuilder {
  const by = sort[field] ?? keys[0]
  const columns = [by].flat()
  for (const column of columns) {
    const place = typeof column === 'string' ? '??' : '?'
    list.orderByRaw(`${place} ${order}${placeOfNulls(list, column)}`, column)
  }
  const isTotal = columns.some((column) => typeof column === 'string' && keys.includes(column))
  return isTotal ? list : list.orderBy(keys[0])
}

/**
 * Reads a page of a list.
 *
 * @param list the rows that the caller may see, with the columns to show
 */
export async function readList<Row>(
  list: AnyQueryBuilder,
  form: ListForm,
  request: ListRequest<ListForm>,
): Promise<PageOfRows<Row>> {
  for (const [name, value] of Object.entries(request.filter)) {
    if (value !== undefined) form.filter[name]?.narrow(list, value)
  }
  const total = isWhole(request) ? undefined : await list.resultSize()
  form.joins?.[request.sort.field]?.(list)
  const page = inOrder(list, form, request.sort)
  if (request.offset > 0) page.offset(request.offset)
  if (request.limit !== undefined) page.limit(request.limit)
  const rows = (await page.toKnexQuery()) as Row[]
  return { rows, total: total ?? rows.length }
}

/** Rows that were read by the keys of a page, in the order of the page. Rows that were deleted meanwhile are missing. */
export function inPageOrder<Row>(
  keys: readonly string[],
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Row[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  return keys.flatMap((key) => byKey.get(key) ?? [])
}

/**
 * Reads a page of a list that is requested often and has no filter.
 *
 * @param list its name is completed with the order
 */
export async function readFrequentList<Row>(
  executor: Knex,
  list: FrequentQuery,
  form: ListForm,
  { sort, offset, limit }: Request,
): Promise<PageOfRows<Row>> {
  const { build, values } = list
  const name = `${list.name} by ${sort.field} ${sort.order}`
  const text = textOf({ name, values, build: () => inOrder(build(), form, sort) })
  const total = isWhole({ sort, offset, limit }) ? undefined : await build().resultSize()
  const page = [...values, offset, limit ?? null]
  const rows = await query<Row>(executor, `${text} offset ? limit ?`, page, name)
  return { rows, total: total ?? rows.length }
}
