/** The update calls that the service received for a domain. */
import type { components } from '@homing/openapi/client'
import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { answerOf } from './problem.ts'

export type UpdateCall = components['schemas']['UpdateCall']

/** A user who sets up a router waits for its call. The live stream announces it; without the stream, polling finds it. */
const REFRESH_MS = 3_000

/** The calls that the service keeps for a domain, the newest first. */
export const callsQuery = (domainId: string) =>
  queryOptions({
    queryKey: ['update-calls', domainId, 'all'],
    async queryFn({ signal }): Promise<readonly UpdateCall[]> {
      const params = { path: { id: domainId } }
      const call = api.GET('/api/domains/{id}/update-calls', { params, signal })
      return (await answerOf(call)).data
    },
  })

/** The newest call for a domain, refused or not; null before the first one. */
export const lastCallQuery = (domainId: string) =>
  queryOptions({
    queryKey: ['update-calls', domainId],
    async queryFn({ signal }): Promise<UpdateCall | null> {
      const { data } = await answerOf(
        api.GET('/api/domains/{id}/update-calls', {
          params: { path: { id: domainId }, query: { range: '[0,0]' } },
          signal,
        }),
      )
      return data[0] ?? null
    },
    refetchInterval: REFRESH_MS,
  })
