/** Records follow their domains: a new domain takes over those at and below it, and a deleted one takes them along. */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { isWithin } from '../models/record.ts'

// Of several new domains above a record, the nearest takes it.
const ADOPT = `
  update records r set domain_id = n.domain_id
  from (
    select distinct on (r.id) r.id, d.id as domain_id
    from domains d
    join records r on r.zone_id = d.zone_id and r.user_id = d.user_id and r.user_id is not null
      and ${isWithin('r.owner', 'd.fqdn')}
    where d.id = any (?::bigint[]) and not d.is_wildcard
      and not exists (select from domains nearer where nearer.id = r.domain_id and length(nearer.fqdn) > length(d.fqdn))
    order by r.id, length(d.fqdn) desc
  ) as n
  where r.id = n.id`

/** Gives new domains the records at and below them that belonged to a domain above or to the zone. The caller publishes the domains. */
export async function adoptRecords(
  trx: Knex.Transaction,
  domainIds: readonly string[],
): Promise<void> {
  await query(trx, ADOPT, [domainIds], 'adopt-records')
}
