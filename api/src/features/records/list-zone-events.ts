/** The history of an own zone, newest first: the records that belong to no domain. */
import type { RecordSettings, ZoneEvent } from '@homing/openapi'
import type { DomainActor, ZoneEventKind } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import type { Services } from '../../compose.ts'
import type { FoundPlace } from '../../models/record-place.ts'
import { type EventPage, eventPageOf } from '../../plugins/event-page.ts'
import type { ListQuery } from '../../plugins/list-query.ts'
import type { Reach } from '../../rules/key-scope.ts'
import { findPlace, holdsOwner } from './find-place.ts'

/** The record that an event is about: as it was after the event, or before a deletion. */
export const SUBJECT = `coalesce(nullif(detail -> 'new', 'null'), detail -> 'old')`

// The names of keys and policies are read for the page alone.
const shown = (page: string) => `
  with page as (select * from zone_events where claim_id = ? and user_id = ? and ${page})
  select e.id, e.happened_at as at, e.kind, e.actor, coalesce(k.name, p.name) as actor_name,
         case when e.actor <> 'administrator' then host(e.source_ip) end as source_ip,
         case when e.actor <> 'administrator' then e.client end as client, e.detail, e.undoes
  from page e
  left join api_keys k on e.actor = 'api_key' and k.id = e.actor_id and k.user_id = e.user_id
  left join trust_policies p on e.actor = 'pipeline' and p.id = e.actor_id and p.user_id = e.user_id
  order by e.id desc`

const PAGE = shown(
  `id < ? and (?::text[] is null or ${SUBJECT} ->> 'owner' = any (?::text[])) order by id desc limit ?`,
)
const UNDO = shown('id > ? and undoes = ? order by id limit 1')

interface EventRow {
  readonly id: string
  readonly at: Date
  readonly kind: ZoneEventKind
  readonly actor: DomainActor
  readonly actor_name: string | null
  readonly source_ip: string | null
  readonly client: string | null
  readonly detail: { readonly old: RecordSettings | null; readonly new: RecordSettings | null }
  readonly undoes: string | null
}

const OWNERS = `select distinct ${SUBJECT} ->> 'owner' as owner from zone_events where claim_id = ? and user_id = ?`

/** The owner names in the scope of a key; null: all of them. */
async function ownersInScope(
  db: Knex,
  reach: Reach,
  place: FoundPlace,
): Promise<readonly string[] | null> {
  if (reach.scope === undefined || reach.scope.domains === null) return null
  const values = [place.claimId, place.userId]
  const rows = await query<{ owner: string }>(db, OWNERS, values, 'zone-event-owners')
  return rows.flatMap(({ owner }) => (holdsOwner(reach, place, owner, undefined) ? [owner] : []))
}

async function bodyOf(
  { countryOf }: Pick<Services, 'countryOf'>,
  { at, detail, ...event }: EventRow,
): Promise<ZoneEvent> {
  const { source_ip } = event
  return {
    ...event,
    at: at.toISOString(),
    source_cc: source_ip === null ? null : await countryOf(source_ip),
    old: { record: detail.old },
    new: { record: detail.new },
  }
}

/**
 * A page of the history of one of the account's own zones.
 *
 * @throws Refusal `not-found`, `validation-failed` for a query that cannot be read
 */
export async function listZoneEvents(
  services: Services,
  reach: Reach,
  claimId: string,
  asked: ListQuery,
): Promise<EventPage<ZoneEvent>> {
  const { knex } = services
  const { before, limit } = eventPageOf(asked)
  const place = await findPlace(knex, reach, { claimId })
  const owners = await ownersInScope(knex, reach, place)
  const values = [claimId, reach.userId, before, owners, owners, limit + 1]
  const rows = await query<EventRow>(knex, PAGE, values, 'zone-events')
  const events = rows.slice(0, limit).map(async (row) => bodyOf(services, row))
  return { events: await Promise.all(events), hasMore: rows.length > limit }
}

/** The event that undid an event of an own zone; undefined: it was not undone. */
export async function findZoneUndo(
  services: Services,
  { userId }: Reach,
  claimId: string,
  eventId: string,
): Promise<ZoneEvent | undefined> {
  const values = [claimId, userId, eventId, eventId]
  const [row] = await query<EventRow>(services.knex, UNDO, values, 'zone-event-undo')
  return row && bodyOf(services, row)
}
