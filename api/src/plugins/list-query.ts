/**
 * Parses the list parameters of ra-data-simple-rest: `sort=["fqdn","ASC"]`, `range=[0,24]`,
 * `filter={"q":"home"}`, answered with `Content-Range: domains 0-24/312`.
 */
import { invalid, Refusal } from '../rules/errors.ts'
import type { FilterKind, ListForm, ListRequest } from '../models/list.ts'

export interface ListQuery {
  readonly sort?: string
  readonly range?: string
  readonly filter?: string
  readonly limit?: number
}

function fault(field: string, expected: string): Refusal {
  return invalid({ field, message: `${field} is invalid. Expected ${expected}.` })
}

function jsonOf(text: string, field: string, expected: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw fault(field, expected)
  }
}

function sortOf(text: string | undefined, { sort, newestFirst }: ListForm) {
  const fields = Object.keys(sort)
  const [first] = fields
  if (first === undefined) throw new Error('a list can be sorted by at least one field')
  if (text === undefined)
    return { field: first, order: newestFirst ? ('desc' as const) : ('asc' as const) }
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
    // PostgreSQL text cannot contain U+0000.
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

function filterOf(text: string | undefined, filters: ListForm['filter']) {
  if (text === undefined) return {}
  const expected = `an object with any of: ${Object.keys(filters).join(', ')}`
  const value = jsonOf(text, 'filter', expected)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw fault('filter', expected)
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, wanted]) => {
      const filter = Object.hasOwn(filters, name) ? filters[name] : undefined
      if (filter === undefined) throw fault(`filter.${name}`, expected)
      return [name, filterValue(name, filter.kind, wanted)]
    }),
  )
}

/**
 * Parses the query of a list.
 *
 * @throws Refusal `validation-failed` that names the parameter
 */
export function parseListQuery<Form extends ListForm>(
  query: ListQuery,
  form: Form,
): ListRequest<Form> {
  const { pageSize, pageLimit = Number.MAX_SAFE_INTEGER } = form
  const range = rangeOf(query.range, pageLimit)
  const limit = range?.limit ?? Math.min(pageSize ?? pageLimit, pageLimit)
  const wanted = Math.min(limit, query.limit ?? limit)
  return {
    sort: sortOf(query.sort, form),
    offset: range?.offset ?? 0,
    limit: wanted === Number.MAX_SAFE_INTEGER ? undefined : wanted,
    filter: filterOf(query.filter, form.filter) as ListRequest<Form>['filter'],
  }
}

/**
 * The header `Content-Range` of a page (RFC 9110 §14.4, with `resource` as the unit).
 *
 * @throws Refusal `range-not-satisfiable` for a page that begins after the last item of a list that is not
 * empty
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
      `The list has ${total} items, so it has no item ${offset} (counted from 0). Request a lower range.`,
    )
  }
  return { 'content-range': `${resource} */${total}` }
}
