/** The state of the panel in the URL: `q`, `type`, `sort` (a field, with `-` before it for descending order) and `page`. */
import { useCallback, useMemo } from 'react'
import {
  RECORD_SORT_FIELDS,
  type RecordListRequest,
  type RecordSortField,
} from '../../api/records.ts'
import { go, hashOf, placeOf, useHash } from '../../routes.ts'

const PARAMETERS = ['q', 'type', 'sort', 'page'] as const
const START = { field: 'owner', descending: false } as const
const SEARCH_LIMIT = 253
const PAGES_LIMIT = 1_000

const isSortField = (text: string): text is RecordSortField =>
  RECORD_SORT_FIELDS.some((field) => field === text)

/** Reads the state. Invalid parameters are ignored, because users can edit the URL. */
function readPanelState(query: string): RecordListRequest {
  const parameters = new URLSearchParams(query)
  const [search, type, sort] = PARAMETERS.map((name) => parameters.get(name) ?? '')
  const field = (sort ?? '').replace(/^-/, '')
  const page = Number(parameters.get('page'))
  return {
    search: (search ?? '').slice(0, SEARCH_LIMIT),
    type: /^[A-Z0-9]{1,16}$/.test(type ?? '') ? (type ?? '') : '',
    sort: isSortField(field) ? { field, descending: sort?.startsWith('-') === true } : START,
    page: Number.isSafeInteger(page) && page >= 1 && page <= PAGES_LIMIT ? page : 1,
  }
}

/** The parameters of a state, without those that have their initial value. */
function panelParameters({ search, type, sort, page }: RecordListRequest) {
  const sorted = `${sort.descending ? '-' : ''}${sort.field}`
  return {
    ...(search !== '' && { q: search }),
    ...(type !== '' && { type }),
    ...(sorted !== START.field && { sort: sorted }),
    ...(page !== 1 && { page: String(page) }),
  }
}

/** The current fragment with another state. What else is in it belongs to the screen around the panel, and stays. */
function hashWith(state: RecordListRequest): string | undefined {
  const place = placeOf(location.hash)
  if (place === undefined) return undefined
  const parameters = new URLSearchParams(place.query)
  for (const name of PARAMETERS) parameters.delete(name)
  const others = Object.fromEntries(parameters)
  return hashOf(place.screen, { ...others, ...panelParameters(state) }, place.argument)
}

/** Search, type and order replace the entry in the history, so that Back leaves the screen. Pages add one. */
export function usePanelState(): [RecordListRequest, (next: RecordListRequest) => void] {
  const read = readPanelState(placeOf(useHash())?.query ?? '')
  const text = new URLSearchParams(panelParameters(read)).toString()
  const state = useMemo(() => readPanelState(text), [text])
  const change = useCallback(
    (next: RecordListRequest) => {
      const hash = hashWith(next)
      if (hash !== undefined) go(hash, { replace: next.page === state.page })
    },
    [state.page],
  )
  return [state, change]
}
