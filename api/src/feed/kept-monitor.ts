/*
 * The monitor of a deleted domain (`deleted_domains.monitor`, `zone_claims.kept`), which comes back with it.
 *
 * Only its settings and its maintenance windows are kept: its states and counts end with the domain. It comes back as off,
 * and the worker starts it.
 */
import { qualified } from '../database/sql.ts'

const MONITOR = `is_enabled, kind, port, path, expected_status, follows_redirects, body_text, address_family,
  certificate_warning_days, interval_seconds, confirmations, recoveries, heartbeat_source, heartbeat_period_seconds,
  heartbeat_grace_seconds, heartbeat_token_hash, notifies_down, notifies_up`
const WINDOW =
  'starts_at, ends_at, repeats, time_zone, note, next_starts_at, next_ends_at, created_at'

/** The monitor of a domain `d` as JSON; null when it has none. */
export const KEPT_MONITOR = `
  (select jsonb_build_object('windows', (
            select coalesce(jsonb_agg(to_jsonb(x)), '[]')
            from (select ${WINDOW} from maintenance_windows w where w.monitor_id = m.id order by w.id) as x))
          || to_jsonb(m)
   from (select id, ${MONITOR} from monitors where domain_id = d.id) as m)`

/**
 * Parts of a `with` clause that make kept monitors again.
 *
 * @param back a part with the `id` and the `user_id` of each domain that came back, and its `monitor` as JSON or null
 */
export const monitorsOf = (back: string): string => `
  watched as (
    insert into monitors (domain_id, user_id, state, ${MONITOR})
    select b.id, b.user_id, 'off', ${qualified(MONITOR, 'm')}
    from ${back} b cross join lateral jsonb_populate_record(null::monitors, b.monitor) as m where b.monitor is not null
    returning id, domain_id
  ), windows as (
    insert into maintenance_windows (monitor_id, ${WINDOW})
    select n.id, ${qualified(WINDOW, 'w')}
    from watched n join ${back} b on b.id = n.domain_id
    cross join lateral jsonb_populate_recordset(null::maintenance_windows, b.monitor -> 'windows') as w
  )`
