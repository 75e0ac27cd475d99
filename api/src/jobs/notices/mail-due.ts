/**
 * Mails that owners requested, about their domains and keys. Due rows are read from the tables, marked as notified, and
 * queued for mailing in one transaction. So each mail is sent once, even if the worker stops.
 */
import type { JobServices } from '../../compose.ts'
import { query, type SqlValue } from '../../database/sql.ts'
import type { MailJob } from '../../queue/job-data.ts'

/** Rows of one transaction. */
export const NOTICE_BATCH = 500
/** Any numbers that no other lock uses. Only one worker at a time sends mails of a kind. */
const LOCKS = { addresses: 7_204_614, keys: 7_204_615, silence: 7_204_616 } as const

/** The condition for accounts `u` that get such mails: verified, not blocked, and not about to be deleted. */
export const MAILABLE = `u.email_verified_at is not null and u.enabled and u.account_type <> 'disabled'
  and u.deletion_due_at is null`

export type NoticeServices = Pick<JobServices, 'knex' | 'jobs' | 'now'>

/** A row that is due: its account, and its own id. */
interface DueRow {
  readonly user_id: string
  readonly id: string
}

interface Due<Row> {
  readonly kind: keyof typeof LOCKS
  /**
   * A statement that marks at most `NOTICE_BATCH` rows as told, and returns them in the order of account and id. Its
   * first two parameters are the account and the id of the last row of the batch before.
   */
  readonly sql: string
  /** The other parameters. */
  readonly bindings: readonly SqlValue[]
  /** The mail about the rows of one account; undefined when no mail is needed. */
  readonly mailOf: (userId: string, rows: readonly Row[]) => MailJob | undefined
}

interface Batch {
  readonly mails: number
  /** The last row; undefined when no other batch can follow. */
  readonly last: DueRow | undefined
}

const NO_MORE: Batch = { mails: 0, last: undefined }

/**
 * Mails all that is due: one mail for each account and batch. While another worker sends mails of the same kind, this one
 * leaves them to that worker.
 *
 * @returns the number of mails
 */
export async function mailDue<Row extends DueRow>(
  services: NoticeServices,
  due: Due<Row>,
): Promise<number> {
  let total = 0
  for (let after: DueRow | undefined = { user_id: '0', id: '0' }; after !== undefined;) {
    const { mails, last }: Batch = await mailBatch(services, due, after)
    total += mails
    after = last
  }
  return total
}

async function mailBatch<Row extends DueRow>(
  { knex, jobs }: NoticeServices,
  { kind, sql, bindings, mailOf }: Due<Row>,
  after: DueRow,
): Promise<Batch> {
  return knex.transaction(async (trx) => {
    const [lock] = await query<{ ours: boolean }>(
      trx,
      'select pg_try_advisory_xact_lock(?) as ours',
      [LOCKS[kind]],
    )
    if (lock?.ours !== true) return NO_MORE
    const rows = await query<Row>(trx, sql, [after.user_id, after.id, ...bindings])
    let mails = 0
    for (const [userId, own] of Map.groupBy(rows, (row) => row.user_id)) {
      const mail = mailOf(userId, own)
      if (mail === undefined) continue
      await jobs.enqueue(trx, 'mail', mail)
      mails += 1
    }
    return { mails, last: rows.length < NOTICE_BATCH ? undefined : rows.at(-1) }
  })
}
