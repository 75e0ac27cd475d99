/*
 * Writes the rows of web forwards. One statement writes a row and its event in the history of the domain, and returns the
 * row as it is then. The caller holds the domain, so the row that it read is the present one.
 */
import type { Knex } from 'knex'
import { query, type SqlValue } from '../database/sql.ts'
import { everyColumnOf } from '../models/table.ts'
import { WebForward, type WebForwardRow } from '../models/web-forward.ts'
import type { Actor } from './address-change.ts'
import type { DomainRow } from './rows.ts'

/** What the owner of a forward sets. */
export const SETTINGS = [
  'target_url',
  'forwarding_type',
  'status_code',
  'title',
  'description',
  'keywords',
  'forward_path',
  'forward_query',
  'is_active',
] as const

/** What the examination of its target found. */
export const FINDINGS = ['fallback', 'checked_at', 'check_result'] as const

/**
 * The settings of a forward and what the examination of its target found. A caller gives `fallback` as the
 * examination found it; `feed/forwards.ts` decides whether a stealth forward has a flag of the plan.
 */
export type ForwardSettings = Pick<
  WebForwardRow,
  (typeof SETTINGS)[number] | (typeof FINDINGS)[number]
>

/** A forward as an event of the domain's history keeps it. Undo restores these settings. */
export type RecordedForward = Pick<WebForwardRow, (typeof SETTINGS)[number] | 'disabled_reason'>

export type ForwardEventKind = 'forward-started' | 'forward-changed' | 'forward-ended'

/** An event of the history of a domain. */
export interface ForwardEvent {
  readonly kind: ForwardEventKind
  readonly base: DomainRow
  /** Undefined: the domain had no forward. */
  readonly before: RecordedForward | undefined
  /** Undefined: the domain has no forward any more. */
  readonly after: RecordedForward | undefined
  readonly actor: Actor
  /** The event that this one undoes. */
  readonly undoes: string | undefined
}

const RECORDED = [...SETTINGS, 'disabled_reason'] as const

const recorded = (forward: RecordedForward | undefined) =>
  forward === undefined ? null : Object.fromEntries(RECORDED.map((name) => [name, forward[name]]))

const EVENT = `
    insert into domain_events (domain_id, user_id, fqdn, kind, actor, actor_id, source_ip, client, detail, undoes)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

const WITH_EVENT = `
  with event as (${EVENT}
  )`

function valuesOf({ kind, base, before, after, actor, undoes }: ForwardEvent): SqlValue[] {
  const detail = JSON.stringify({ old: recorded(before), new: recorded(after) })
  const { kind: by, id, sourceIp, client } = actor
  const { id: domainId, user_id, fqdn } = base
  return [domainId, user_id, fqdn, kind, by, id, sourceIp, client, detail, undoes ?? null]
}

/** Writes an event of a forward that has no row. */
export async function recordForwardEvent(
  trx: Knex.Transaction,
  event: ForwardEvent,
): Promise<void> {
  await query(trx, EVENT, valuesOf(event))
}

const RETURNING = `returning ${everyColumnOf(WebForward, 'f')}`

const WRITTEN = [...SETTINGS, ...FINDINGS] as const
const GIVEN = 'json_populate_record(null::web_forwards, ?::json) as w'

const INSERT = `
  insert into web_forwards as f (domain_id, user_id, ${WRITTEN.join(', ')})
  select ?, ?, ${WRITTEN.map((name) => `w.${name}`).join(', ')} from ${GIVEN} ${RETURNING}`

// Another target begins its first seven days.
const UPDATE = `
  update web_forwards f
  set ${WRITTEN.map((name) => `${name} = w.${name}`).join(', ')}, version = f.version + ?::int,
      target_set_at = case when f.target_url = w.target_url then f.target_set_at else now() end
  from ${GIVEN} where f.id = ? ${RETURNING}`

const DISABLE = `
  update web_forwards f
  set disabled_at = case when g.reason is not null then now() end, disabled_reason = g.reason, disabled_by = g.by_id,
      blocked_target_id = g.blocked_id, version = f.version + 1
  from (select ?::text as reason, ?::bigint as by_id, ?::bigint as blocked_id) as g where f.id = ? ${RETURNING}`

const DELETE = `delete from web_forwards f where f.id = ? ${RETURNING}`

interface Statement {
  readonly name: string
  readonly text: string
  readonly values: readonly SqlValue[]
}

/** @param event undefined: the history does not record the change */
async function written(
  trx: Knex.Transaction,
  { name, text, values }: Statement,
  event: ForwardEvent | undefined,
): Promise<WebForwardRow> {
  const [row] =
    event === undefined
      ? await query<WebForwardRow>(trx, text, values, name)
      : await query<WebForwardRow>(
          trx,
          WITH_EVENT + text,
          [...valuesOf(event), ...values],
          `${name} with event`,
        )
  if (row === undefined) throw new Error('the forward is gone although its domain is locked')
  return row
}

/** Only the columns that a caller can write. */
const givenOf = (settings: ForwardSettings): string =>
  JSON.stringify(Object.fromEntries(WRITTEN.map((name) => [name, settings[name]])))

/** @throws DatabaseError (unique violation of `web_forwards_domain_id_key`) when the domain has a forward */
export const insertForward = (
  trx: Knex.Transaction,
  settings: ForwardSettings,
  event: ForwardEvent,
): Promise<WebForwardRow> =>
  written(
    trx,
    {
      name: 'insert-forward',
      text: INSERT,
      values: [event.base.id, event.base.user_id, givenOf(settings)],
    },
    event,
  )

/** @param isNewVersion false: clients see no difference that another change could overwrite */
export const updateForward = (
  trx: Knex.Transaction,
  { id }: Pick<WebForwardRow, 'id'>,
  settings: ForwardSettings,
  isNewVersion: boolean,
  event: ForwardEvent | undefined,
): Promise<WebForwardRow> =>
  written(
    trx,
    { name: 'update-forward', text: UPDATE, values: [isNewVersion ? 1 : 0, givenOf(settings), id] },
    event,
  )

/** Why an administrator stops a forward. */
export interface ForwardDisabling {
  readonly reason: string
  /** Id of the administrator; null: that account was deleted. */
  readonly by: string | null
  /** The blocked target that stops it; null: the administrator disabled the forward itself. */
  readonly blockedTargetId: string | null
}

/**
 * @param disabling undefined: the forward runs again
 * @param event undefined: the history does not record the change
 */
export const writeDisabling = (
  trx: Knex.Transaction,
  { id }: Pick<WebForwardRow, 'id'>,
  disabling: ForwardDisabling | undefined,
  event?: ForwardEvent,
): Promise<WebForwardRow> =>
  written(
    trx,
    {
      name: 'disable-forward',
      text: DISABLE,
      values: [
        disabling?.reason ?? null,
        disabling?.by ?? null,
        disabling?.blockedTargetId ?? null,
        id,
      ],
    },
    event,
  )

/** Deletes a forward. @returns the row as it was */
export const deleteForwardRow = (
  trx: Knex.Transaction,
  { id }: Pick<WebForwardRow, 'id'>,
  event: ForwardEvent,
): Promise<WebForwardRow> =>
  written(trx, { name: 'delete-forward', text: DELETE, values: [id] }, event)
