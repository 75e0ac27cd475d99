/** The time of monitors by state, from the sums before their intervals. */
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import { NO_TIME, type StateSums, timeBetween } from '../../rules/uptime.ts'

// The interval in which a moment lies has the sums of all time before it.
const SUMS_AT = `
  select a.monitor_id, a.at,
         (i.up_ms_before + case i.state when 'up' then t.ms else 0 end)::double precision as "upMs",
         (i.down_ms_before + case i.state when 'down' then t.ms else 0 end)::double precision as "downMs",
         (i.unknown_ms_before + case i.state when 'unknown' then t.ms else 0 end)::double precision as "unknownMs",
         (i.maintenance_ms_before + case i.state when 'maintenance' then t.ms else 0 end)::double precision as "maintenanceMs"
  from (select m.id as monitor_id, t.at from unnest(?::bigint[]) as m(id) cross join unnest(?::timestamptz[]) as t(at)) a
  cross join lateral (
    select * from monitor_intervals i where i.monitor_id = a.monitor_id and i.since <= a.at order by i.since desc, i.id desc limit 1
  ) as i
  cross join lateral (
    select floor(extract(epoch from least(a.at, coalesce(i.until, now())) - i.since) * 1000) as ms
  ) as t`

/** The sums of monitors at some moments, by monitor and moment (milliseconds since 1970). */
async function sumsAt(knex: Knex, monitorIds: readonly string[], moments: readonly Date[]) {
  const rows = await query<StateSums & { monitor_id: string; at: Date }>(knex, SUMS_AT, [
    monitorIds,
    moments,
  ])
  const sums = new Map(rows.map((row) => [`${row.monitor_id} ${row.at.getTime()}`, row]))
  return (monitorId: string, at: Date): StateSums =>
    sums.get(`${monitorId} ${at.getTime()}`) ?? NO_TIME
}

/** The time of each monitor by state between two moments. */
export async function durationsOf(
  knex: Knex,
  monitorIds: readonly string[],
  from: Date,
  to: Date,
): Promise<Map<string, StateSums>> {
  const at = await sumsAt(knex, monitorIds, [from, to])
  return new Map(monitorIds.map((id) => [id, timeBetween(at(id, from), at(id, to))]))
}
