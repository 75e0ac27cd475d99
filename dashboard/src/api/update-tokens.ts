/** The update token of a domain: the only secret that a router needs. */
import type { components } from '@homing/openapi/client'
import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { answerOf, ApiProblem } from './problem.ts'

export type UpdateToken = components['schemas']['UpdateToken']
export type CreatedUpdateToken = components['schemas']['CreatedUpdateToken']

/** The token without its secret; null when the domain has none. */
export const updateTokenQuery = (domainId: string) =>
  queryOptions({
    queryKey: ['update-token', domainId],
    async queryFn({ signal }): Promise<UpdateToken | null> {
      const call = api.GET('/api/domains/{id}/update-token', {
        params: { path: { id: domainId } },
        signal,
      })
      try {
        return (await answerOf(call)).data
      } catch (error) {
        if (error instanceof ApiProblem && error.code === 'no-update-token') return null
        throw error
      }
    },
  })

/** @param replace whether to replace an existing token. @throws ApiProblem, NetworkFailure */
export async function createUpdateToken(
  domainId: string,
  replace: boolean,
): Promise<CreatedUpdateToken> {
  const { data } = await answerOf(
    api.POST('/api/domains/{id}/update-token', {
      params: { path: { id: domainId } },
      body: replace ? { replace } : {},
    }),
  )
  return data
}

/** @throws ApiProblem, NetworkFailure */
export async function deleteUpdateToken(domainId: string): Promise<void> {
  await answerOf(
    api.DELETE('/api/domains/{id}/update-token', { params: { path: { id: domainId } } }),
  )
}
