/** What the table shows, as the URL says it: `q`, `sort` (a field, `-` before it for downwards) and `page`. */
import { type DomainListRequest, SORT_FIELDS, type SortField } from '../../api/domain-list.ts'

const START: DomainListRequest = {
  search: '',
  sort: { field: 'fqdn', descending: false },
  page: 1,
}

const isSortField = (text: string): text is SortField =>
  (SORT_FIELDS as readonly string[]).includes(text)

/** A URL may have been written by hand: what cannot be read is as if it were not there. */
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

/** The parameters of a state; what is as at the start is left out. */
export function listParameters({ search, sort, page }: DomainListRequest): Record<string, string> {
  const sorted = `${sort.descending ? '-' : ''}${sort.field}`
  return {
    ...(search === '' ? {} : { q: search }),
    ...(sorted === START.sort.field ? {} : { sort: sorted }),
    ...(page === 1 ? {} : { page: String(page) }),
  }
}
