/** Sends notifications about monitors by mail, with the job `mail`, whose id is the Message-ID. */
import type { Knex } from 'knex'
import { query } from '../../../database/sql.ts'
import type { JobServices } from '../../../compose.ts'
import type { MonitorNotice } from '../../../queue/notices.ts'
import type { Channel, Delivery } from './channel.ts'

export const mailChannel = ({ jobs }: Pick<JobServices, 'jobs'>): Channel => ({
  async take(trx, delivery) {
    await jobs.enqueue(trx, 'mail', { kind: 'monitors', ...delivery })
  },
})

// A monitor whose domain was deleted meanwhile is not mentioned.
const READ = `
  select n.message, d.fqdn, coalesce(i.since, n.created_at) as at, i.cause_text,
         case n.message when 'certificate' then n.subject end as expires_at,
         case n.message when 'up' then (
           select f.since from monitor_intervals f
           where f.monitor_id = n.monitor_id and f.state = 'down' and f.since <= i.since and f.id <> i.id
           order by f.since desc, f.id desc limit 1) end as down_since
  from monitor_notifications n
  join monitors m on m.id = n.monitor_id
  join domains d on d.id = m.domain_id
  left join monitor_intervals i
    on i.monitor_id = n.monitor_id and i.id::text = n.subject and n.message in ('down', 'up')
  where n.user_id = ? and n.id = any (?::bigint[]) and n.outcome = 'waiting'
  order by n.id`

interface NoticeRow {
  readonly message: MonitorNotice['message']
  readonly fqdn: string
  readonly at: Date
  readonly cause_text: string | null
  readonly expires_at: string | null
  readonly down_since: Date | null
}

/** What the mail of a delivery says. Empty: nothing is left to say, or a worker has sent it and stored that. */
export async function noticesOf(
  knex: Knex,
  { userId, notificationIds }: Delivery,
): Promise<MonitorNotice[]> {
  const rows = await query<NoticeRow>(knex, READ, [userId, notificationIds])
  return rows.map((row) => ({
    message: row.message,
    fqdn: row.fqdn,
    at: row.expires_at ?? row.at.toISOString(),
    downSince: row.down_since?.toISOString() ?? null,
    causeText: row.message === 'down' ? row.cause_text : null,
  }))
}

/** Stores that a mail was sent. @param to the address of the recipient */
export async function noteSent(
  knex: Knex,
  { userId, notificationIds }: Delivery,
  to: string,
): Promise<void> {
  await query(
    knex,
    `update monitor_notifications set outcome = ?, sent_at = now(), recipient = ?
     where user_id = ? and id = any (?::bigint[]) and outcome = 'waiting'`,
    [notificationIds.length > 1 ? 'merged' : 'sent', to, userId, notificationIds],
  )
}

/** Stores that no mail can be sent to the account. */
export async function noteFailed(knex: Knex, { userId, notificationIds }: Delivery): Promise<void> {
  await query(
    knex,
    `update monitor_notifications set outcome = 'failed'
     where user_id = ? and id = any (?::bigint[]) and outcome = 'waiting'`,
    [userId, notificationIds],
  )
}
