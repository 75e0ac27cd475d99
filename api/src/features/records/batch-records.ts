/** Applies a batch of operations to the records of a place: all of them, or none. */
import type { RecordBatch, RecordBatchResult } from '@homing/openapi'
import { reachOf } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import { requireWithin } from '../../rules/key-scope.ts'
import { changeRecords } from './change-records.ts'
import { findPlace } from './find-place.ts'
import { ACTIONS, RecordLine, type RecordWish } from './record-line.ts'
import { readNewRecord, type RecordCall, valuesReader } from './save-record.ts'
import { recordPlaces } from './record-places.ts'

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
  using _place = recordPlaces.take(knex, reach.userId)
  const wishOf = (operation: RecordBatch['operations'][number]): RecordWish => {
    requireWithin(reach, { action: ACTIONS[operation.op] })
    if (operation.op === 'create') {
      return { op: 'create', set: readNewRecord(operation, fqdn, config.addressPolicy) }
    }
    const { id, version } = operation
    if (operation.op === 'delete') return { op: 'delete', id, expects: expecting(version) }
    const { ttl } = operation
    const values = valuesReader(operation.values, config.addressPolicy)
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
