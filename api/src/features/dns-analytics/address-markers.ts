/** When the addresses of domains changed, for charts of their queries. */
import type { QuerySeries } from '@homing/openapi'
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import type { ReachedDomain } from './reached-domains.ts'

/** More would hide the chart. */
const MARKERS_LIMIT = 100

// A limit for each domain, because some are updated every minute.
const CHANGES = `
  select e.domain_id::text, e.happened_at as at, e.address
  from unnest(?::bigint[]) as d(id)
  cross join lateral (
    select domain_id, happened_at,
           concat_ws(', ', case when new_ipv4 is distinct from old_ipv4 then host(new_ipv4) end,
                           case when new_ipv6 is distinct from old_ipv6 then host(new_ipv6) end) as address
    from domain_events
    where domain_id = d.id and kind in ('created', 'address', 'undeleted') and happened_at >= ? and happened_at < ?
      and (new_ipv4 is distinct from old_ipv4 and new_ipv4 is not null
           or new_ipv6 is distinct from old_ipv6 and new_ipv6 is not null)
    order by id desc limit ${MARKERS_LIMIT}
  ) as e
  order by e.happened_at desc limit ${MARKERS_LIMIT}`

/** The newest changes in a range of time, the oldest of them first. */
export async function addressMarkers(
  knex: Knex,
  domains: readonly ReachedDomain[],
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<QuerySeries['markers']> {
  const ids = domains.map(({ id }) => id)
  const rows = await query<{ domain_id: string; at: Date; address: string }>(knex, CHANGES, [
    ids,
    from,
    to,
  ])
  const names = new Map(domains.map(({ id, fqdn }) => [id, fqdn]))
  return rows.toReversed().map(({ domain_id, at, address }) => ({
    at: at.toISOString(),
    domain_id,
    fqdn: names.get(domain_id) ?? '',
    address,
  }))
}
