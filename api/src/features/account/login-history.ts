import type { LoginAttempt, SignInMethod } from '@homing/openapi'
import type { Knex } from 'knex'
import { query } from '../../sql.ts'

/** Most sign-ins that are told. */
const LISTED_LIMIT = 100

interface LoginRow {
  readonly at: Date
  readonly ip: string
  readonly cc: string | null
  readonly success: boolean
  readonly method: SignInMethod | null
}

/** When, from where and with what somebody signed in to the account or tried to, the newest first. */
export async function listLogins(knex: Knex, userId: string): Promise<LoginAttempt[]> {
  const rows = await query<LoginRow>(
    knex,
    `select at, host(ip) as ip, cc, success, method from login_history
     where user_id = ? order by at desc, id desc limit ${LISTED_LIMIT}`,
    [userId],
  )
  return rows.map(({ at, ...row }) => ({ time: at.toISOString(), ...row }))
}
