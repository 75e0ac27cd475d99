/** Deleted domains, which their owner can restore for some time. */
import type { components } from '@homing/openapi/client'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { type Domain, PAGE_SIZE } from './domains.ts'
import { answerOf } from './problem.ts'

export type RestorableDomain = components['schemas']['RestorableDomain']

interface DeletedPage {
  readonly domains: readonly RestorableDomain[]
  /** Across all pages. */
  readonly total: number
}

/** The last deleted domain is first. @param page starts at 1 */
export const deletedDomainsQuery = (page: number) =>
  queryOptions({
    queryKey: ['deleted-domains', page],
    async queryFn({ signal }): Promise<DeletedPage> {
      const first = (page - 1) * PAGE_SIZE
      const query = {
        sort: JSON.stringify(['deleted_at', 'DESC']),
        range: JSON.stringify([first, first + PAGE_SIZE - 1]),
      }
      const call = api.GET('/api/domains/deleted', { params: { query }, signal })
      const { data, response } = await answerOf(call)
      const [, total = data.length] =
        /\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? []
      return { domains: data, total: Number(total) }
    },
    placeholderData: keepPreviousData,
  })

/** The domain of this name that was deleted last; null if it cannot be restored any more, or never existed. */
export const deletedNamedQuery = (fqdn: string) =>
  queryOptions({
    queryKey: ['deleted-domains', 'named', fqdn],
    async queryFn({ signal }): Promise<RestorableDomain | null> {
      const query = {
        sort: JSON.stringify(['deleted_at', 'DESC']),
        filter: JSON.stringify({ q: fqdn }),
      }
      const { data } = await answerOf(
        api.GET('/api/domains/deleted', { params: { query }, signal }),
      )
      return data.find((domain) => domain.fqdn === fqdn) ?? null
    },
  })

/** @throws ApiProblem, NetworkFailure */
export async function restoreDomain(id: string): Promise<Domain> {
  const call = api.POST('/api/domains/{id}/restore', { params: { path: { id } } })
  return (await answerOf(call)).data
}
