/** Uptime monitoring in the archive of an account. */
import { byId, type Part } from './archive-part.ts'

export const MONITORS: readonly Part[] = [
  {
    field: 'monitors',
    tables: ['monitors', 'monitor_schedule'],
    sql: byId(
      `x.id, x.domain_id, x.is_enabled, x.kind, x.port, x.path, x.expected_status, x.follows_redirects, x.body_text,
       x.address_family, x.certificate_warning_days, x.interval_seconds, x.confirmations, x.recoveries,
       x.heartbeat_source, x.heartbeat_period_seconds, x.heartbeat_grace_seconds, x.notifies_down, x.notifies_up,
       x.state, x.state_since, x.stopped_by, x.cause, x.cause_text, x.certificate_expires_at, x.version, x.created_at,
       s.last_check_at, s.last_heartbeat_at`,
      'monitors x left join monitor_schedule s on s.monitor_id = x.id',
    ),
  },
  {
    field: 'monitor_states',
    tables: ['monitor_intervals'],
    sql: byId(
      'x.monitor_id, x.state, x.since, x.until, x.cause, x.cause_text',
      'monitor_intervals x join monitors m on m.id = x.monitor_id',
      'm.user_id',
    ),
  },
  {
    field: 'maintenance_windows',
    tables: ['maintenance_windows'],
    sql: byId(
      'x.id, x.monitor_id, x.starts_at, x.ends_at, x.repeats, x.time_zone, x.note, x.created_at',
      'maintenance_windows x join monitors m on m.id = x.monitor_id',
      'm.user_id',
    ),
  },
  {
    field: 'monitor_notifications',
    tables: ['monitor_notifications'],
    sql: byId(
      'x.id, x.monitor_id, x.message, x.channel, x.recipient, x.created_at, x.outcome, x.sent_at',
      'monitor_notifications x',
    ),
  },
]
