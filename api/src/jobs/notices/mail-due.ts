/**
 * Mails that owners requested, about their domains and keys. Due rows are read from the tables, marked as notified, and
 * queued for mailing in one transaction. So each mail is sent once, even if the worker stops.
 */
import type { JobServices } from '../../compose.ts'
import { query, type SqlValue } from '../../database/sql.ts'
import type { MailJob } from '../../queue/job-data.ts'

/** Rows of one transaction. */
export const NOTICE_BATCH = 500
/** Any number that no other lock uses. Only one worker runs at a time, so that no mail is sent twice. */
const NOTICE_LOCK = 7_204_614

/** The condition for accounts `u` that get such mails: verified, not blocked, and not about to be deleted. */
export const MAILABLE = `u.email_verified_at is not null and u.enabled and u.account_type <> 'disabled'
  and u.deletion_due_at is null`

export type NoticeServices = Pick<JobServices, 'knex' | 'jobs' | 'now'>

interface Due<Row> {
  /** A statement that marks at most `NOTICE_BATCH` rows as notified, and returns them with their accounts. */
  readonly sql: string
  readonly bindings: readonly SqlValue[]
  /** The mail about the rows of one account; undefined when no mail is needed. */
  readonly mailOf: (userId: string, rows: readonly Row[]) => MailJob | undefined
}

/** Sends all due mails: one for each account and batch. @returns the number of mails */
export async function mailDue<Row extends { readonly user_id: string }>(
  { knex, jobs }: NoticeServices,
  { sql, bindings, mailOf }: Due<Row>,
): Promise<number> {
  let mails = 0
  for (;;) {
    const count = await knex.transaction(async (trx) => {
      await query(trx, 'select pg_advisory_xact_lock(?)', [NOTICE_LOCK])
      const rows = await query<Row>(trx, sql, bindings)
      for (const [userId, own] of Map.groupBy(rows, (row) => row.user_id)) {
        const mail = mailOf(userId, own)
        if (mail === undefined) continue
        await jobs.enqueue(trx, 'mail', mail)
        mails += 1
      }
      return rows.length
    })
    if (count < NOTICE_BATCH) return mails
  }
}
