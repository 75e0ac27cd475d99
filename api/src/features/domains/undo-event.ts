/**
 * Undoes a change of a domain: writes the values that it had before, as a new event.
 *
 * Only the newest event about a field can be undone, so that an undo never overwrites a later decision. An undo is such
 * an event too, hence the first later event about the same fields says whether the change was undone already.
 */
import type { RecordSettings } from '@homing/openapi'
import {
  type DomainActor,
  type DomainEventKind,
  UNDO_DAYS,
  UNDOABLE_KINDS,
} from '@homing/openapi/vocabulary'
import { isModeration } from '@homing/openapi/web-forward'
import type { Knex } from 'knex'
import { type Principal, reachOf } from '../../caller/principal.ts'
import { parseAddress } from '../../rules/addresses.ts'
import { domainLocked, notFound, Refusal } from '../../rules/errors.ts'
import { type Reach, recordTypesOf, requireWithin } from '../../rules/key-scope.ts'
import type { Actor } from '../../feed/address-change.ts'
import { changeDomain, type DomainValues, holdDomain } from '../../feed/change-domain.ts'
import type { ForwardEventKind, RecordedForward } from '../../feed/forward-rows.ts'
import type { ForwardUndo } from '../../feed/forwards.ts'
import { lockDomains } from '../../feed/lock-order.ts'
import type { RecordUndo } from '../../feed/records.ts'
import type { DomainRow } from '../../feed/rows.ts'
import { requireServedTypes } from '../../feed/served-types.ts'
import type { OwnedDomain } from '../../models/domain.ts'
import { query } from '../../database/sql.ts'
import type { Services } from '../../compose.ts'
import { expectedVersion } from '../../plugins/if-match.ts'
import { rowRefusal } from './change-refusals.ts'
import { acceptedValues } from './change-settings.ts'
import { findDomain } from './find-domain.ts'

interface EventRow {
  readonly id: string
  readonly kind: DomainEventKind
  readonly actor: DomainActor
  readonly happened_at: Date
  readonly is_too_old: boolean
  readonly old_ipv4: string | null
  readonly old_ipv6: string | null
  readonly moves_ipv4: boolean
  readonly moves_ipv6: boolean
  readonly detail: { readonly old: unknown; readonly new: unknown } | null
}

const EVENT = `
  select id, kind, actor, happened_at, happened_at < ?::timestamptz - interval '${UNDO_DAYS} days' as is_too_old,
         host(old_ipv4) as old_ipv4, host(old_ipv6) as old_ipv6, detail,
         old_ipv4 is distinct from new_ipv4 as moves_ipv4, old_ipv6 is distinct from new_ipv6 as moves_ipv6
  from domain_events where domain_id = ? and user_id = ? and id = ?`

// An event belongs to the time at which its transaction began, so a later one can be a little older. The time only
// leaves out months.
const NEXT = `
  select undoes from domain_events
  where domain_id = ? and id > ? and happened_at > ?::timestamptz - interval '1 hour' and kind = any (?::text[])
    and (kind <> 'address' or (? and old_ipv4 is distinct from new_ipv4) or (? and old_ipv6 is distinct from new_ipv6))
    and (kind not like 'record-%' or (coalesce(nullif(detail -> 'new', 'null'), detail -> 'old') ->> 'owner' = ?
         and coalesce(nullif(detail -> 'new', 'null'), detail -> 'old') ->> 'type' = ?))
  order by id limit 1`

const FORWARD_KINDS = [
  'forward-started',
  'forward-changed',
  'forward-ended',
] as const satisfies readonly ForwardEventKind[]

const RECORD_KINDS = ['record-created', 'record-changed', 'record-deleted'] as const

const SUBJECTS: Readonly<Record<(typeof UNDOABLE_KINDS)[number], readonly DomainEventKind[]>> = {
  address: ['address'],
  paused: ['paused', 'resumed'],
  resumed: ['paused', 'resumed'],
  note: ['note'],
  tags: ['tags'],
  'forward-started': FORWARD_KINDS,
  'forward-changed': FORWARD_KINDS,
  'forward-ended': FORWARD_KINDS,
  'record-created': RECORD_KINDS,
  'record-changed': RECORD_KINDS,
  'record-deleted': RECORD_KINDS,
}

const refused = (why: string) => new Refusal('undo-refused', `The change cannot be undone: ${why}`)

/** The kinds of later events that are about the same fields. @throws Refusal `undo-refused` */
function requireUndoable({ kind, is_too_old }: EventRow): readonly DomainEventKind[] {
  const known = UNDOABLE_KINDS.find((undoable) => undoable === kind)
  if (known === undefined) {
    throw refused(
      'only changes of addresses, pause, note, tags, the web forward and records can be undone.',
    )
  }
  if (is_too_old) throw refused(`it is more than ${UNDO_DAYS} days old. Make the change again.`)
  return SUBJECTS[known]
}

/** The record that an event is about. */
function recordOf({ kind, detail }: EventRow): Partial<RecordSettings> {
  if (!kind.startsWith('record-')) return {}
  return detail?.new ?? detail?.old ?? {}
}

/** @throws Refusal `already-undone`, `undo-refused` */
async function requireNewest(db: Knex, domainId: string, event: EventRow) {
  const kinds = requireUndoable(event)
  const { id, happened_at, moves_ipv4, moves_ipv6 } = event
  const { owner = null, type = null } = recordOf(event)
  const values = [domainId, id, happened_at, kinds, moves_ipv4, moves_ipv6, owner, type]
  const [next] = await query<{ undoes: string | null }>(db, NEXT, values)
  if (next === undefined) return
  if (next.undoes === id) {
    throw new Refusal('already-undone', 'The change was undone already. Read the domain again.')
  }
  throw refused('the domain was changed again afterwards. Undo the later change first.')
}

/** The values before the event. @throws Refusal `address-not-allowed` for an address that may no longer be used */
function valuesBefore(event: EventRow, policy: Parameters<typeof parseAddress>[1]): DomainValues {
  const { kind, detail } = event
  const allowed = (address: string | null) =>
    address === null ? null : parseAddress(address, policy, 'event_id').text
  if (kind === 'address') {
    return {
      ipv4: event.moves_ipv4 ? allowed(event.old_ipv4) : undefined,
      ipv6: event.moves_ipv6 ? allowed(event.old_ipv6) : undefined,
    }
  }
  if (kind === 'note') return { note: detail?.old as string | null }
  if (kind === 'tags') return { tags: detail?.old as string[] }
  return { paused: kind === 'resumed' }
}

interface UndoCall {
  readonly id: string
  readonly event_id: string
  /** The header If-Match; undefined without one. */
  readonly ifMatch: string | undefined
}

/** Restores the settings of a web forward. The feature of web forwards does it. */
export type UndoForward = (
  services: Services,
  principal: Principal,
  undo: ForwardUndo,
  actor: Actor,
) => Promise<void>

/** Restores a record. The feature of records does it. */
export type UndoRecord = (
  services: Services,
  principal: Principal,
  undo: RecordUndo,
  actor: Actor,
) => Promise<void>

/** What other features undo. */
export interface Undoers {
  readonly undoForward: UndoForward
  readonly undoRecord: UndoRecord
}

/** Who undoes an event, and with what. */
interface Undoing extends Undoers {
  readonly principal: Principal
  readonly actor: Actor
}

/** The settings before an event of a forward. @throws Refusal `undo-refused` for a decision of an administrator */
function forwardBefore({ detail }: EventRow): RecordedForward | null {
  const [before = null, after = null] = [detail?.old, detail?.new] as (RecordedForward | null)[]
  if (isModeration(before, after)) {
    throw refused('an administrator made it. Please contact support.')
  }
  return before
}

/** @throws Refusal as `undoEvent`, and those of the restored settings */
async function undoForwardEvent(
  services: Services,
  { id, ifMatch }: UndoCall,
  event: EventRow & { readonly kind: ForwardEventKind },
  { principal, actor, undoForward }: Undoing,
): Promise<void> {
  // Checked before the target is examined, which takes time, and again in the transaction.
  await requireNewest(services.knex, id, event)
  const confirm = async (trx: Knex.Transaction, base: DomainRow) => {
    const refusal = rowRefusal(base, expectedVersion(ifMatch, base.version))
    if (refusal !== undefined) throw refusal
    await requireNewest(trx, id, event)
  }
  const { id: eventId, kind } = event
  const undo = { domainId: id, eventId, kind, before: forwardBefore(event), confirm }
  await undoForward(services, principal, undo, actor)
}

/** @throws Refusal as `undoEvent`, and those of the restored record */
async function undoRecordEvent(
  services: Services,
  { id, ifMatch }: UndoCall,
  event: EventRow,
  { principal, actor, undoRecord }: Undoing,
): Promise<void> {
  const confirm = async (trx: Knex.Transaction) => {
    const [base] = await lockDomains(trx, [id])
    const refusal = base && rowRefusal(base, expectedVersion(ifMatch, base.version))
    if (refusal !== undefined) throw refusal
    await requireNewest(trx, id, event)
  }
  const [before = null, after = null] = [event.detail?.old, event.detail?.new] as (
    | RecordSettings
    | null
    | undefined
  )[]
  await requireNewest(services.knex, id, event)
  await undoRecord(
    services,
    principal,
    { key: { domainId: id }, eventId: event.id, before, after, confirm },
    actor,
  )
}

const isAboutForward = <E extends EventRow>(
  event: E,
): event is E & { readonly kind: ForwardEventKind } =>
  FORWARD_KINDS.some((kind) => kind === event.kind)

/** @throws Refusal `domain-locked` */
function requireUnlocked({ fqdn, locked }: Pick<DomainRow, 'fqdn' | 'locked'>): void {
  if (locked) throw domainLocked(fqdn, 'its changes cannot be undone')
}

/** Undoes an event about the fields of the domain itself. */
async function undoOwnEvent(
  { knex, config }: Services,
  reach: Reach,
  { id, ifMatch }: UndoCall,
  event: EventRow,
  actor: Actor,
): Promise<void> {
  await knex.transaction(async (trx) => {
    const base = await holdDomain(trx, id)
    if (base === undefined) throw notFound('domain')
    requireUnlocked(base)
    await requireNewest(trx, id, event)
    const values = valuesBefore(event, config.addressPolicy)
    requireWithin(reach, { recordTypes: recordTypesOf(values) })
    if (values.paused !== undefined) await requireServedTypes(trx, reach, base.id)
    const isThrottled = config.rateLimits
    const accepted = await acceptedValues(trx, base, { values, actor, ifMatch, isThrottled })
    if (!(await changeDomain(trx, { base, values: accepted, undoes: event.id }, actor))) {
      throw refused('the domain has these values already.')
    }
  })
}

/**
 * Undoes an event of one of the account's domains.
 *
 * @throws Refusal `not-found`, `domain-locked`, `undo-refused`, `already-undone`, `version-mismatch`, `conflict`,
 * `address-not-allowed`, `withheld`, `rate-limited`, `key-scope`; for a web forward also `plan-required`,
 * `target-not-allowed`, `stealth-limit`, `forward-disabled`; for a record also `plan-required`, `record-limit`,
 * `record-not-allowed`
 */
export async function undoEvent(
  services: Services,
  call: UndoCall,
  undoing: Undoing,
): Promise<OwnedDomain> {
  const { knex, now } = services
  const { principal, actor } = undoing
  const reach = reachOf(principal)
  const { id, event_id } = call
  requireUnlocked(await findDomain(knex, reach, { id }))
  // Events do not change.
  const [event] = await query<EventRow>(knex, EVENT, [now(), id, reach.userId, event_id])
  if (event === undefined) throw notFound('event')
  if (isAboutForward(event)) await undoForwardEvent(services, call, event, undoing)
  else if (event.kind.startsWith('record-')) await undoRecordEvent(services, call, event, undoing)
  else await undoOwnEvent(services, reach, call, event, actor)
  return findDomain(knex, reach, { id })
}
