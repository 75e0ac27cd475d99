/** Several domains registered at once: all of them, or none. */
import { type components, IDEMPOTENCY_KEY_HEADER } from '@homing/openapi/client'
import { api } from './client.ts'
import { answerOf, ApiProblem } from './problem.ts'

export { BATCH_LIMIT } from '@homing/openapi/client'

type Schemas = components['schemas']
export type DomainBatch = Schemas['DomainBatch']
export type BatchCreate = Schemas['BatchCreate']
type BatchVerdict = Schemas['BatchVerdict']

export interface BatchAnswer {
  readonly isApplied: boolean
  /** One for each operation, in their order. */
  readonly verdicts: readonly BatchVerdict[]
}

/**
 * Sends a batch. A batch that the rules refuse is an answer too: it says which operations they refuse.
 *
 * @param key of a `RepeatableChange`; a dry run needs none
 * @throws ApiProblem, NetworkFailure
 */
export async function sendBatch(batch: DomainBatch, key?: string): Promise<BatchAnswer> {
  const header = key === undefined ? {} : { [IDEMPOTENCY_KEY_HEADER]: key }
  const reply = api.POST('/api/domains/bulk', { params: { header }, body: batch })
  try {
    const { applied, verdicts } = (await answerOf(reply)).data
    return { isApplied: applied, verdicts }
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== 'batch-refused') throw error
    const refusal: { readonly verdicts?: readonly BatchVerdict[] } | undefined = (await reply).error
    return { isApplied: false, verdicts: refusal?.verdicts ?? [] }
  }
}
