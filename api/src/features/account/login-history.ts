import type { LoginAttempt } from '@homing/openapi'
import type { Knex } from 'knex'
import { LoginHistoryEntry } from '../../models/login-history-entry.ts'
import type { Row } from '../../models/table.ts'

/** Maximum number of listed sign-ins. */
const LISTED_LIMIT = 100

const COLUMNS = ['at', 'ip', 'cc', 'success', 'method'] as const

/** Lists sign-ins and failed attempts of the account, newest first. */
export async function listLogins(knex: Knex, userId: string): Promise<LoginAttempt[]> {
  const rows = await LoginHistoryEntry.query(knex)
    .modify('ownedBy', userId)
    .select(COLUMNS)
    .orderBy([
      { column: 'at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(LISTED_LIMIT)
    .toKnexQuery<Pick<Row<typeof LoginHistoryEntry>, (typeof COLUMNS)[number]>>()
  return rows.map(({ at, ...row }) => ({ time: at.toISOString(), ...row }))
}
