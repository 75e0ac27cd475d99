/** Rows of `monitor_notifications`: one for each transition and channel. */
import type { MonitorMessage } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'

export interface Announcement {
  readonly monitor_id: string
  readonly user_id: string
  readonly message: MonitorMessage
  /** The interval that began; null: the message is about something else. */
  readonly interval_id: string | null
  /** What it is about: with the message, it makes the row unique. Null: it is not stored. */
  readonly subject: string | null
  readonly due_at: Date
}

// A monitor that is down again after the service could not check it, or after maintenance, is not announced again. It is
// up for its owner only if it was down before.
const ANNOUNCE = `
  insert into monitor_notifications (monitor_id, user_id, message, subject, due_at)
  select g.monitor_id, g.user_id, g.message, g.subject, g.due_at
  from json_to_recordset(?::json) as g(
    monitor_id bigint, user_id bigint, message text, interval_id bigint, subject text, due_at timestamptz)
  left join lateral (
    select i.state from monitor_intervals i
    where i.monitor_id = g.monitor_id and i.id <> g.interval_id and i.state in ('up', 'down', 'off')
      and i.since <= (select since from monitor_intervals where id = g.interval_id)
    order by i.since desc limit 1
  ) as former on true
  where g.subject is not null and case g.message
    when 'down' then former.state is distinct from 'down'
    when 'up' then former.state = 'down'
    else true end
  order by g.monitor_id
  on conflict (monitor_id, message, subject, channel) do nothing`

/** Stores what is to be sent. The same announcement again changes nothing. */
export async function announce(
  trx: Knex.Transaction,
  announcements: readonly Announcement[],
): Promise<void> {
  if (announcements.length > 0) await query(trx, ANNOUNCE, [JSON.stringify(announcements)])
}
