/** Undoes deletions and changes of records: a single one by the history of its domain, several by a batch. */
import { RECORD_BATCH_LIMIT } from '@homing/openapi/vocabulary'
import { readNewestEvents, undoEvent } from '../../api/domain-history.ts'
import {
  changeRecords,
  createRecord,
  type DnsRecord,
  type RecordHome,
  type RecordOperation,
  updateRecord,
} from '../../api/records.ts'
import { textOf } from '../../api/problem.ts'

/** Why a batch changed nothing, for people. */
class BatchRefused extends Error {
  override readonly name = 'BatchRefused'
}

const reasonOf = (error: unknown): string => {
  if (error instanceof BatchRefused) return error.message
  return error instanceof Error ? textOf(error, 'Please try again.') : String(error)
}

/** What a batch did before it stopped. */
export interface BatchOutcome {
  readonly done: number
  /** Undefined if everything was done. */
  readonly reason?: string
}

/** Applies operations in batches, one after another. Each is applied as a whole, or not at all. */
export async function inBatches(
  home: RecordHome,
  operations: readonly RecordOperation[],
): Promise<BatchOutcome> {
  let done = 0
  try {
    while (done < operations.length) {
      const part = operations.slice(done, done + RECORD_BATCH_LIMIT)
      // One after another: the service changes the records of an account one batch at a time.
      // oxlint-disable-next-line no-await-in-loop
      const { applied, verdicts } = await changeRecords(home, part)
      const refused = verdicts.find(({ ok }) => !ok)
      if (!applied) {
        const name = [refused?.owner, refused?.type].filter(Boolean).join(' ')
        const detail = refused?.detail ?? 'The rules refuse it.'
        throw new BatchRefused(name === '' ? detail : `${name}: ${detail}`)
      }
      done += part.length
    }
    return { done }
  } catch (error) {
    return { done, reason: reasonOf(error) }
  }
}

const creationOf = ({ owner, type, ttl, values }: DnsRecord): RecordOperation => ({
  op: 'create',
  owner,
  type,
  ttl,
  values,
})

/** The event of the history that a change of a record made; undefined if it is not among the newest. */
async function eventOf(
  domainId: string,
  { owner, type }: DnsRecord,
  kind: 'record-deleted' | 'record-changed',
) {
  const events = await readNewestEvents(domainId)
  return events.find(
    (event) =>
      event.kind === kind && event.old.record?.owner === owner && event.old.record.type === type,
  )
}

/** Undoes one change by the history of the record's domain. @returns whether the history has the change */
async function undoInHistory(
  record: DnsRecord,
  kind: 'record-deleted' | 'record-changed',
): Promise<boolean> {
  if (record.domain_id === null) return false
  const event = await eventOf(record.domain_id, record, kind)
  if (event === undefined) return false
  await undoEvent(record.domain_id, event.id)
  return true
}

/** Restores deleted records. */
export async function restoreRecords(
  home: RecordHome,
  records: readonly DnsRecord[],
): Promise<BatchOutcome> {
  const [only] = records
  if (records.length > 1 || only === undefined) return inBatches(home, records.map(creationOf))
  try {
    if (!(await undoInHistory(only, 'record-deleted'))) {
      const { owner, type, ttl, values } = only
      await createRecord(home, { owner, type, ttl, values })
    }
    return { done: 1 }
  } catch (error) {
    return { done: 0, reason: reasonOf(error) }
  }
}

/** Gives a changed record its former values. @param after the record after the change */
export async function changeBack(
  home: RecordHome,
  before: DnsRecord,
  after: DnsRecord,
): Promise<BatchOutcome> {
  try {
    if (!(await undoInHistory(before, 'record-changed'))) {
      await updateRecord(home, after, { ttl: before.ttl, values: before.values })
    }
    return { done: 1 }
  } catch (error) {
    return { done: 0, reason: reasonOf(error) }
  }
}
