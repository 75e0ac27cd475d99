/** The pause and the tags in the changes of a batch. They follow the rules of `change-settings.ts`. */
import type { BatchChange } from '@homing/openapi'
import type { Knex } from 'knex'
import {
  changeWaits,
  type DomainValues,
  type HeldChange,
  isPauseTurned,
} from '../../../feed/change-domain.ts'
import type { DomainRow } from '../../../feed/rows.ts'
import { changedTags } from '../../../rules/owner-texts.ts'
import { pauseRefusal, rowRefusal } from '../change-refusals.ts'
import type { BatchLine } from './batch-line.ts'

export type LineSettings = Pick<DomainValues, 'paused' | 'tags'>

/**
 * Pause and tags after a line; undefined if the line has neither.
 *
 * @throws Refusal `validation-failed`
 */
export function readLineSettings(
  { paused, add_tags, remove_tags }: BatchChange,
  { tags }: DomainRow,
): LineSettings | undefined {
  if (add_tags === undefined && remove_tags === undefined) {
    return paused === undefined ? undefined : { paused }
  }
  const change = { ...(add_tags && { add_tags }), ...(remove_tags && { remove_tags }) }
  return { paused, tags: changedTags(tags, change) }
}

/** The new values of a line about a locked row. */
export interface LineChange extends HeldChange {
  readonly line: BatchLine<BatchChange>
  /** Whether the rate limit applies to a pause: it does not if the addresses of the line are new, which were judged. */
  readonly needsAllowance: boolean
}

/** Refuses the lines whose domains accept no change, or cannot be paused or resumed. */
export async function judgeSettings(
  trx: Knex.Transaction,
  changes: readonly LineChange[],
): Promise<void> {
  const turning = changes.filter(({ base, values }) => isPauseTurned(base, values))
  const counted = turning.filter(({ needsAllowance }) => needsAllowance)
  const waits = await changeWaits(
    trx,
    counted.map(({ base }) => base.id),
  )
  for (const { line, base } of changes) line.refuse(rowRefusal(base, line.operation.version))
  for (const { line, base } of turning) line.refuse(pauseRefusal(base, waits.get(base.id) ?? 0))
}
