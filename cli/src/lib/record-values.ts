/**
 * Values that are added to a record or removed from it. The API replaces all values of a record, so the command reads it,
 * and writes it only if nobody has changed it in between: two hooks of an ACME client can run at the same time.
 */
import type { ApiClient } from './client.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { changeRecord, createRecord, deleteRecord, type DnsRecord } from './record-calls.ts'
import type { Place } from './record-places.ts'
import { findRecord, type Named, recordAt } from './records.ts'

/** How often a change is repeated because others changed the same record. */
const ATTEMPTS = 5

export interface ValueChange {
  readonly add?: readonly string[] | undefined
  readonly remove?: readonly string[] | undefined
  readonly ttl?: number | undefined
}

interface Options {
  readonly isDryRun: boolean
}

const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof CommandFailure && codes.includes(error.problem.code ?? '')

/** Repeats the work while others change the record. @throws CommandFailure after the last attempt */
async function whileChanging<T>(work: () => Promise<T>): Promise<T> {
  for (let left = ATTEMPTS - 1; ; left -= 1) {
    try {
      return await work()
    } catch (error) {
      if (left === 0 || !hasCode(error, 'version-mismatch', 'record-exists')) throw error
    }
  }
}

/** The values as the service writes them: its own rules read them, without a change. */
async function canonical(
  api: ApiClient,
  place: Place,
  { id, values }: DnsRecord,
  typed: readonly string[] = [],
): Promise<readonly string[]> {
  if (typed.every((value) => values.includes(value))) return typed
  return (await changeRecord(api, place, id, { values: [...typed] }, { isDryRun: true })).values
}

/** The values after a change, each once. */
async function valuesAfter(
  api: ApiClient,
  place: Place,
  record: DnsRecord,
  { add, remove }: ValueChange,
): Promise<string[]> {
  const added = await canonical(api, place, record, add)
  const removed = await canonical(api, place, record, remove)
  const kept = record.values.filter((value) => !removed.includes(value))
  return [...new Set([...kept, ...added])]
}

/**
 * Adds values to a record, and removes values from it. Values that it has already, or does not have, change nothing.
 *
 * @throws CommandFailure if it does not exist, or if no value would be left
 */
export async function changeValues(
  api: ApiClient,
  place: Place,
  wanted: Named,
  change: ValueChange,
  { isDryRun }: Options,
): Promise<DnsRecord> {
  return whileChanging(async () => {
    const record = await findRecord(api, place, wanted)
    const values = await valuesAfter(api, place, record, change)
    if (values.length === 0) {
      const message = `Its last value cannot be removed. Delete it: homing records remove ${place.name} ${record.id}`
      throw new CommandFailure(EXIT.refused, message)
    }
    const { ttl } = change
    const body = { values, ...(ttl !== undefined && { ttl }) }
    return changeRecord(api, place, record.id, body, { isDryRun, version: record.version })
  })
}

/** Adds values to a record, which is created if it does not exist. @throws CommandFailure */
export async function appendValues(
  api: ApiClient,
  place: Place,
  { type, owner, values, ttl }: Required<Named> & { values: string[]; ttl: number | undefined },
  options: Options,
): Promise<DnsRecord> {
  const wanted = { type, owner: owner ?? '@' }
  return whileChanging(async () => {
    if ((await recordAt(api, place, wanted)) !== undefined) {
      return changeValues(api, place, wanted, { add: values, ttl }, options)
    }
    const body = { ...wanted, values, ...(ttl !== undefined && { ttl }) }
    return createRecord(api, place, body, options)
  })
}

export interface Dropped {
  /** The record before; undefined if it does not exist. */
  readonly record: DnsRecord | undefined
  /** The values that it still has; without any, it was deleted. */
  readonly left: readonly string[]
  /** Whether it had one of the values, so that something was deleted. */
  readonly isChanged: boolean
}

/** Removes values from a record, and the record with its last value. Nothing is sent if it has none of them. @throws CommandFailure */
export async function dropValues(
  api: ApiClient,
  place: Place,
  wanted: Named,
  values: readonly string[],
  { isDryRun }: Options,
): Promise<Dropped> {
  return whileChanging(async () => {
    const record = await recordAt(api, place, wanted)
    if (record === undefined) return { record, left: [], isChanged: false }
    const left = await valuesAfter(api, place, record, { remove: values })
    if (left.length === record.values.length) return { record, left, isChanged: false }
    const options = { isDryRun, version: record.version }
    if (left.length === 0) await deleteRecord(api, place, record.id, options)
    else await changeRecord(api, place, record.id, { values: left }, options)
    return { record, left, isChanged: true }
  })
}
