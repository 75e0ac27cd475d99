/** What an account's plan says about its records. */
import type { PlanRecordTypes } from '@homing/openapi/vocabulary'
import { Refusal } from './errors.ts'

/** The records that a plan includes. */
export interface RecordTerms {
  readonly recordLimit: number
  readonly recordTypes: PlanRecordTypes
  /** The shortest TTL in seconds. */
  readonly ttlSeconds: number
}

/** An RRset as the plan counts it. */
interface CountedSet {
  readonly type: string
  readonly values: readonly string[]
}

/** What an RRset counts as: values of TXT records, or RRsets. */
export function placesOf({ recordTypes }: RecordTerms, { type, values }: CountedSet): number {
  if (recordTypes === 'all') return 1
  return type === 'TXT' ? values.length : 0
}

/**
 * Refuses a type that the plan does not include.
 *
 * @throws Refusal `plan-required`
 */
export function requireTypeInPlan({ recordTypes }: RecordTerms, type: string): void {
  if (recordTypes === 'all' || type === 'TXT') return
  throw new Refusal(
    'plan-required',
    `Your plan includes TXT records only. To use ${type} records, choose a larger plan.`,
  )
}

/**
 * Refuses growth beyond the plan's limit. What an account has from a larger plan stays. The caller holds the account's
 * lock until it has written.
 *
 * @throws Refusal `record-limit`
 */
export function requireRecordPlaces(terms: RecordTerms, before: number, after: number): void {
  const { recordLimit, recordTypes } = terms
  if (after <= recordLimit || after <= before) return
  const unit = recordTypes === 'txt' ? 'values of TXT records' : 'records'
  throw new Refusal(
    'record-limit',
    recordLimit === 0
      ? 'Your plan does not include any records.'
      : `Your plan includes ${recordLimit} ${unit}, and you would have ${after}. Delete some, or choose a larger plan.`,
  )
}
