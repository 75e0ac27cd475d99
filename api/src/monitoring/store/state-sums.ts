/** The time in each state before a moment, read from one interval of each monitor. */
import { GAP_TOLERANCE_MS } from '../../rules/monitor-state.ts'

const ms = (interval: string) => `(extract(epoch from ${interval}) * 1000)::bigint`

/**
 * SQL: joins the sums of a monitor at some moments as `sums`, in milliseconds since its first interval. Monitors without
 * intervals are left out.
 *
 * An interval that has not ended goes on only while its monitor is checked: after a result is overdue, the time is unknown,
 * as it will be when the result arrives. Before the oldest interval that is kept, the sums are those at its begin.
 *
 * @param monitor an expression: the id of the monitor
 * @param moments a table of the statement with the column `at`, which is not in the future
 */
export const sumsAt = (monitor: string, moments: string) => `
  cross join lateral (
    select since from monitor_intervals where monitor_id = ${monitor} order by since limit 1
  ) as oldest
  cross join ${moments} as moment
  cross join lateral (
    select i.up_ms_before + case i.state when 'up' then e.known_ms else 0 end as up_ms,
           i.down_ms_before + case i.state when 'down' then e.known_ms else 0 end as down_ms,
           i.unknown_ms_before + case i.state when 'unknown' then e.known_ms when 'off' then 0 else e.lost_ms end as unknown_ms,
           i.maintenance_ms_before + case i.state when 'maintenance' then e.known_ms else 0 end as maintenance_ms
    from (
      select * from monitor_intervals
      where monitor_id = ${monitor} and since <= greatest(moment.at, oldest.since)
      order by since desc limit 1
    ) as i
    left join monitor_schedule s on i.until is null and s.monitor_id = i.monitor_id
      and s.expected_by < now() - interval '${GAP_TOLERANCE_MS} milliseconds'
    cross join lateral (
      select greatest(i.since, least(i.until, moment.at)) as ended_at,
             greatest(i.since, least(i.until, moment.at, s.expected_by)) as known_at
    ) as b
    cross join lateral (select ${ms('b.known_at - i.since')} as known_ms, ${ms('b.ended_at - b.known_at')} as lost_ms) as e
  ) as sums`
