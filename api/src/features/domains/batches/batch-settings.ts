/** The pause, the note and the tags in the changes of a batch. They follow the rules of `change-settings.ts`. */
import type { BatchChange } from '@homing/openapi'
import type { Knex } from 'knex'
import {
  changeWaits,
  type DomainValues,
  type HeldChange,
  isPauseTurned,
} from '../../../feed/change-domain.ts'
import type { DomainRow } from '../../../feed/rows.ts'
import { invalid } from '../../../rules/errors.ts'
import { changedTags } from '../../../rules/owner-texts.ts'
import { pauseRefusal, rowRefusal } from '../change-refusals.ts'
import { readSettings } from '../change-settings.ts'
import type { BatchLine } from './batch-line.ts'

export type LineSettings = Pick<DomainValues, 'paused' | 'note' | 'tags'>

/**
 * Pause, note and tags after a line; undefined if the line has none of them.
 *
 * @throws Refusal `validation-failed`, also for `tags` together with `add_tags` or `remove_tags`
 */
export function readLineSettings(
  { paused, note, tags: newTags, add_tags, remove_tags }: BatchChange,
  { tags }: DomainRow,
): LineSettings | undefined {
  if (add_tags === undefined && remove_tags === undefined) {
    return readSettings({ paused, note, tags: newTags })
  }
  if (newTags !== undefined) {
    const message = 'tags replaces all tags. Give it alone, or use only add_tags and remove_tags.'
    throw invalid({ field: 'tags', message })
  }
  const change = { ...(add_tags && { add_tags }), ...(remove_tags && { remove_tags }) }
  return { ...readSettings({ paused, note, tags: undefined }), tags: changedTags(tags, change) }
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
