import type { Knex } from 'knex'
import { query } from '../sql.ts'
import { argon2Hasher, type PasswordHasher } from './password-hasher.ts'

export interface NewAdministrator {
  readonly username: string
  readonly email: string
  readonly password: string
}

/** Any number that nothing else locks. */
const FIRST_ADMINISTRATOR_LOCK = 7_204_612

const ADMINISTRATOR_EXISTS = `exists (select from users where account_type = 'admin')`

async function hasAdministrator(knex: Knex): Promise<boolean> {
  return (await query(knex, `select where ${ADMINISTRATOR_EXISTS}`)).length > 0
}

/**
 * Makes the first administrator, verified and able to sign in, when there is none at all. Safe to run
 * by many processes at once.
 *
 * @throws Error when another account has the user name or the verified address
 */
export async function ensureAdministrator(
  knex: Knex,
  { username, email, password }: NewAdministrator,
  passwords: PasswordHasher = argon2Hasher,
): Promise<'made' | 'exists'> {
  // Nearly every start finds one, and need not pay for a hash.
  if (await hasAdministrator(knex)) return 'exists'
  const passwordHash = await passwords.hash(password)
  return knex.transaction(async (trx) => {
    await query(trx, 'select pg_advisory_xact_lock(?)', [FIRST_ADMINISTRATOR_LOCK])
    const made = await query(
      trx,
      `insert into users (username, email, password_hash, account_type, email_verified_at)
       select ?, ?, ?, 'admin', now() where not ${ADMINISTRATOR_EXISTS}
       returning id`,
      [username, email, passwordHash],
    )
    return made.length > 0 ? 'made' : 'exists'
  })
}
