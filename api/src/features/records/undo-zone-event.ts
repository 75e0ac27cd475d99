/**
 * Undoes a change of a record in an own zone, as a new event.
 *
 * Only the newest event about a record can be undone, so that an undo never overwrites a later decision. An undo is such an
 * event too, hence the first later event about the record says whether the change was undone already.
 */
import type { RecordSettings, ZoneEvent } from '@homing/openapi'
import { UNDO_DAYS } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import { type Principal, reachOf } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import { query } from '../../database/sql.ts'
import type { Actor } from '../../feed/address-change.ts'
import { notFound, Refusal } from '../../rules/errors.ts'
import { findPlace, holdsOwner } from './find-place.ts'
import { findZoneUndo, SUBJECT } from './list-zone-events.ts'
import { undoRecord } from './undo-record.ts'

interface EventRow {
  readonly id: string
  readonly is_too_old: boolean
  readonly detail: { readonly old: RecordSettings | null; readonly new: RecordSettings | null }
}

const EVENT = `
  select id, detail, happened_at < ?::timestamptz - interval '${UNDO_DAYS} days' as is_too_old
  from zone_events where claim_id = ? and user_id = ? and id = ?`

const NEXT = `
  select undoes from zone_events
  where claim_id = ? and id > ? and ${SUBJECT} ->> 'owner' = ? and ${SUBJECT} ->> 'type' = ? order by id limit 1`

const refused = (why: string) => new Refusal('undo-refused', `The change cannot be undone: ${why}`)

/** @throws Refusal `already-undone`, `undo-refused` */
async function requireNewest(
  db: Knex,
  claimId: string,
  { id, is_too_old }: EventRow,
  { owner, type }: RecordSettings,
): Promise<void> {
  if (is_too_old) throw refused(`it is more than ${UNDO_DAYS} days old. Make the change again.`)
  const [next] = await query<{ undoes: string | null }>(db, NEXT, [claimId, id, owner, type])
  if (next === undefined) return
  if (next.undoes === id) {
    throw new Refusal('already-undone', 'The change was undone already. Read the zone again.')
  }
  throw refused('the record was changed again afterwards. Undo the later change first.')
}

export interface ZoneUndo {
  /** Of the claim. */
  readonly id: string
  readonly event_id: string
}

/**
 * Undoes an event of one of the account's own zones.
 *
 * @returns the event of the undo
 * @throws Refusal `not-found`, `undo-refused`, `already-undone`, and those of the calls that create, change and delete a
 * record
 */
export async function undoZoneEvent(
  services: Services,
  principal: Principal,
  { id: claimId, event_id: eventId }: ZoneUndo,
  actor: Actor,
): Promise<ZoneEvent> {
  const { knex, now } = services
  const reach = reachOf(principal)
  const place = await findPlace(knex, reach, { claimId })
  // Events do not change.
  const [event] = await query<EventRow>(knex, EVENT, [now(), claimId, reach.userId, eventId])
  const { old: before = null, new: after = null } = event?.detail ?? {}
  const subject = after ?? before
  if (event === undefined || subject === null) throw notFound('event')
  if (!holdsOwner(reach, place, subject.owner, undefined)) throw notFound('event')
  await requireNewest(knex, claimId, event, subject)
  const confirm = async (trx: Knex.Transaction) => requireNewest(trx, claimId, event, subject)
  await undoRecord(
    services,
    principal,
    { key: { claimId }, eventId, before, after, confirm },
    actor,
  )
  const undo = await findZoneUndo(services, reach, claimId, eventId)
  if (undo !== undefined) return undo
  throw new Error('an undo has an event')
}
