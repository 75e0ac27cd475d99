/** The export of the caller's domains, without wildcards. */
import type { components } from '@homing/openapi/client'
import { api } from './client.ts'
import { answerOf } from './problem.ts'

type ExportedDomain = components['schemas']['ExportedDomain']

/** @throws ApiProblem, NetworkFailure */
export async function exportedRows(): Promise<readonly ExportedDomain[]> {
  const params = { query: { format: 'json' } } as const
  const { data } = await answerOf(api.GET('/api/domains/export', { params }))
  // The call can answer with a CSV file too, but not in this format.
  return data as readonly ExportedDomain[]
}
