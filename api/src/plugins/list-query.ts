/**
 * Lists as ra-data-simple-rest asks for them: `sort=["fqdn","ASC"]`, `range=[0,24]`,
 * `filter={"q":"home"}`, answered with `Content-Range: domains 0-24/312`.
 */
import { invalid, Refusal } from '../domain/errors.ts'

export interface ListQuery {
  readonly sort?: string
  readonly range?: string
  readonly filter?: string
  readonly limit?: number
}

export type FilterKind = 'text' | 'boolean' | 'ids'

type FilterValue<Kind extends FilterKind> = Kind extends 'text'
  ? string
  : Kind extends 'boolean'
    ? boolean
    : readonly string[]

export interface ListRules<
  Filters extends Readonly<Record<string, FilterKind>>,
  Sort extends string,
> {
  readonly sort: readonly Sort[]
  readonly filter: Filters
  /** Items of a list that is asked for without a range; all when absent. */
  readonly pageSize?: number
  /** Most items that a range may ask for. */
  readonly pageLimit?: number
}

export interface ListRequest<
  Filters extends Readonly<Record<string, FilterKind>>,
  Sort extends string,
> {
  readonly sort: { readonly field: Sort; readonly order: 'asc' | 'desc' }
  readonly offset: number
  /** Undefined: all that there are. */
  readonly limit: number | undefined
  readonly filter: { readonly [Name in keyof Filters]?: FilterValue<Filters[Name]> }
}

function fault(field: string, expected: string): Refusal {
  return invalid({ field, message: `${field} cannot be read. Expected ${expected}.` })
}

function jsonOf(text: string, field: string, expected: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw fault(field, expected)
  }
}

function sortOf<Sort extends string>(text: string | undefined, fields: readonly Sort[]) {
  const [first] = fields
  if (first === undefined) throw new Error('a list can be sorted by at least one field')
  if (text === undefined) return { field: first, order: 'asc' as const }
  const expected = `a field and a direction, such as ["${first}","ASC"]; fields: ${fields.join(', ')}`
  const value = jsonOf(text, 'sort', expected)
  const [name, direction] = Array.isArray(value) && value.length === 2 ? (value as unknown[]) : []
  const field = fields.find((known) => known === name)
  if (field === undefined || (direction !== 'ASC' && direction !== 'DESC')) {
    throw fault('sort', expected)
  }
  return { field, order: direction === 'ASC' ? ('asc' as const) : ('desc' as const) }
}

function rangeOf(text: string | undefined, pageLimit: number) {
  if (text === undefined) return undefined
  const expected = 'the first and the last item, counted from 0, such as [0,24]'
  const value = jsonOf(text, 'range', expected)
  const [first, last] = Array.isArray(value) && value.length === 2 ? (value as unknown[]) : []
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last)) throw fault('range', expected)
  const [from, to] = [first as number, last as number]
  if (from < 0 || to < from) throw fault('range', expected)
  return { offset: from, limit: Math.min(to - from + 1, pageLimit) }
}

const ID = /^[1-9]\d{0,17}$/

function filterValue(name: string, kind: FilterKind, value: unknown): unknown {
  if (kind === 'text') {
    // U+0000 is no character that PostgreSQL's texts can hold.
    if (typeof value === 'string' && !value.includes('\0')) return value
    throw fault(`filter.${name}`, 'a text')
  }
  if (kind === 'boolean') {
    if (typeof value === 'boolean') return value
    throw fault(`filter.${name}`, 'true or false')
  }
  const ids = (Array.isArray(value) ? value : [value]).map(String)
  if (ids.length <= 1000 && ids.every((id) => ID.test(id))) return ids
  throw fault(`filter.${name}`, 'an id or a list of ids')
}

function filterOf(text: string | undefined, filters: Readonly<Record<string, FilterKind>>) {
  if (text === undefined) return {}
  const expected = `an object with any of: ${Object.keys(filters).join(', ')}`
  const value = jsonOf(text, 'filter', expected)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw fault('filter', expected)
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, wanted]) => {
      const kind = Object.hasOwn(filters, name) ? filters[name] : undefined
      if (kind === undefined) throw fault(`filter.${name}`, expected)
      return [name, filterValue(name, kind, wanted)]
    }),
  )
}

/**
 * What a list's query asks for.
 *
 * @throws Refusal `validation-failed` that names the parameter
 */
export function parseListQuery<
  const Filters extends Readonly<Record<string, FilterKind>>,
  const Sort extends string,
>(query: ListQuery, rules: ListRules<Filters, Sort>): ListRequest<Filters, Sort> {
  const pageLimit = rules.pageLimit ?? Number.MAX_SAFE_INTEGER
  const range = rangeOf(query.range, pageLimit)
  const limit = range?.limit ?? Math.min(rules.pageSize ?? pageLimit, pageLimit)
  const wanted = Math.min(limit, query.limit ?? limit)
  return {
    sort: sortOf(query.sort, rules.sort),
    offset: range?.offset ?? 0,
    limit: wanted === Number.MAX_SAFE_INTEGER ? undefined : wanted,
    filter: filterOf(query.filter, rules.filter) as ListRequest<Filters, Sort>['filter'],
  }
}

/**
 * The header `Content-Range` of a page (RFC 9110 §14.4, with `resource` as the unit).
 *
 * @throws Refusal `range-not-satisfiable` for a page that begins behind the last item of a list that has some
 */
export function contentRange(
  resource: string,
  offset: number,
  count: number,
  total: number,
): Readonly<Record<string, string>> {
  if (count > 0) return { 'content-range': `${resource} ${offset}-${offset + count - 1}/${total}` }
  if (total > 0 && offset >= total) {
    throw new Refusal(
      'range-not-satisfiable',
      `There are ${total} items, and ${offset} is behind the last.`,
    )
  }
  return { 'content-range': `${resource} */${total}` }
}

/** A text as a part to look for with LIKE: `%` and `_` mean themselves. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
