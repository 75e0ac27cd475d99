/** Lists as the API returns them: `sort`, `range` and `filter` over rows in memory, with `Content-Range`. */
import type { Operation } from '../operation.ts'
import { ok, problem, type ProblemReply, type Success } from './reply.ts'

interface ListQuery {
  readonly sort?: string | undefined
  readonly range?: string | undefined
  readonly filter?: string | undefined
}

const BACKTICKED = /`(\w+)`/g
const namesIn = (text: unknown) =>
  typeof text === 'string' ? [...text.matchAll(BACKTICKED)].map(([, name = '']) => name) : []

/** Fields by which a list can be sorted and filtered, as the contract describes its parameters. */
export function listFields({ query }: Operation): {
  readonly sort: readonly string[]
  readonly filter: readonly string[]
} {
  const describedBy = (name: string): unknown => {
    const parameter: { description?: unknown } | undefined = query?.properties[name]
    return parameter?.description
  }
  return { sort: namesIn(describedBy('sort')), filter: namesIn(describedBy('filter')) }
}

/** The errors in the texts of a list's query; undefined if there are none. */
export function faultInListQuery(operation: Operation, query: ListQuery): string | undefined {
  const known = listFields(operation)
  const [field] = query.sort === undefined ? [] : (JSON.parse(query.sort) as string[])
  if (field !== undefined && !known.sort.includes(field)) return `sort by ${field}`
  const filter = query.filter === undefined ? {} : (JSON.parse(query.filter) as object)
  const unknown = Object.keys(filter).find((name) => !known.filter.includes(name))
  return unknown === undefined ? undefined : `filter by ${unknown}`
}

type Row = Readonly<Record<string, unknown>>

/** `q` is a part of any text of a row; any other filter is the value of a field, or a list of values. */
function isWanted(row: Row, filter: Row): boolean {
  return Object.entries(filter).every(([name, wanted]) => {
    if (name === 'q') {
      return Object.values(row).some(
        (value) => typeof value === 'string' && value.includes(String(wanted)),
      )
    }
    return [wanted].flat().includes(row[name])
  })
}

/** Numbers by their value, everything else by its text; null comes first. */
function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const [one, other] = [a, b].map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value ?? ''),
  )
  if (one === other) return 0
  return (one ?? '') < (other ?? '') ? -1 : 1
}

/** The rows that match a list's query. */
export function listed<R extends object>(
  rows: readonly R[],
  { sort = '["id","ASC"]', range, filter = '{}' }: ListQuery,
): Success<R[]> | ProblemReply {
  const [field = 'id', direction = 'ASC'] = JSON.parse(sort) as string[]
  const found = rows
    .filter((row) => isWanted(row as Row, JSON.parse(filter) as Row))
    .toSorted((a, b) => compare((a as Row)[field], (b as Row)[field]))
  if (direction === 'DESC') found.reverse()
  const [first, last] =
    range === undefined ? [0, found.length - 1] : (JSON.parse(range) as number[])
  if (first === undefined || last === undefined || (first > 0 && first >= found.length)) {
    return problem('range-not-satisfiable')
  }
  const page = found.slice(first, last + 1)
  const shown = page.length === 0 ? '*' : `${first}-${first + page.length - 1}`
  return ok(page, { 'content-range': `items ${shown}/${found.length}` })
}
