/** Undoes events of records: restores the RRset that was there before, under the rules of today. */
import { type Principal, reachOf } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import type { Actor } from '../../feed/address-change.ts'
import type { RecordUndo } from '../../feed/records.ts'
import { ZoneRecord } from '../../models/record.ts'
import { Refusal } from '../../rules/errors.ts'
import { requireWithin } from '../../rules/key-scope.ts'
import type { RecordSet } from '../../rules/records.ts'
import { changeRecords, domainFor, type FoundRecords } from './change-records.ts'
import { findPlace } from './find-place.ts'
import { ACTIONS, RecordLine } from './record-line.ts'

const any = () => undefined

/** The id of the record that an event changed. @throws Refusal `not-found`, `undo-refused` */
async function presentId(
  { knex }: Services,
  principal: Principal,
  { key }: RecordUndo,
  { owner, type }: RecordSet,
): Promise<string> {
  const { userId, zoneId } = await findPlace(knex, reachOf(principal), key)
  const row = await ZoneRecord.query(knex)
    .modify('ownedBy', userId)
    .findOne({ zone_id: zoneId, owner, type })
    .select('id')
  if (row !== undefined) return row.id
  throw new Refusal(
    'undo-refused',
    `The change cannot be undone: there is no ${type} record of ${owner} any more. Create one.`,
  )
}

async function lineOf(
  services: Services,
  principal: Principal,
  undo: RecordUndo,
): Promise<RecordLine> {
  const { before, after } = undo
  if (before !== null && after === null) {
    const line = new RecordLine('create')
    line.wish = { op: 'create', set: before }
    return line
  }
  const set = after ?? before
  if (set === null) throw new Error('an event of a record has a record')
  const id = await presentId(services, principal, undo, set)
  const line = new RecordLine(before === null ? 'delete' : 'change')
  line.wish =
    before === null
      ? { op: 'delete', id, expects: any }
      : { op: 'change', id, ttl: before.ttl, values: () => before.values, expects: any }
  return line
}

/**
 * A domain that was registered since has taken the records at and below it, and has their later history.
 *
 * @throws Refusal `undo-refused`
 */
function requireSameHome({ place, lines, held }: FoundRecords): void {
  for (const { owner } of lines) {
    const domain = domainFor(held, owner ?? '')
    if ((domain?.id ?? null) === place.domainId) continue
    const home = domain === undefined ? `the zone ${place.zone}` : `the domain ${domain.fqdn}`
    throw new Refusal(
      'undo-refused',
      `The change cannot be undone: the record belongs to ${home} now. Change it there.`,
    )
  }
}

/**
 * Undoes an event of a record in a place of the caller.
 *
 * @throws Refusal as the calls that create, change and delete a record, `undo-refused`, `key-scope` for a key that may not do
 * what the undo does, and those of `confirm`
 */
export async function undoRecord(
  services: Services,
  principal: Principal,
  undo: RecordUndo,
  actor: Actor,
): Promise<void> {
  const { key, eventId: undoes, confirm } = undo
  const reach = reachOf(principal)
  const line = await lineOf(services, principal, undo)
  requireWithin(reach, { action: ACTIONS[line.op] })
  await changeRecords(services, {
    reach,
    key,
    lines: [line],
    actor,
    undoes,
    async confirm(trx, found) {
      requireSameHome(found)
      await confirm(trx)
    },
  })
  if (line.refusal !== undefined) throw line.refusal
  if (line.isDue) return
  throw new Refusal(
    'undo-refused',
    'The change cannot be undone: the record has these values already.',
  )
}
