/** The history of names: an event for every creation, deletion and restoration. */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import type { Actor } from './address-change.ts'

type EventKind = 'created' | 'wildcard_created' | 'deleted' | 'undeleted'

/** Records events of domains, with their present addresses. */
export async function recordEvents(
  trx: Knex.Transaction,
  kind: EventKind,
  domainIds: readonly string[],
  actor: Actor,
): Promise<void> {
  // A deletion has old addresses, a creation has new ones.
  await query(
    trx,
    `insert into domain_events (domain_id, user_id, fqdn, kind, actor, actor_id, source_ip, client,
                                old_ipv4, old_ipv6, new_ipv4, new_ipv6)
     select id, user_id, fqdn, kind, ?, ?, ?, ?,
            case when kind = 'deleted' then record_ipv4 end, case when kind = 'deleted' then record_ipv6 end,
            case when kind <> 'deleted' then record_ipv4 end, case when kind <> 'deleted' then record_ipv6 end
     from domains, (select ?::text as kind) as k where id = any (?::bigint[]) order by id`,
    [actor.kind, actor.id, actor.sourceIp, actor.client, kind, domainIds],
  )
}
