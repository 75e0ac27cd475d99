/** The accounts that a name or an e-mail address may mean to somebody who signs in. */
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
 * The accounts to try a password on, in the order in which they are preferred.
 *
 * An address belongs to one account only once it is verified; until then several may
 * claim it, or else registering would tell that it is taken. So an address means the
 * account that has it verified and the newest that claims it, and there are always two
 * places: a place without an account is tried all the same.
 */
export async function findLoginAccounts(
  knex: Knex,
  typed: string,
): Promise<readonly (LoginAccount | undefined)[]> {
  // As tries are counted. PostgreSQL may lower more than that (U+0130 to i), and each way to write a name would be a name to count.
  const usernameOrEmail = typed.toLowerCase()
  const fields =
    'id, username, password_hash, credential_version, email_verified_at is not null as is_verified'
  // A character that PostgreSQL cannot store is in nobody's name.
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
