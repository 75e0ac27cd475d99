/** The state of the table in the URL: `q`, `sort` (a field, with `-` before it for descending order) and `page`. */
import { type DomainListRequest, SORT_FIELDS, type SortField } from '../../api/domain-list.ts'

const START: DomainListRequest = {
  search: '',
  sort: { field: 'fqdn', descending: false },
  page: 1,
}

const isSortField = (text: string): text is SortField =>
  (SORT_FIELDS as readonly string[]).includes(text)

/** Reads the state. Invalid parameters are ignored, because users can edit the URL. */
export function readListState(query: string): DomainListRequest {
  const parameters = new URLSearchParams(query)
  const sort = parameters.get('sort') ?? ''
  const field = sort.replace(/^-/, '')
  const page = Number(parameters.get('page'))
  return {
    search: (parameters.get('q') ?? '').slice(0, 253),
    sort: isSortField(field) ? { field, descending: sort.startsWith('-') } : START.sort,
    page: Number.isSafeInteger(page) && page >= 1 && page <= 1_000 ? page : 1,
  }
}

/** The parameters of a state, without those that have their initial value. */
export function listParameters({ search, sort, page }: DomainListRequest): Record<string, string> {
  const sorted = `${sort.descending ? '-' : ''}${sort.field}`
  return {
    ...(search === '' ? {} : { q: search }),
    ...(sorted === START.sort.field ? {} : { sort: sorted }),
    ...(page === 1 ? {} : { page: String(page) }),
  }
}
