/** Whether an account must not be charged again. */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'

interface Row {
  readonly is_leaving: boolean
  readonly is_blocked: boolean
}

/** Why the renewal of an account's subscription stops; undefined: it does not. */
export async function stopReasonOf(
  db: Knex,
  userId: string,
): Promise<'deletion' | 'ban' | undefined> {
  const [row] = await query<Row>(
    db,
    'select deletion_due_at is not null as is_leaving, not enabled or is_disabled as is_blocked from users where id = ?',
    [userId],
  )
  if (row?.is_blocked === true) return 'ban'
  return row?.is_leaving === true ? 'deletion' : undefined
}
