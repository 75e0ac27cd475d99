/**
 * Sends the notifications about monitors that are due.
 *
 * A run decides about all notifications of some accounts at once (`rules/monitor-notices.ts`). In the same transaction it
 * hands those to send to their channel, and marks them as taken: they are due never. The channel stores that they were
 * sent. So a worker that ends in between neither loses a notification nor makes a second mail.
 */
import type { Knex } from 'knex'
import type { JobServices } from '../../compose.ts'
import { query } from '../../database/sql.ts'
import { decideNotices, type WaitingNotice } from '../../rules/monitor-notices.ts'
import type { Channel } from './channels/channel.ts'
import { mailChannel } from './channels/mail.ts'
import { MAILABLE } from './mail-due.ts'

/** Any number that no other lock uses. One worker at a time decides. */
const LOCK = 7_204_619
/** Accounts of one transaction. */
const ACCOUNTS_LIMIT = 100
/** A mail that was not accepted in this time never will be: its job has given up. */
const GIVEN_UP_DAYS = 3

interface WaitingRow extends Omit<WaitingNotice, 'id' | 'monitorId'> {
  readonly id: string
  readonly monitorId: string
  readonly userId: string
  readonly isMailable: boolean
}

// What the mail channel has taken counts as sent.
const WAITING = `
  with account as (
    select user_id, min(due_at) as first_due_at from monitor_notifications
    where outcome = 'waiting' and due_at <= now() group by user_id order by first_due_at limit ${ACCOUNTS_LIMIT}
  )
  select n.id, n.user_id as "userId", n.monitor_id as "monitorId", n.message,
         (extract(epoch from now() - n.due_at) * 1000)::double precision as "overdueMs",
         m.state, m.notifies_down as "notifiesDown", ${MAILABLE} as "isMailable",
         case n.message when 'certificate' then
           m.kind = 'https' and m.state in ('up', 'down', 'unknown', 'maintenance')
             and m.certificate_expires_at is not distinct from n.subject::timestamptz
         else false end as "isPresentCertificate",
         told.message as "lastMessage",
         (extract(epoch from now() - told_down.at) * 1000)::double precision as "lastDownMs"
  from account a
  join monitor_notifications n on n.user_id = a.user_id and n.outcome = 'waiting' and n.due_at < 'infinity'
  join monitors m on m.id = n.monitor_id
  join users u on u.id = n.user_id
  left join lateral (
    select t.message from monitor_notifications t
    where t.monitor_id = n.monitor_id and t.message in ('down', 'up')
      and (t.outcome in ('sent', 'merged') or (t.outcome = 'waiting' and t.due_at = 'infinity'))
    order by t.id desc limit 1
  ) as told on true
  left join lateral (
    select max(coalesce(t.sent_at, now())) as at from monitor_notifications t
    where t.monitor_id = n.monitor_id and t.message = 'down'
      and (t.outcome in ('sent', 'merged') or (t.outcome = 'waiting' and t.due_at = 'infinity'))
  ) as told_down on true
  order by n.user_id, n.id for update of n`

async function setOutcome(
  trx: Knex.Transaction,
  outcome: 'skipped' | 'failed',
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const sql = 'update monitor_notifications set outcome = ? where id = any (?::bigint[])'
  await query(trx, sql, [outcome, ids])
}

/** They are due again after a time in milliseconds. Infinity: never, because a channel has them. */
async function postpone(
  trx: Knex.Transaction,
  each: readonly { readonly id: string; readonly byMs: number }[],
): Promise<void> {
  if (each.length === 0) return
  await query(
    trx,
    `update monitor_notifications n
     set due_at = case when p.ms = 'infinity' then 'infinity' else now() + make_interval(secs => p.ms / 1000) end
     from unnest(?::bigint[], ?::double precision[]) as p(id, ms) where n.id = p.id`,
    [each.map(({ id }) => id), each.map(({ byMs }) => byMs)],
  )
}

/** Decides about the notifications of one account. @returns the number of mails */
async function sendOwn(
  trx: Knex.Transaction,
  channel: Channel,
  rows: readonly WaitingRow[],
): Promise<number> {
  const [first] = rows
  if (first === undefined) return 0
  if (!first.isMailable) {
    const due = rows.filter(({ overdueMs }) => overdueMs >= 0)
    await setOutcome(
      trx,
      'failed',
      due.map(({ id }) => id),
    )
    return 0
  }
  const { mails, skipped, postponed } = decideNotices(rows)
  await setOutcome(trx, 'skipped', skipped)
  const taken = mails.flat().map((id) => ({ id, byMs: Infinity }))
  await postpone(trx, [...postponed, ...taken])
  for (const notificationIds of mails) {
    await channel.take(trx, { userId: first.userId, notificationIds })
  }
  return mails.length
}

/**
 * Sends what is due. While another worker does it, this one does nothing.
 *
 * @returns the number of mails
 */
export async function sendMonitorNotices(
  services: Pick<JobServices, 'knex' | 'jobs'>,
): Promise<number> {
  const channel = mailChannel(services)
  return services.knex.transaction(async (trx) => {
    const [lock] = await query<{ ours: boolean }>(
      trx,
      'select pg_try_advisory_xact_lock(?) as ours',
      [LOCK],
    )
    if (lock?.ours !== true) return 0
    const rows = await query<WaitingRow>(trx, WAITING)
    let mails = 0
    for (const own of Map.groupBy(rows, ({ userId }) => userId).values()) {
      mails += await sendOwn(trx, channel, own)
    }
    return mails
  })
}

/** Notifications whose mail was never accepted have failed. */
export async function giveUpMonitorMails({ knex }: Pick<JobServices, 'knex'>): Promise<void> {
  await query(
    knex,
    `update monitor_notifications set outcome = 'failed'
     where outcome = 'waiting' and due_at = 'infinity' and created_at < now() - interval '${GIVEN_UP_DAYS} days'`,
  )
}
