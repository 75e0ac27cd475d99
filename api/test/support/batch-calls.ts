/** Calls of `POST /api/domains/bulk` as Ada. */
import type { BatchVerdict, DomainBatchResult } from '@homing/openapi'
import assert from 'node:assert/strict'
import { expect } from 'vitest'
import type { useDomainWorld } from './domain-world.ts'

export const BATCH_URL = '/api/domains/bulk'

export function batchCalls(t: ReturnType<typeof useDomainWorld>) {
  const send = (operations: readonly object[], more: object = {}) =>
    t.call(t.ada, 'POST', BATCH_URL, { operations, ...more })
  return {
    send,

    /** The verdicts of a batch that was applied. */
    applied: async (operations: readonly object[], more: object = {}): Promise<BatchVerdict[]> => {
      const answer = await send(operations, more)
      assert.equal(answer.status, 200, answer.body)
      return (JSON.parse(answer.body) as DomainBatchResult).verdicts
    },

    /** The verdicts of a refused batch, after checking its problem document. */
    refused: async (operations: readonly object[], more: object = {}): Promise<BatchVerdict[]> => {
      const problem = await t.refused(t.ada, 'POST', BATCH_URL, { operations, ...more })
      expect(problem).toMatchObject({ status: 422, code: 'batch-refused' })
      return problem.verdicts ?? []
    },
  }
}
