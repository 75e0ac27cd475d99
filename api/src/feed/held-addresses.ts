/**
 * Changes the addresses of domains whose rows this transaction has locked, as one part of a larger change. The changes
 * were judged after locking (`judge`). It writes what `write_addresses` writes, but publishes nothing: a transaction
 * publishes once, at its end.
 */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { entryOf } from './address-batch.ts'
import { type AddressChange, CHANGE_REFILL_SECONDS } from './address-change.ts'

// Goes through an array, for which PostgreSQL looks domains up by key (`address-batch.ts`).
const WRITE = `
  with present as materialized (
    select c.*, d.fqdn, d.record_ipv4, d.record_ipv6,
           case when c.sets_ipv4 then c.ipv4 else d.record_ipv4 end as new_ipv4,
           case when c.sets_ipv6 then c.ipv6 else d.record_ipv6 end as new_ipv6
    from unnest(array(select c from json_populate_recordset(null::address_change, ?::json) as c)) as c
    join domains d on d.id = c.domain_id
  ), target as (
    select domain_id, new_ipv4, new_ipv6, client, actor from present
    union all
    select w.id, p.new_ipv4, p.new_ipv6, p.client, p.actor from present p join domains w on w.base_id = p.domain_id
  ), history as (
    insert into domain_events (domain_id, user_id, fqdn, kind, actor, actor_id, source_ip, client,
                               old_ipv4, old_ipv6, new_ipv4, new_ipv6)
    select domain_id, user_id, fqdn, 'address', actor, actor_id, source_ip, client,
           record_ipv4, record_ipv6, new_ipv4, new_ipv6
    from present order by n
  )
  update domains d
  set record_ipv4 = t.new_ipv4, record_ipv6 = t.new_ipv6, version = d.version + 1, last_update_at = now(),
      last_update_client = case when t.actor = 'administrator' then null else t.client end,
      allowance_full_at = greatest(d.allowance_full_at, now()) + make_interval(secs => ?::int)
  from target t where d.id = t.domain_id
  returning d.id`

/**
 * Changes addresses, and those of the wildcards. The caller holds the rows of both.
 *
 * @returns the ids of all changed rows, for `publish`
 */
export async function changeHeldAddresses(
  trx: Knex.Transaction,
  changes: readonly AddressChange[],
): Promise<string[]> {
  if (changes.length === 0) return []
  const entries = changes.map((change, n) => entryOf({ change, seenVersion: undefined }, n))
  const rows = await query<{ id: string }>(trx, WRITE, [
    JSON.stringify(entries),
    CHANGE_REFILL_SECONDS,
  ])
  return rows.map(({ id }) => id)
}
