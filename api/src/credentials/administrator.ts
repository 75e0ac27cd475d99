import type { Knex } from 'knex'
import { raw } from 'objection'
import { DatabaseError } from 'pg'
import { User } from '../models/user.ts'
import { query } from '../database/sql.ts'
import { argon2Hasher, type PasswordHasher } from './password-hasher.ts'

export interface NewAdministrator {
  readonly username: string
  readonly email: string
  readonly password: string
}

/** Any number that no other advisory lock uses. */
const FIRST_ADMINISTRATOR_LOCK = 7_204_617

/** Another account has the user name or the verified address of the first administrator. */
export class AdministratorTaken extends Error {
  constructor(variable: 'ADMIN_USERNAME' | 'ADMIN_EMAIL', value: string) {
    super(`${variable}: another account already uses ${value}; choose another value`)
    this.name = 'AdministratorTaken'
  }
}

/** Whether an administrator account exists, whether or not it can sign in. */
export async function hasAdministrator(knex: Knex): Promise<boolean> {
  const found = await User.query(knex).select('id').findOne({ account_type: 'admin' })
  return found !== undefined
}

function takenBy(error: unknown, { username, email }: NewAdministrator): unknown {
  if (!(error instanceof DatabaseError)) return error
  if (error.constraint === 'users_username_key') {
    return new AdministratorTaken('ADMIN_USERNAME', username)
  }
  return error.constraint === 'users_email_key'
    ? new AdministratorTaken('ADMIN_EMAIL', email)
    : error
}

/**
 * Creates the first administrator, verified and able to sign in, if there is no administrator. Many
 * processes may run it at once.
 *
 * @throws AdministratorTaken when another account has the user name or the verified address
 */
export async function ensureAdministrator(
  knex: Knex,
  administrator: NewAdministrator,
  passwords: PasswordHasher = argon2Hasher,
): Promise<'created' | 'exists'> {
  // Usually there is an administrator, and the hash is not needed.
  if (await hasAdministrator(knex)) return 'exists'
  const { username, email, password } = administrator
  const passwordHash = await passwords.hash(password)
  try {
    return await knex.transaction(async (trx) => {
      await query(trx, 'select pg_advisory_xact_lock(?)', [FIRST_ADMINISTRATOR_LOCK])
      if (await hasAdministrator(trx)) return 'exists'
      await User.query(trx).insert({
        username,
        email,
        password_hash: passwordHash,
        account_type: 'admin',
        is_administrator: true,
        email_verified_at: raw('now()'),
      })
      return 'created'
    })
  } catch (error) {
    throw takenBy(error, administrator)
  }
}
