/** The history of a domain, newest first. */
import type { DomainActor, DomainEventKind } from '@homing/openapi/vocabulary'
import type { Reach } from '../../rules/key-scope.ts'
import { type EventPage, eventPageOf } from '../../plugins/event-page.ts'
import type { ListQuery } from '../../plugins/list-query.ts'
import { query } from '../../database/sql.ts'
import type { Services } from '../../compose.ts'
import { findDomain } from './find-domain.ts'

// The names of keys and policies are read for the page alone.
const PAGE = `
  with page as (
    select * from domain_events where domain_id = ? and user_id = ? and id < ? order by id desc limit ?
  )
  select e.id, e.happened_at as at, e.kind, e.actor, coalesce(k.name, p.name) as actor_name,
         case when e.actor <> 'administrator' then host(e.source_ip) end as source_ip,
         case when e.actor <> 'administrator' then e.client end as client,
         host(e.old_ipv4) as old_ipv4, host(e.old_ipv6) as old_ipv6,
         host(e.new_ipv4) as new_ipv4, host(e.new_ipv6) as new_ipv6, e.detail, e.undoes
  from page e
  left join api_keys k on e.actor = 'api_key' and k.id = e.actor_id and k.user_id = e.user_id
  left join trust_policies p on e.actor = 'pipeline' and p.id = e.actor_id and p.user_id = e.user_id
  order by e.id desc`

/** An event, with the country of its source address. */
export interface ListedEvent {
  readonly id: string
  readonly at: Date
  readonly kind: DomainEventKind
  readonly actor: DomainActor
  readonly actor_name: string | null
  readonly source_ip: string | null
  readonly source_cc: string | null
  readonly client: string | null
  readonly old_ipv4: string | null
  readonly old_ipv6: string | null
  readonly new_ipv4: string | null
  readonly new_ipv6: string | null
  readonly detail: { readonly old: unknown; readonly new: unknown } | null
  readonly undoes: string | null
}

/**
 * A page of the history of one of the account's domains.
 *
 * @throws Refusal `not-found`, `validation-failed` for a query that cannot be read
 */
export async function listEvents(
  { knex, countryOf }: Services,
  reach: Reach,
  domainId: string,
  asked: ListQuery,
): Promise<EventPage<ListedEvent>> {
  const { before, limit } = eventPageOf(asked)
  await findDomain(knex, reach, { id: domainId })
  const values = [domainId, reach.userId, before, limit + 1]
  const rows = await query<Omit<ListedEvent, 'source_cc'>>(knex, PAGE, values, 'domain-events')
  const events = await Promise.all(
    rows.slice(0, limit).map(async (row) => ({
      ...row,
      source_cc: row.source_ip === null ? null : await countryOf(row.source_ip),
    })),
  )
  return { events, hasMore: rows.length > limit }
}
