/**
 * DNS analytics: how often domains are queried, over time and by what. The calls and the files of the screens do not have
 * `analytics` in their names, because ad blockers refuse such URLs.
 */
import type { components } from '@homing/openapi/client'
import {
  QUERY_RESOLUTIONS,
  type QueryDimension,
  type QueryResolution,
} from '@homing/openapi/vocabulary'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { readMatching } from './domains.ts'
import { answerOf } from './problem.ts'

export { QUERY_DIMENSIONS, type QueryDimension } from '@homing/openapi/vocabulary'

type Schemas = components['schemas']

export type AddressMarker = Schemas['AddressMarker']
export type DnsSummary = Schemas['DnsSummary']
export type LiveQuery = Schemas['LiveQuery']
export type QueryPart = Schemas['QueryPart']
export type QuerySeries = Schemas['QuerySeries']

const KEY = 'dns-queries'

/** Name servers report their counts every few seconds; the totals need no faster look. */
const READ_AGAIN = { refetchInterval: 60_000 } as const

/** The totals, the trends and the top lists of the account. */
export const dnsSummaryQuery = queryOptions({
  ...READ_AGAIN,
  queryKey: [KEY, 'summary'],
  queryFn: async ({ signal }) =>
    (await answerOf(api.GET('/api/dns-stats/summary', { signal }))).data,
})

/** All domains that have counts of their own: wildcards do too. */
export const queriedDomainsQuery = queryOptions({
  queryKey: [KEY, 'domains'],
  staleTime: 60_000,
  queryFn: async () => (await readMatching('')).map(({ id, fqdn }) => ({ id, fqdn })),
})

/** A span of time, cut into parts of the resolution. */
export interface Span {
  readonly resolution: QueryResolution
  readonly parts: number
  /** By how many spans it is earlier than the present one, whose last part is not over yet. */
  readonly back: number
}

interface SeriesRequest {
  readonly span: Span
  /** Undefined: all domains. */
  readonly domainId: string | undefined
  /** Undefined: queries are not told apart. */
  readonly dimension: QueryDimension | undefined
}

const DAY_MS = 86_400_000

/**
 * The ends of a span. Parts begin at multiples of their width, in UTC. The present one ends now, by the clock of the service,
 * which alone determines the last 24 hours: with the clock of a browser that is wrong, they could be ones that are not kept.
 */
export function endsOf(
  { resolution, parts, back }: Span,
  nowMs: number,
): { readonly from?: string; readonly to?: string } {
  const widthMs = QUERY_RESOLUTIONS[resolution].seconds * 1_000
  if (back === 0 && parts * widthMs === DAY_MS) return {}
  const lastMs = Math.floor(nowMs / widthMs) * widthMs
  const fromMs = lastMs - (parts - 1 + back * parts) * widthMs
  const from = new Date(fromMs).toISOString()
  return back === 0 ? { from } : { from, to: new Date(fromMs + parts * widthMs).toISOString() }
}

const parametersOf = ({ span, domainId, dimension }: SeriesRequest) => ({
  ...endsOf(span, Date.now()),
  resolution: span.resolution,
  ...(dimension !== undefined && { dimension }),
  ...(domainId !== undefined && { domain_id: domainId }),
})

export const querySeriesQuery = (request: SeriesRequest) =>
  queryOptions({
    ...READ_AGAIN,
    queryKey: [KEY, 'series', request],
    // A list stays until the next one is read, so that the page does not jump.
    placeholderData: keepPreviousData,
    async queryFn({ signal }) {
      const params = { query: parametersOf(request) }
      return (await answerOf(api.GET('/api/dns-stats/series', { params, signal }))).data
    },
  })

/** Everything about queries, for a button that reads it again. */
export const QUERIES_FILTER = { queryKey: [KEY] } as const

export type ExportFormat = 'csv' | 'json'

/** The file of an export. @throws ApiProblem, NetworkFailure */
export async function exportedQueries(request: SeriesRequest, format: ExportFormat): Promise<Blob> {
  const params = { query: { ...parametersOf(request), format } }
  const call = api.GET('/api/dns-stats/export', { params, parseAs: 'blob' })
  return (await answerOf(call)).data
}
