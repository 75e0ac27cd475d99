/** The times of updates of which the log has no call. */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'

// A time that is less than an hour old stays: what is unchanged costs a read, not a write.
const NOTE = `
  insert into update_call_rings (domain_id, accepted_at)
  select d.id, u.at
  from unnest(?::text[], ?::timestamptz[]) as u(fqdn, at)
  join domains d on d.fqdn = u.fqdn and not d.is_wildcard
  left join update_call_rings r on r.domain_id = d.id
  where coalesce(r.accepted_at, '-infinity') < u.at - interval '1 hour'
  order by d.id
  on conflict (domain_id) do update set accepted_at = greatest(update_call_rings.accepted_at, excluded.accepted_at)`

/**
 * Stores when names got an update of which the log has no call.
 *
 * @throws Error of PostgreSQL
 */
export async function storeUpdateTimes(
  knex: Knex,
  times: readonly (readonly [fqdn: string, at: Date])[],
): Promise<void> {
  await query(knex, NOTE, [times.map(([fqdn]) => fqdn), times.map(([, at]) => at.toISOString())])
}
