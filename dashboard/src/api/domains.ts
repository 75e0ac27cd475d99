/** The caller's domains: reads one page of them, and creates, updates and deletes them. */
import { type components, IDEMPOTENCY_KEY_HEADER } from '@homing/openapi/client'
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { searchedName } from '../components/unicode-name.ts'
import { api } from './client.ts'
import type { DomainListRequest } from './domain-list.ts'
import { readSearch } from './domain-search.ts'
import { answerOf } from './problem.ts'

export { DOMAIN_TEXT_LIMITS } from '@homing/openapi/client'
export type Domain = components['schemas']['Domain']

export const PAGE_SIZE = 50

export interface DomainPage {
  readonly domains: readonly Domain[]
  /** Across all pages. */
  readonly total: number
}

/** The number of domains that a quick search shows. */
export const FOUND_LIMIT = 5

/** The filter of a search with operators; nothing for an empty one. */
function filterParameter(search: string): { filter?: string } {
  const { filter } = readSearch(search)
  return Object.keys(filter).length === 0 ? {} : { filter: JSON.stringify(filter) }
}

/** All domains that match a search, on every page. @throws ApiProblem, NetworkFailure */
export async function readMatching(search: string): Promise<readonly Domain[]> {
  const query = { sort: JSON.stringify(['fqdn', 'ASC']), ...filterParameter(search) }
  return (await answerOf(api.GET('/api/domains', { params: { query } }))).data
}

/** Those of some ids that are still domains of the account. @throws ApiProblem, NetworkFailure */
export async function readIds(ids: readonly string[]): Promise<ReadonlySet<string>> {
  const query = { filter: JSON.stringify({ id: ids }) }
  const { data } = await answerOf(api.GET('/api/domains', { params: { query } }))
  return new Set(data.map(({ id }) => id))
}

async function readPage(request: DomainListRequest, signal: AbortSignal): Promise<DomainPage> {
  const { search, sort, page } = request
  const first = (page - 1) * PAGE_SIZE
  const { data, response } = await answerOf(
    api.GET('/api/domains', {
      params: {
        query: {
          sort: JSON.stringify([sort.field, sort.descending ? 'DESC' : 'ASC']),
          range: JSON.stringify([first, first + PAGE_SIZE - 1]),
          ...filterParameter(search),
        },
      },
      signal,
    }),
  )
  const [, total = data.length] = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? []
  return { domains: data, total: Number(total) }
}

export const domainsQuery = (request: DomainListRequest) =>
  queryOptions({
    queryKey: ['domains', request],
    queryFn: ({ signal }) => readPage(request, signal),
    placeholderData: keepPreviousData,
  })

/** The first domains whose name or address contains a text. */
export const foundDomainsQuery = (search: string) =>
  queryOptions({
    // Not below `domains`, whose data are pages.
    queryKey: ['found-domains', search],
    async queryFn({ signal }) {
      const query = {
        sort: JSON.stringify(['fqdn', 'ASC']),
        range: JSON.stringify([0, FOUND_LIMIT - 1]),
        filter: JSON.stringify({ q: searchedName(search) }),
      }
      return (await answerOf(api.GET('/api/domains', { params: { query }, signal }))).data
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** A domain, or some of its fields. */
export type DomainPart = Partial<Domain> & Pick<Domain, 'id'>

/** The page with another state of one of its domains. @returns the same page if it does not have the domain */
function pageWith(page: DomainPage, part: DomainPart): DomainPage {
  if (page.domains.every(({ id }) => id !== part.id)) return page
  const domains = page.domains.map((each) => (each.id === part.id ? { ...each, ...part } : each))
  return { ...page, domains }
}

/** Shows a state of a domain, or of a part of it, in its row, before or after the service has stored it. */
export function showInTable(queries: QueryClient, domain: DomainPart): void {
  queries.setQueriesData<DomainPage>(
    { queryKey: ['domains'] },
    (page) => page && pageWith(page, domain),
  )
}

export type NewDomain = components['schemas']['NewDomain']

/**
 * @param key of a `RepeatableChange`: makes it safe to repeat the call when its response was lost
 * @throws ApiProblem, NetworkFailure
 */
export async function createDomain(domain: NewDomain, key?: string): Promise<Domain> {
  const header = key === undefined ? {} : { [IDEMPOTENCY_KEY_HEADER]: key }
  return (await answerOf(api.POST('/api/domains', { params: { header }, body: domain }))).data
}

/** @throws ApiProblem, NetworkFailure */
export async function readDomain(id: string): Promise<Domain> {
  return (await answerOf(api.GET('/api/domains/{id}', { params: { path: { id } } }))).data
}

/** One domain, as the user saw it when they opened its dialog. */
export const domainQuery = (id: string) =>
  queryOptions({
    queryKey: ['domain', id],
    queryFn: () => readDomain(id),
    staleTime: Infinity,
    // A dialog that opens later reads it again.
    gcTime: 0,
  })

export type DomainChange = components['schemas']['DomainChange']

/** One domain by its name, which the live stream keeps current. */
export const namedDomainQuery = (fqdn: string) =>
  queryOptions({
    queryKey: ['named-domain', fqdn],
    async queryFn({ signal }) {
      const params = { path: { fqdn } }
      return (await answerOf(api.GET('/api/domains/fqdn/{fqdn}', { params, signal }))).data
    },
  })

/** Shows a newer state of a domain on its page, if the page was opened. */
export function showDomain(queries: QueryClient, domain: Domain): void {
  queries.setQueryData(namedDomainQuery(domain.fqdn).queryKey, (shown) =>
    shown === undefined || shown.version > domain.version ? shown : domain,
  )
}

export interface AddressChange {
  readonly record_ipv4?: string | null
  readonly record_ipv6?: string | null
}

/**
 * Changes a domain if its version has not changed.
 *
 * @param version the version that the user saw
 * @throws ApiProblem `version-mismatch` when another client changed the domain; NetworkFailure
 */
export async function updateDomain(
  id: string,
  version: number,
  change: DomainChange,
): Promise<Domain> {
  const { data } = await answerOf(
    api.PUT('/api/domains/{id}', {
      params: { path: { id } },
      headers: { 'If-Match': `"${version}"` },
      body: change,
    }),
  )
  return data
}

/** Pauses or resumes a domain, in whatever version it is. @throws ApiProblem, NetworkFailure */
export async function setPaused(id: string, paused: boolean): Promise<Domain> {
  const call = api.PUT('/api/domains/{id}', { params: { path: { id } }, body: { paused } })
  return (await answerOf(call)).data
}

/** @throws ApiProblem, NetworkFailure */
export async function deleteDomain(id: string): Promise<void> {
  await answerOf(api.DELETE('/api/domains/{id}', { params: { path: { id } } }))
}

/** @throws ApiProblem, NetworkFailure */
export async function createWildcard(baseFqdn: string): Promise<Domain> {
  const { data } = await answerOf(
    api.POST('/api/domains/wildcard', { body: { base_fqdn: baseFqdn } }),
  )
  return data
}
