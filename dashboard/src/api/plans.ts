/** The plans on offer, from the smallest to the largest. */
import type { components } from '@homing/openapi/client'
import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { answerOf } from './problem.ts'

export type OfferedPlan = components['schemas']['Plan']

export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: async ({ signal }) => (await answerOf(api.GET('/api/plans', { signal }))).data,
  staleTime: 300_000,
})
