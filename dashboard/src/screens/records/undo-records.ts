/** Undoes deletions and changes of records: a single one by the history of its domain or zone, several by a batch. */
import { RECORD_BATCH_LIMIT } from '@homing/openapi/vocabulary'
import { type DomainEvent, readNewestEvents, undoEvent } from '../../api/domain-history.ts'
import {
  changeRecords,
  createRecord,
  type DnsRecord,
  type RecordHome,
  type RecordOperation,
  updateRecord,
} from '../../api/records.ts'
import { textOf } from '../../api/problem.ts'
import { readNewestZoneEvents, undoZoneEvent } from '../../api/zone-history.ts'

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

/** The history that has the changes of a record: that of its domain, or that of the own zone. */
function historyOf(home: RecordHome, { domain_id: domainId }: DnsRecord) {
  if (domainId !== null) {
    return {
      read: async () => readNewestEvents(domainId),
      undo: async (eventId: string) => undoEvent(domainId, eventId),
    }
  }
  return {
    read: async () => readNewestZoneEvents(home.id),
    undo: async (eventId: string) => undoZoneEvent(home.id, eventId),
  }
}

/** Undoes one change by the history. @returns whether the change is among the newest ones of the history */
async function undoInHistory(
  home: RecordHome,
  record: DnsRecord,
  kind: 'record-deleted' | 'record-changed',
): Promise<boolean> {
  const { owner, type } = record
  const { read, undo } = historyOf(home, record)
  const events: readonly Pick<DomainEvent, 'id' | 'kind' | 'old'>[] = await read()
  const found = events.find(
    (event) =>
      event.kind === kind && event.old.record?.owner === owner && event.old.record.type === type,
  )
  if (found === undefined) return false
  await undo(found.id)
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
    if (!(await undoInHistory(home, only, 'record-deleted'))) {
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
    if (!(await undoInHistory(home, before, 'record-changed'))) {
      await updateRecord(home, after, { ttl: before.ttl, values: before.values })
    }
    return { done: 1 }
  } catch (error) {
    return { done: 0, reason: reasonOf(error) }
  }
}
