/** Finds the accounts that a user name or an email address may mean at a sign-in. */
import type { Knex } from 'knex'
import { User } from '../models/user.ts'
import { query } from '../database/sql.ts'

export interface LoginAccount {
  readonly id: string
  readonly username: string
  readonly password_hash: string
  readonly credential_version: number
  readonly is_verified: boolean
}

/**
 * The accounts to try a password on, in order of preference.
 *
 * An address belongs to one account only once it is verified. Until then several accounts may claim
 * it; otherwise registering would reveal that it is taken. So an address means the account that has
 * it verified and the newest account that claims it. The result always has two places, and the
 * password is also evaluated for a place without an account.
 */
export async function findLoginAccounts(
  knex: Knex,
  typed: string,
): Promise<readonly (LoginAccount | undefined)[]> {
  // Lower-cased in the same way as for counting attempts. PostgreSQL also lowers other characters (U+0130 to i), and
  // each spelling of a name would then have a count of its own.
  const usernameOrEmail = typed.toLowerCase()
  const fields =
    'id, username, password_hash, credential_version, email_verified_at is not null as is_verified'
  // PostgreSQL cannot store U+0000, so no user name or address contains it.
  if (usernameOrEmail.includes('\0'))
    return usernameOrEmail.includes('@') ? [undefined, undefined] : [undefined]
  if (!usernameOrEmail.includes('@')) {
    const rows = await query<LoginAccount>(
      knex,
      `select ${fields} from users where lower(username) = ?`,
      [usernameOrEmail],
      'account-by-name',
    )
    return [rows[0]]
  }
  const rows = await query<LoginAccount>(
    knex,
    `(select ${fields} from users where lower(email) = ? and email_verified_at is not null)
     union all
     (select ${fields} from users where lower(email) = ? and email_verified_at is null
      order by id desc limit 1)`,
    [usernameOrEmail, usernameOrEmail],
    'accounts-by-email',
  )
  return [rows.find(({ is_verified }) => is_verified), rows.find(({ is_verified }) => !is_verified)]
}

/** The account that has the address verified. */
export async function ownerOfAddress(knex: Knex, email: string): Promise<string | undefined> {
  const owner = await User.query(knex)
    .modify('withEmail', email)
    .modify('verified')
    .select('id')
    .first()
  return owner?.id
}
