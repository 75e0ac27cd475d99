/** Trust policies: pipelines that get a short-lived API key without a stored secret. */
import type { components } from '@homing/openapi/client'
import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { KEPT_CURRENT } from './kept-current.ts'
import { answerOf } from './problem.ts'

export type TrustPolicy = components['schemas']['TrustPolicy']
export type NewTrustPolicy = components['schemas']['NewTrustPolicy']

/** The policies of the account. Without the ability of the plan, the service answers `plan-required`. */
export const trustPoliciesQuery = queryOptions({
  ...KEPT_CURRENT,
  queryKey: ['trust-policies'],
  queryFn: async ({ signal }) => (await answerOf(api.GET('/api/trust-policies/', { signal }))).data,
})

/** @throws ApiProblem, NetworkFailure */
export async function createTrustPolicy(body: NewTrustPolicy): Promise<TrustPolicy> {
  return (await answerOf(api.POST('/api/trust-policies/', { body }))).data
}

/** @throws ApiProblem, NetworkFailure */
export async function deleteTrustPolicy(id: string): Promise<void> {
  await answerOf(api.DELETE('/api/trust-policies/{id}', { params: { path: { id } } }))
}
