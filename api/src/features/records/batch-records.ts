/** Applies a batch of operations to the records of a place: all of them, or none. */
import type { RecordBatch, RecordBatchResult } from '@homing/openapi'
import { reachOf } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import { requireWithin } from '../../rules/key-scope.ts'
import { parseRecordValues } from '../../rules/records-values.ts'
import { parseRecordType } from '../../rules/records.ts'
import { ZoneRecord } from '../../models/record.ts'
import { changeRecords } from './change-records.ts'
import { findPlace } from './find-place.ts'
import { ACTIONS, RecordLine, type RecordWish } from './record-line.ts'
import { readNewRecord, type RecordCall } from './save-record.ts'
import { takePlace } from './record-places.ts'

type Operation = RecordBatch['operations'][number]

/** The owners and types of the records that are changed: the form of the values depends on the type. */
async function typesById(
  { knex }: Services,
  userId: string,
  operations: readonly Operation[],
): Promise<ReadonlyMap<string, { readonly owner: string; readonly type: string }>> {
  const ids = operations.flatMap((operation) => (operation.op === 'change' ? [operation.id] : []))
  if (ids.length === 0) return new Map()
  const rows = await ZoneRecord.query(knex)
    .modify('ownedBy', userId)
    .select('id', 'owner', 'type')
    .whereIn('id', ids)
    .toKnexQuery<Pick<ZoneRecord, 'id' | 'owner' | 'type'>>()
  return new Map(rows.map((row) => [row.id, row]))
}

const expecting = (version: number | undefined) => () => version

/**
 * Applies a batch, or with `dry_run` only checks it. A refused operation is not an error of the call: its verdict says why.
 *
 * @throws Refusal `not-found`, `domain-locked`, `zone-not-active`, `account-disabled`, `rate-limited`, `unavailable`
 */
export async function changeRecordBatch(
  services: Services,
  { principal, key, actor }: Omit<RecordCall, 'isDryRun'>,
  { operations, dry_run: isDryRun = false }: RecordBatch,
): Promise<RecordBatchResult> {
  const { knex, config } = services
  const reach = reachOf(principal)
  const { fqdn } = await findPlace(knex, reach, key)
  await requireAllowance(services, 'batches-account', reach.userId)
  using _place = takePlace(knex)
  const known = await typesById(services, reach.userId, operations)
  const wishOf = (operation: Operation): RecordWish => {
    requireWithin(reach, { action: ACTIONS[operation.op] })
    if (operation.op === 'create') {
      return { op: 'create', set: readNewRecord(operation, fqdn, config.addressPolicy) }
    }
    const { id, version } = operation
    if (operation.op === 'delete') return { op: 'delete', id, expects: expecting(version) }
    const { ttl, values: texts } = operation
    const row = known.get(id)
    const values =
      row && texts
        ? parseRecordValues(
            { owner: row.owner, type: parseRecordType(row.type), values: texts },
            config.addressPolicy,
          )
        : undefined
    return { op: 'change', id, ttl, values, expects: expecting(version) }
  }
  const lines = operations.map((operation, index) => {
    const line = new RecordLine(operation.op, index)
    line.wish = line.check(() => wishOf(operation))
    return line
  })
  const { isApplied } = await changeRecords(services, { reach, key, lines, actor, isDryRun })
  const locked = lines.find(({ refusal }) => refusal?.code === 'domain-locked')
  if (locked?.refusal !== undefined) throw locked.refusal
  return { applied: isApplied, verdicts: lines.map((line) => line.verdict()) }
}
