/** Due checks: each is claimed by one worker, which holds it for the time of its lease. */
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import { ascending } from './ascending.ts'
import type { DueMonitor } from './check-result.ts'

// A lease that ends far ahead was made before the clock went back.
const CLAIM = `
  with due as (
    select s.monitor_id from monitor_schedule s
    where s.due_at <= now()
      and (s.leased_until is null or s.leased_until < now() or s.leased_until > now() + make_interval(secs => 2 * ?::double precision))
      and not exists (
        select from maintenance_windows w
        where w.monitor_id = s.monitor_id and w.next_starts_at <= now() and w.next_ends_at > now())
    order by s.due_at limit ? for update skip locked
  ), claimed as (
    update monitor_schedule s set lease = ?, leased_until = now() + make_interval(secs => ?)
    from due where s.monitor_id = due.monitor_id
    returning s.*
  ), heartbeat as (
    select c.monitor_id,
           -- Without a heartbeat, greatest() alone would say 0.
           case when l.last_at is not null then greatest(0, extract(epoch from now() - l.last_at) * 1000) end::double precision as age_ms,
           greatest(0, extract(epoch from now() - c.started_at) * 1000)::double precision as running_ms
    from claimed c join monitors m on m.id = c.monitor_id
    left join update_call_rings r on r.domain_id = m.domain_id and m.kind = 'heartbeat'
    cross join lateral (
      select case m.heartbeat_source when 'url' then c.last_heartbeat_at else r.accepted_at end as last_at
    ) as l
  )
  select m.id, m.domain_id, m.user_id, d.fqdn, host(d.record_ipv4) as record_ipv4, host(d.record_ipv6) as record_ipv6,
         d.is_forwarded,
         case when m.kind = 'dns' then
           case when d.is_forwarded then coalesce((select array_agg(host(address)) from forward_addresses), '{}')
             else array_remove(array[host(d.record_ipv4), host(d.record_ipv6)], null) end
         end as published,
         m.kind, m.port, m.path, m.expected_status, m.follows_redirects, m.body_text, m.address_family,
         m.heartbeat_source, m.heartbeat_period_seconds, m.heartbeat_grace_seconds,
         h.age_ms as heartbeat_age_ms, h.running_ms,
         m.state, c.streak,
         greatest(0, extract(epoch from now() - c.due_at) * 1000)::double precision as lag_ms
  from claimed c
  join monitors m on m.id = c.monitor_id
  join domains d on d.id = m.domain_id
  join heartbeat h on h.monitor_id = c.monitor_id
  order by c.due_at`

export interface Claim {
  /** A UUID of this claim. */
  readonly lease: string
  readonly limit: number
  readonly leaseMs: number
}

/** Claims the checks that have been due for longest. Workers that call it at once get different ones. */
export async function claimDue(
  knex: Knex,
  { lease, limit, leaseMs }: Claim,
): Promise<DueMonitor[]> {
  const leaseSeconds = leaseMs / 1_000
  return query<DueMonitor>(
    knex,
    CLAIM,
    [leaseSeconds, limit, lease, leaseSeconds],
    'claim monitors',
  )
}

/** Gives claimed checks back, because the worker stops: they are due now for the others. */
export async function giveBack(
  knex: Knex,
  lease: string,
  monitorIds: readonly string[],
): Promise<void> {
  await query(
    knex,
    `with held as (
       select monitor_id from monitor_schedule where lease = ? and monitor_id = any (?::bigint[])
       order by monitor_id for update
     )
     update monitor_schedule s set lease = null, leased_until = null
     from held where s.monitor_id = held.monitor_id`,
    [lease, ascending(monitorIds)],
  )
}
