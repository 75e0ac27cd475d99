import type { Knex } from 'knex'
import { User } from '../../models/user.ts'
import { digestBytes } from '../../rules/secrets.ts'

/**
 * Whether an account waits for its first sign-in from the browser that registered it. A sign-in to another account does
 * not end that.
 *
 * @param secret the cookie of the registration
 */
export async function isRegistrationOpen(knex: Knex, secret: string): Promise<boolean> {
  const digest = digestBytes(secret)
  return (
    (await User.query(knex).findOne({ registration_digest: digest }).select('id')) !== undefined
  )
}

/**
 * Whether the address of the account that a browser registered is verified, so that its page can continue when the user
 * opens the link on another device. False for every other client.
 *
 * @param secret the cookie of the registration; undefined when the request does not have it
 */
export async function isRegistrationVerified(
  knex: Knex,
  secret: string | undefined,
): Promise<boolean> {
  if (secret === undefined) return false
  const user = await User.query(knex)
    .modify('verified')
    .findOne({ registration_digest: digestBytes(secret) })
    .select('id')
  return user !== undefined
}
